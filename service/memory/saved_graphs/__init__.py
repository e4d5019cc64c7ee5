"""Saved graphs and the runs of them: which graph a run went through, and which of its modules each step was of."""

from service.memory.saved_graphs.cypher import MOST_RUNS, MOST_STEPS, TIE_RUNS, TIE_STEPS, graph_of_run

__all__ = ["MOST_RUNS", "MOST_STEPS", "TIE_RUNS", "TIE_STEPS", "graph_of_run"]
