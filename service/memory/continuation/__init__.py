"""What comes after a run: forks, follow-ups, interventions, threads and consults. None of it changes a finished run."""

from service.memory.continuation.commands import Continuation
from service.memory.continuation.inputs import (
    ConsultInput,
    FollowUpArtifact,
    FollowUpInput,
    ForkInput,
    InterventionInput,
    StepName,
    ThreadInput,
)

__all__ = [
    "ConsultInput",
    "Continuation",
    "FollowUpArtifact",
    "FollowUpInput",
    "ForkInput",
    "InterventionInput",
    "StepName",
    "ThreadInput",
]
