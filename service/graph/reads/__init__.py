"""The read compiler: a tree of what is asked becomes one statement, and its one row becomes the answer."""

from service.graph.reads.compiler import Breadth, Paging, compile_read
from service.graph.reads.plan import Plan
from service.graph.reads.run import run_plan
from service.graph.reads.shaped import Shaped, Source

__all__ = ["Breadth", "Paging", "Plan", "Shaped", "Source", "compile_read", "run_plan"]
