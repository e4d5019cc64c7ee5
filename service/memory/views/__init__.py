"""Read models of a run: facts that are loaded once, and pure functions over them."""

from service.memory.views.facts import Part, RunFacts
from service.memory.views.index import RunIndex
from service.memory.views.load import load_run
from service.memory.views.read import Runs
from service.memory.views.steps import STEPS_NEED, RunSteps, StepsRequest, steps
from service.memory.views.table import VIEWS, View

__all__ = [
    "STEPS_NEED",
    "VIEWS",
    "Part",
    "RunFacts",
    "RunIndex",
    "RunSteps",
    "Runs",
    "StepsRequest",
    "View",
    "load_run",
    "steps",
]
