"""What happened: what remains of it as records."""

from graph_schema.fields import Key, Layer, Text, Timestamp, field
from graph_schema.record import Record


class Tombstone(Record):
    """What is left where a record was erased: that there was one, of which kind, and why it went."""

    label = "Tombstone"
    plural = "tombstones"
    prefix = "tomb"
    layer = Layer.run_truth
    colour = "#6d6d6d"

    erased_kind: Key = field("Label of the record that was erased.", indexed=True, authored=False)
    erased_at: Timestamp = field("When it was erased.", indexed=True, authored=False)
    reason: Text | None = field("Why it was erased.", default=None, authored=False)
