"""What of attention goes with time."""

from service.attention.retention import cypher
from service.memory.retention.aged import Aged

OLD_SESSIONS = Aged(
    kind="attention_sessions",
    days=lambda settings: settings.retain_attention_days,
    count=cypher.COUNT_OLD,
    take=cypher.TAKE_OLD,
    parts=cypher.PARTS_OF_OLD,
)
