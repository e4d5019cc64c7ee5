"""Kept preflights: what was examined, what was known, and what was found."""

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Opaque, Timestamp, field
from graph_schema.model.record import Record


class Preflight(Record):
    """A preflight that was kept, with the facts that it rests on, so that it can be replayed."""

    label = "Preflight"
    plural = "preflights"
    prefix = "pfl"
    layer = EvidenceLayer.memory
    colour = "#7fb08f"

    status: PreflightStatus = field("What it came to.", filtered=True, authored=False)
    graph_hash: Key | None = field("Hash of the graph that was examined.", default=None, indexed=True, authored=False)
    blueprint_hash: Key | None = field("Hash of the blueprint that was examined.", default=None, authored=False)
    blocking_codes: Keys = field("Codes of what must be mended first.", make=list, authored=False)
    warning_codes: Keys = field("Codes of what to look at.", make=list, authored=False)
    rules: Key = field("Name and version of the rules that examined it.", filtered=True, authored=False)
    answer: LongText = field("What was found, as JSON.", authored=False)
    facts: Opaque = field("What was known, as JSON. A replay reads this.", hidden=True)
    examined_at: Timestamp = field("When it was examined.", ordered=True, authored=False)
    examined_by: Key = field("Id of the principal who asked.", authored=False, filtered=True)
