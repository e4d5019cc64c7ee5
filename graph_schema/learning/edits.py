"""What people change of proposals: the strongest sign of what was missing."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.learning.design_words import EditKind
from graph_schema.model.fields import EvidenceLayer, Key, LongText, field
from graph_schema.model.record import Record

EditKinds = Annotated[list[EditKind], PydanticField(max_length=len(EditKind))]


class EditTrace(Record):
    """How the graph that was saved differs from the one that was proposed. Computed, never told."""

    label = "EditTrace"
    plural = "edit_traces"
    prefix = "edit"
    layer = EvidenceLayer.learning
    colour = "#f9cb9c"

    edit_kinds: EditKinds = field("What was changed, each kind once.", make=list, authored=False)
    edit_count: int = field("How many single changes there are.", default=0, ge=0, authored=False)
    graph_diff: LongText = field("The single changes, as JSON.", authored=False)
    blueprint_diff: LongText | None = field("How the blueprint differs, as JSON.", default=None, authored=False)
    proposed_graph_hash: Key = field("Hash of the graph that was proposed.", authored=False)
    final_graph_hash: Key = field("Hash of the graph that was saved.", authored=False)
    context_class_key: Key = field("The class of context that it belongs to.", filtered=True, authored=False)
    task_type: Key | None = field("What type of task it is.", default=None, filtered=True, authored=False)
    evidence_ref: Key | None = field("Where further evidence is kept.", default=None, authored=False)
    rules: Key = field("Name and version of the rules that read the changes.", authored=False)
    recorded_by: Key | None = field("Principal that had it recorded.", default=None, authored=False)
