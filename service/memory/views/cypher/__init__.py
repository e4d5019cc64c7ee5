"""What the read models of a run read, one row each, with the firewall on every node.

Parameters that they share: `run_id`, `audiences` (the firewall), `most` (how long a list may get) and `fields`: the
properties that facts of each kind are made from. Their values come as `own`, without their names, which would be half
of all that is sent.
"""

from service.memory.views.cypher.brief import BRIEF
from service.memory.views.cypher.pages import BLOCK, BLOCKS, FOUND, RANK, STEPS
from service.memory.views.cypher.run import RUN
from service.memory.views.cypher.whole import FLOW, HELD, MADE, TRACE

__all__ = ["BLOCK", "BLOCKS", "BRIEF", "FLOW", "FOUND", "HELD", "MADE", "RANK", "RUN", "STEPS", "TRACE"]
