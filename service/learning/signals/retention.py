"""How long signals are kept: by their class, as long as their matter is active, and not longer than their run."""

from graph_schema.model.fields import DataClass
from service.learning.signals import cypher
from service.learning.signals.gate import SENSITIVE
from service.memory.retention.aged import Aged

PLAIN = [one.value for one in DataClass if one.value not in SENSITIVE]

OLD_SIGNALS = Aged(
    kind="signals",
    days=lambda settings: settings.retain_signal_days,
    count=cypher.COUNT_OLD,
    take=cypher.TAKE_OLD,
    given={"classes": PLAIN},
)
OLD_SENSITIVE_SIGNALS = Aged(
    kind="sensitive_signals",
    days=lambda settings: settings.retain_sensitive_signal_days,
    count=cypher.COUNT_OLD,
    take=cypher.TAKE_OLD,
    given={"classes": sorted(SENSITIVE)},
)
