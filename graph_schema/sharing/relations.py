"""Relations of shares."""

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import Relation

DISCLOSED = (
    *("Run", "Activation", "Span", "Artifact", "Delivery", "Gate"),
    *("Snapshot", "Checkpoint", "Session", "Intervention", "NativeEvent", "Task"),
    *("Template", "GraphSnapshot", "Module", "Blueprint", "StepIntent", "Contract"),
    *("Criterion", "ReviewPoint", "SideEffect", "Capability", "Entity", "Goal"),
    *("WorkProduct", "Fork", "FollowUp", "Thread", "Consult", "IntakeReceipt"),
    *("LibraryIntent", "Tombstone", "Trigger", "ScopeEnvelope", "ContextPacket", "ExpansionReceipt"),
    "Memory",
)
"""What a share may tell of: what an audit may, and memories that are granted for later."""

RELATIONS = (
    Relation(
        "DISCLOSES",
        ("ShareCapsule",),
        DISCLOSED,
        "disclosed_by",
        "A share, and a record that it tells of.",
        EvidenceLayer.run_truth,
        inherits="tail",
        managed=True,
    ),
    Relation(
        "HAPPENED_UNDER",
        ("ShareEvent",),
        ("ShareCapsule",),
        "share_events",
        "Something that was done, and the share that it was done under.",
        EvidenceLayer.run_truth,
        inherits="tail",
        managed=True,
    ),
)
