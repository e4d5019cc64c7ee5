"""Changes of the saved graph that findings recommend: a cable that is missing, a look that nobody took."""

from graph_schema.learning.proposal_words import ProposalKind
from service.knowledge.preflight.effects import GATE
from service.learning.assessments.actions import Patch, cable, change, module, no_cable, patched
from service.learning.assessments.facts import Assessed, SavedFlow
from service.learning.proposals.inputs import ProposalInput

SECOND = "step.red_team"
_IN, _PASSED = "candidate_in", "approved"


def missing_cable(about: Assessed, tail: str, head: str, because: str, effect: str) -> tuple[ProposalInput, ...]:
    """The cable that is missing in the saved graph, where both modules are in it and no cable is there."""
    graph = about.graph
    if graph is None or not {tail, head} <= graph.modules.keys() or (tail, head) in graph.cables:
        return ()
    return _of(graph, about, because, effect, cable(tail, head))


def review_after(about: Assessed, key: str, because: str) -> tuple[ProposalInput, ...]:
    """A person looks at what a module makes."""
    gate = f"review-{key}"
    graph = _with_room(about, key, gate)
    if graph is None:
        return ()
    effect = "Nothing counts as final that nobody has looked at."
    return _of(graph, about, because, effect, module(gate, GATE), cable(key, gate, None, _IN))


def review_before(about: Assessed, key: str, because: str) -> tuple[ProposalInput, ...]:
    """A person agrees before a module acts: a gate stands in each of the ways to it."""
    gate = f"approve-{key}"
    graph = _with_room(about, key, gate)
    ways = [one for one in graph.wires if one[1] == key] if graph else []
    if graph is None or not ways:
        return ()
    operations = [module(gate, GATE)]
    for tail, _, from_port, to_port in ways:
        operations += [no_cable(tail, key, from_port, to_port), cable(tail, gate, from_port, _IN)]
    operations.append(cable(gate, key, _PASSED, ways[0][3]))
    return _of(graph, about, because, "Nothing leaves that nobody has approved.", *operations)


def second_look_after(about: Assessed, key: str, because: str) -> tuple[ProposalInput, ...]:
    added = f"second-look-{key}"
    graph = _with_room(about, key, added)
    if graph is None:
        return ()
    effect = "What the first pass missed is found before anybody relies on it."
    return _of(graph, about, because, effect, module(added, SECOND), cable(key, added, None, _IN))


def _with_room(about: Assessed, key: str, added: str) -> SavedFlow | None:
    """The saved graph, where it has the one module and not yet the other."""
    graph = about.graph
    return graph if graph and key in graph.modules and added not in graph.modules else None


def _of(graph: SavedFlow, about: Assessed, because: str, effect: str, *operations: Patch) -> tuple[ProposalInput, ...]:
    step = patched(*operations)
    return (change(ProposalKind.task_template_update, graph.owner, because, effect, step, by=[about.id]),)
