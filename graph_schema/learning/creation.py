"""Tasks that agents make are seen: each has a receipt that leads to the request and the decision behind it."""

from graph_schema.learning.design_words import CreationMode
from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, Words, field
from graph_schema.model.record import Record


class TaskReceipt(Record):
    """That a task was made, how and why: what the user sees of it, and whether it may run yet."""

    label = "TaskReceipt"
    plural = "task_receipts"
    prefix = "rcpt"
    layer = EvidenceLayer.run_truth
    colour = "#93c47d"

    creation_mode: CreationMode = field("How the task came about.", filtered=True, authored=False)
    visible_to_user: bool = field("Always true: there are no hidden tasks.", default=True, authored=False)
    reason_for_task_mode: Text = field("Why it became a saved task.", authored=False)
    originating_user_request_ref: Key | None = field("Where the request is kept.", default=None, authored=False)
    semantic_request_summary: Text = field("What was asked for, in short.", authored=False)
    user_visible_description: Text = field("What the user is told that it does.", authored=False)
    graph_inspector_url: Key | None = field("Where the user's workspace shows its graph.", default=None, authored=False)
    run_inspector_url: Key | None = field("Where it shows its run.", default=None, authored=False)
    task_memory_ref: Key | None = field("Where its memory is kept.", default=None, authored=False)
    risky_side_effects: Words = field("Side effects because of which it does not run yet.", make=list, authored=False)
    runnable: bool = field("Whether it may run.", default=False, filtered=True, authored=False)
    reviewed_by: Key | None = field("The person who has looked at it.", default=None, authored=False)
    reviewed_at: Timestamp | None = field("When they did.", default=None, authored=False)
    recorded_by: Key | None = field("Principal that made the task.", default=None, filtered=True, authored=False)
