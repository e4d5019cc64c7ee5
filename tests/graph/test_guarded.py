"""A statement that reads records for somebody names the firewall for each of them, or says here why it need not."""

import re
from pathlib import Path

from graph_schema.registry import REGISTRY
from tests.statements import written

SERVICE = Path(__file__).parents[2] / "service"
_NODE = re.compile(r"\((\w+):([\w:|]+)")
_RECORDS = {*REGISTRY.types, "Record"}

_POLICY = "what holds for a run does not depend on who asks; nothing of it is told but what it decides"
_NAMED = "its id was looked up for the viewer before"
_CHECK = "a command looks whether it would break something; what it finds is not told"
_GUARDED_BY = "belongs to a record that is guarded, and has its access"
_FITS = "what the viewer named or what a run was told decides whether a guarded record fits; nothing else is told of it"
_STEP_BEFORE = "the step that was guarded as the cause of the one before it on the way"
_OF_RUN = "asset capability holder module p procedure template"
_BY_AUDIENCE = "is sought in an index by one of the viewer's audiences after another"
FREE: dict[str, tuple[str, str]] = {
    "put together": ("capability entity", _NAMED),
    "service.memory.history.cypher.PREDICATES": ("capability", _NAMED),
    "service.context.agent_pack.cypher.CAPABILITIES": ("asset card", f"{_NAMED}; a card {_GUARDED_BY}"),
    "service.context.agent_pack.cypher.POLICY_OF_RUN": (_OF_RUN, _POLICY),
    "service.context.agent_pack.cypher.RULES": ("card to", f"{_NAMED}; a card {_GUARDED_BY}"),
    "service.context.expansion.cypher.MODULE_IN_RUN": (f"{_OF_RUN} g receipt", _POLICY),
    "service.context.packets.cypher.CANDIDATES": ("card maker one whole", _FITS),
    "service.context.packets.cypher.SITUATION": (f"{_OF_RUN} policy receipt", _POLICY),
    "service.context.packets.cypher._WAYS": ("card whole", f"{_GUARDED_BY}; a library is one that was offered"),
    "service.context.scope.cypher.GATHERED": ("p", _POLICY),
    "service.context.scope.cypher.KEPT_OUT": ("whole", _FITS),
    "service.context.scope.cypher.PLANNED": ("run", "there is no run yet: its place is empty"),
    "service.context.scope.cypher._NAMED": ("p", _POLICY),
    "service.context.inspection.cypher.BLEED_OF_RUNS": ("maker matter x", _FITS),
    "service.context.inspection.cypher.BLEED_OF_SPAN": ("maker matter x", _FITS),
    "service.context.inspection.cypher._OUTSIDE": ("maker matter x", _FITS),
    "service.graph.parts.cypher.HOLDS": ("n", "that there is a hold is told; where it is, only to who may see that"),
    "service.knowledge.catalogue.cypher.OF_SOURCE": ("f p", _GUARDED_BY),
    "service.learning.design.cypher.DRAFTED_MODULES": ("m", _GUARDED_BY),
    "service.learning.proposals.cypher.PROMPT_TEST": ("s", _GUARDED_BY),
    "service.library.cypher.blueprints.BLUEPRINT": ("g type", _GUARDED_BY),
    "service.library.cypher.assets.DESIGN_FACTS": ("owner", _CHECK),
    "service.library.cypher.graphs.MODULE_BONDS": ("another b m other owner snapshot", _CHECK),
    "service.library.cypher.segments.SEGMENT_SOURCE": ("b", _CHECK),
    "service.library.cypher.segments.TAKEN_BEFORE": ("m other segment", _CHECK),
    "service.matching.cypher.CANDIDATES": ("c d", "counted for whether the index is behind, over all alike"),
    "service.memory.artifact_search.cypher.PROPOSED": ("exact", _GUARDED_BY),
    "service.memory.audit.cypher.BLUEPRINT": ("owner to", _NAMED),
    "service.memory.audit.cypher.GRAPH": ("owner", _NAMED),
    "service.memory.lineage.cypher.VERSIONS": ("of", _NAMED),
    "service.memory.retention.cypher.RETENTION_SEEN": ("e", _CHECK),
    "service.memory.extraction.cypher.HELD": ("owner x", _CHECK),
    "service.memory.views.cypher.pages.STEPS": ("effect", _STEP_BEFORE),
    "service.memory.views.cypher.shared.WAY_BACK": ("effect", _STEP_BEFORE),
    "service.memory.views.load.STATEMENTS": ("effect", _STEP_BEFORE),
    "service.records.erasure.cypher.QUOTED_IN_HELD": ("e n quoting", _CHECK),
    "service.search.cypher._EXACT": ("card", _GUARDED_BY),
    "service.tools.health.cypher.CALLS": ("call", _BY_AUDIENCE),
    "service.tools.health.cypher._LAST": ("call", _BY_AUDIENCE),
    "service.tools.health.cypher._RECENT": ("call", _BY_AUDIENCE),
}
"""Variables on which nothing tests who may see them, by statement, and why that is right."""


def _unguarded(text: str) -> set[str]:
    named = {name for name, labels in _NODE.findall(text) if _RECORDS & {*re.split(r"[:|]", labels)}}
    return {name for name in named if not re.search(rf"\b{name}\.audience\b|\({name}:[\w:|]+ \{{audience:", text)}


def test_every_record_that_is_read_for_somebody_is_guarded() -> None:
    found: dict[str, set[str]] = {}
    for text, place in written().items():
        if "$audiences" in text and "CREATE" not in text and (free := _unguarded(text)):
            found.setdefault(place, set()).update(free)
    assert found == {place: {*names.split()} for place, (names, _why) in FREE.items()}


def test_the_firewall_is_written_in_one_place() -> None:
    literal = [path.name for path in SERVICE.rglob("*.py") if ".audience IN $audiences" in path.read_text()]
    assert literal == ["visibility.py"]
