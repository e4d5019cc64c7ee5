"""The saved graph that a run goes through: what its modules are called, what leads to what, and what comes next."""

from collections.abc import Iterable, Sequence

from service.memory.views.facts import SavedGraph, SavedModule


class Flow:
    """A saved graph without the modules that are switched off: what leads to one leads to what it leads to."""

    def __init__(self, graph: SavedGraph) -> None:
        every = {one.module_key: one for one in graph.modules}
        self.graph = graph
        self.modules = {key: one for key, one in every.items() if not one.disabled}
        self.cables = {key: _working(every, one) for key, one in self.modules.items()}

    def first(self) -> list[SavedModule]:
        """The modules that nothing leads to; in a graph that is one circle, the first by name."""
        reached = {head for tail, heads in self.cables.items() for head in heads if head != tail}
        found = [one for key, one in self.modules.items() if key not in reached]
        return found or list(self.modules.values())[:1]

    def after(self, keys: Iterable[str]) -> list[SavedModule]:
        """The modules that these lead to, each once."""
        heads = dict.fromkeys(head for key in keys for head in self.cables.get(key, ()))
        return [self.modules[one] for one in heads]

    def in_order(self) -> list[SavedModule]:
        """All modules, from those that come first to those that come last; each before what it leads to."""
        found: dict[str, SavedModule] = {}
        waiting = [one.module_key for one in self.first()]
        while len(found) < len(self.modules):
            waiting = waiting or [next(key for key in self.modules if key not in found)]
            found |= {key: self.modules[key] for key in waiting}
            waiting = [one.module_key for one in self.after(waiting) if one.module_key not in found]
        return list(found.values())


def _working(every: dict[str, SavedModule], module: SavedModule) -> tuple[str, ...]:
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting: list[str] = list(module.leads_to)
    while waiting:
        key = waiting.pop(0)
        if key in seen or key not in every:
            continue
        seen.add(key)
        if every[key].disabled:
            waiting.extend(every[key].leads_to)
        else:
            found[key] = None
    return tuple(found)


def coming(flow: Flow, at_work: Sequence[str], done: Sequence[str]) -> list[SavedModule]:
    """The modules that come next: what those at work lead to; when none is, what those that were done last lead to; and
    before anything has begun, where the graph begins. A loop comes round to what has begun already."""
    if not at_work and not any(one.begun for one in flow.graph.modules):
        return flow.first()
    after = [one for one in flow.after(at_work or done) if one.module_key not in at_work]
    fresh = [one for one in after if not one.begun]
    return fresh or (after if at_work else [])
