"""What of attention goes with time: by its class, as long as its matter is active, and not longer."""

from typing import Any

from graph_schema.model.fields import DataClass
from service.attention.inbox.session import INBOX
from service.attention.retention import cypher
from service.memory.retention.aged import Aged

SENSITIVE: dict[str, Any] = {"sensitive": True, "classes": [DataClass.privileged.value, DataClass.local_only.value]}
PLAIN: dict[str, Any] = {**SENSITIVE, "sensitive": False}
_INBOX = {"source": INBOX[0], "key": INBOX[1]}

OLD_SESSIONS = Aged(
    kind="attention_sessions",
    days=lambda settings: settings.retain_attention_days,
    count=cypher.COUNT_OLD,
    take=cypher.TAKE_OLD,
    parts=cypher.PARTS_OF_OLD,
    given=PLAIN,
)
OLD_SENSITIVE_SESSIONS = Aged(
    kind="sensitive_attention_sessions",
    days=lambda settings: settings.retain_sensitive_attention_days,
    count=cypher.COUNT_OLD,
    take=cypher.TAKE_OLD,
    parts=cypher.PARTS_OF_OLD,
    given=SENSITIVE,
)
OLD_DECISIONS = Aged(
    kind="inbox_decisions",
    days=lambda settings: settings.retain_attention_days,
    count=cypher.COUNT_OLD_DECISIONS,
    take=cypher.TAKE_OLD_DECISIONS,
    parts=cypher.EMITTED_BY_OLD,
    given={**PLAIN, **_INBOX},
)
OLD_SENSITIVE_DECISIONS = Aged(
    kind="sensitive_inbox_decisions",
    days=lambda settings: settings.retain_sensitive_attention_days,
    count=cypher.COUNT_OLD_DECISIONS,
    take=cypher.TAKE_OLD_DECISIONS,
    parts=cypher.EMITTED_BY_OLD,
    given={**SENSITIVE, **_INBOX},
)
AGED = (OLD_SESSIONS, OLD_SENSITIVE_SESSIONS, OLD_DECISIONS, OLD_SENSITIVE_DECISIONS)
