"""Read models of a run: facts that are loaded once, and pure functions over them."""

from service.memory.views.facts import Part, RunFacts
from service.memory.views.index import RunIndex
from service.memory.views.load import Runs, load_run
from service.memory.views.steps import RunSteps, steps
from service.memory.views.table import STEPS_NEED, VIEWS, View

__all__ = ["STEPS_NEED", "VIEWS", "Part", "RunFacts", "RunIndex", "RunSteps", "Runs", "View", "load_run", "steps"]
