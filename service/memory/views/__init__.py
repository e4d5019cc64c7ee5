"""Read models of a run: facts that are loaded once, and pure functions over them."""

from service.memory.views.facts import Part, RunFacts
from service.memory.views.load import load_run

__all__ = ["Part", "RunFacts", "load_run"]
