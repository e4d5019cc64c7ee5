"""What is heard of a user at work: sessions, and the events in them."""

from graph_schema.attention.words import AgentEventType
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Text, Timestamp, field
from graph_schema.model.record import Record


class AttentionSession(Record):
    """A stretch of work of one user with one or more components."""

    label = "AttentionSession"
    plural = "attention_sessions"
    prefix = "atse"
    layer = EvidenceLayer.run_truth
    colour = "#5b8db8"
    reported = True
    natural_key = ("owner_id", "session_source", "session_key")

    owner_id: Key = field("Principal whose session it is.", filtered=True, authored=False)
    session_source: Key = field("The system that calls it so.", authored=False)
    session_key: Key = field("What that system calls it.", filtered=True, authored=False)
    started_at: Timestamp = field("When the first of its events occurred.", authored=False)
    last_event_at: Timestamp = field("When the last of its events occurred.", ordered=True, authored=False)
    ended_at: Timestamp | None = field("When it was told to have ended, last.", default=None, authored=False)
    components: Keys = field("Components that were heard in it.", make=list, authored=False)
    seq: int = field("How many events have arrived.", default=0, hidden=True)
    due_at: Timestamp | None = field("When to look at it next.", default=None, indexed=True, hidden=True)
    seen: Text | None = field("Hash of what waited when it was decided about last.", default=None, hidden=True)


class AgentEvent(Record):
    """Something that a component, or the user at it, did."""

    label = "AgentEvent"
    plural = "agent_events"
    prefix = "agev"
    layer = EvidenceLayer.run_truth
    colour = "#86b0d2"
    reported = True
    natural_key = ("session_id", "event_id")
    indexed_together = (("session_id", "occurred_at"),)

    session_id: Key = field("Id of its session.", filtered=True, authored=False)
    event_id: Key = field("What its reporter calls it.", authored=False)
    event_type: AgentEventType = field("What was heard.", filtered=True, authored=False)
    occurred_at: Timestamp = field("When it happened, by the reporter's clock.", filtered=True, authored=False)
    component: Key = field("The component that it came from.", filtered=True, authored=False)
    payload: LongText = field("What it says, as JSON, by the table of its type.", default="{}", authored=False)
    ends_session: bool = field("Whether the session ended with it.", default=False, authored=False)
    reported_by: Key = field("Principal that reported it.", authored=False)
    seq: int = field("Its place in the order of arrival.", hidden=True)
    hash: Text = field("Hash of what was reported.", hidden=True)
