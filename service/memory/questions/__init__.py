"""Questions about runs and tasks that need no model: answered from what was reported, with what is missing."""

from service.memory.questions.answers import (
    ArtifactsAnswer,
    FinalOutputAnswer,
    InspectorAnswer,
    Missing,
    ModuleOutputAnswer,
    Question,
    RunningAnswer,
    TaskAnswer,
    WaitingAnswer,
    WhereAnswer,
)
from service.memory.questions.contract import Allowance, Contract, Control
from service.memory.questions.quick import QuickAccess
from service.memory.questions.read import Questions
from service.memory.questions.rules import RunQuestions

__all__ = [
    "Allowance",
    "ArtifactsAnswer",
    "Contract",
    "Control",
    "FinalOutputAnswer",
    "InspectorAnswer",
    "Missing",
    "ModuleOutputAnswer",
    "Question",
    "Questions",
    "QuickAccess",
    "RunQuestions",
    "RunningAnswer",
    "TaskAnswer",
    "WaitingAnswer",
    "WhereAnswer",
]
