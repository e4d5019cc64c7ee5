"""Kept matches: what was asked, what was weighed, and what was recommended."""

from graph_schema.library.words import MatchOutcome, RecommendedAction
from graph_schema.model.fields import EvidenceLayer, Key, LongText, Text, Timestamp, field
from graph_schema.model.record import Record


class MatchDecision(Record):
    """A match that was kept, with the candidates, their versions and their scores, so that it can be replayed."""

    label = "MatchDecision"
    plural = "match_decisions"
    prefix = "match"
    layer = EvidenceLayer.memory
    colour = "#d98c5f"

    asset_kind: Key = field("Kind of asset that was asked for.", filtered=True, authored=False)
    request: Text = field("What the user said.", authored=False)
    request_details: LongText = field("All that was asked, as JSON.", authored=False)
    outcome: MatchOutcome = field("What matching came to.", filtered=True, authored=False)
    confidence: float = field("How sure it is, as a probability.", authored=False, ge=0, le=1)
    recommended_action: RecommendedAction = field("What it recommends.", authored=False)
    explanation: Text = field("Why, in sentences.", authored=False)
    answer: LongText = field("The whole answer, as JSON.", authored=False)
    ranker: Key = field("The ranker's name and version.", filtered=True, authored=False)
    embedding_model: Key = field("The model that compared meanings.", authored=False)
    matched_at: Timestamp = field("When it was computed.", ordered=True, authored=False)
