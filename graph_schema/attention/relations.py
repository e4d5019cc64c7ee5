"""Relations of sessions, events, user models, directives and traces."""

from graph_schema.attention.users import SetAside, ToldOf
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import Link, LinkModel, Relation

POINTED_AT = (
    *("Run", "Activation", "Gate", "Artifact", "Delivery", "Task", "Template"),
    *("Entity", "WorkProduct", "Goal", "Capability", "Tool", "Proposal"),
)
"""What an event can be about, and a user be asked to look at."""


WAITED_FOR = ("Gate", "Run", "Tool", "Proposal")
"""What waits in an inbox beside directives."""


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    layer: EvidenceLayer = EvidenceLayer.run_truth,
    forward: str = "",
    inherits: bool = True,
    link: LinkModel = Link,
) -> Relation:
    """The tail takes over the head's access, unless said otherwise. All are kept by the service itself."""
    return Relation(
        type_,
        tails,
        heads,
        reverse,
        description,
        layer,
        link,
        "tail" if inherits else None,
        forward=forward,
        managed=True,
    )


RELATIONS = (
    _relation(
        "HEARD_IN", ("AgentEvent",), ("AttentionSession",), "heard", "An event, and the session that it was heard in."
    ),
    _relation(
        "POINTS_AT",
        ("AgentEvent", "AttentionDirective", "PolicyTrace"),
        POINTED_AT,
        "pointed_at_by",
        "An event, a directive or a decision, and what it is about.",
    ),
    _relation(
        "TOLD_IN",
        ("UserModel",),
        ("AgentEvent",),
        "told_of_user",
        "A user model, and an event in which its owner told something of it.",
        layer=EvidenceLayer.memory,
        inherits=False,
        link=ToldOf,
    ),
    _relation(
        "SET_ASIDE",
        ("AttentionSession",),
        WAITED_FOR,
        "set_aside_by",
        "An inbox, and something in it that its owner has answered.",
        inherits=False,
        link=SetAside,
    ),
    _relation(
        "RAISED_IN",
        ("AttentionDirective",),
        ("AttentionSession",),
        "raised",
        "A directive, and the session that it was raised in.",
    ),
    _relation(
        "DECIDED_IN",
        ("PolicyTrace",),
        ("AttentionSession",),
        "decisions",
        "A decision, and the session that it is about.",
    ),
    _relation(
        "READ",
        ("PolicyTrace",),
        ("AgentEvent",),
        "read_in",
        "A decision, and an event that it rests on.",
        forward="read_events",
    ),
    _relation(
        "EMITTED",
        ("PolicyTrace",),
        ("AttentionDirective",),
        "emitted_by",
        "A decision, and a directive that came of it.",
    ),
    _relation(
        "BECAUSE_OF",
        ("AttentionDirective",),
        ("AgentEvent",),
        "brought_about",
        "A directive, and an event that it rests on.",
        forward="because_of_events",
    ),
)
