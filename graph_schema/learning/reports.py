"""Learning reports that were kept, so that two moments can be held against each other."""

from graph_schema.learning.report_words import ReportScope
from graph_schema.model.fields import EvidenceLayer, Key, Opaque, Texts, Timestamp, field
from graph_schema.model.record import Record


class KeptReport(Record):
    """A learning report as it was told, as closed as all that it counted."""

    label = "KeptReport"
    plural = "kept_reports"
    prefix = "lrep"
    layer = EvidenceLayer.learning
    colour = "#a3b18a"

    report_scope: ReportScope = field("Which ledgers it tells.", filtered=True, authored=False)
    as_of: Timestamp = field("As of when.", ordered=True, authored=False)
    rules: Key = field("Name and version of the rules.", authored=False)
    content_hash: Key = field("Hash of all of it.", indexed=True, authored=False)
    statements: Texts = field("What each ledger comes to, a sentence each.", make=list, authored=False)
    counted: int = field("How much all its ledgers count.", authored=False, ge=0)
    waiting: int = field("Proposals that waited then.", authored=False, ge=0)
    content: Opaque = field("The report as JSON; of each ledger what it counts most.", authored=False)
    made_by: Key = field("Principal that had it kept.", authored=False)
