"""An address of every page, on the sample world. The stories of strangers, labels and narrow screens walk them."""

from tests.api.conftest import Caller

ALERT = "/runs/sample:run-marex-filing-alert"
_STEP = "moduleKey=evaluate&activationSeq=1"

ADDRESSES = {
    "home": "/home",
    "run/steps": "/runs/sample:run-marex-complaint",
    "run/deliverables": "/runs/sample:run-marex-opposition/deliverables",
    "run/context": f"{ALERT}/context",
    "run/given": f"{ALERT}/given?{_STEP}",
    "run/why": f"{ALERT}/why?{_STEP}&text=Narayanan",
    "run/chosen": f"{ALERT}/why-not?{_STEP}&record=sample:task-docket-monitor",
    "lineage": "/lineage/sample:art-complaint-final",
    "tasks/saved": "/tasks?tab=saved",
    "tasks/history": "/tasks/history",
    "tasks/segments": "/tasks/segments",
    "tasks/presets": "/tasks/presets",
    "tasks/one": "/tasks/sample:task-docket-monitor",
    "graph/one": "/graphs/{reviewed}?run=sample:run-damages-5&module=damages&segment=sample:seg-attack-revise",
    "graph/diff": "/graphs/{drafted}/diff?newer={designed}",
    "blueprint/one": "/blueprints/sample:bp-complaint-evaluation",
    "blueprint/diff": "/blueprints/sample:bp-complaint-evaluation/diff?candidate=sample:bp-draft-complaint",
    "preflight": "/preflight/sample:task-damages-review?inputs=contracts",
    "designs/all": "/designs",
    "designs/one": "/designs/{design}",
    "agent": "/agent?task=sample:task-damages-review&run=sample:run-damages-5&module=damages",
    "templates/all": "/templates",
    "templates/match": "/templates/match?text=evaluate+the+complaint+count+by+count&inputs=pleading",
    "templates/one": "/templates/sample:COMPLAINT%20EVALUATION",
    "entities/all": "/entities",
    "entities/one": "/entities/sample:marex",
    "review/all": "/review",
    "review/one": "/review/{proposal}",
    "search": "/search?text=complaint",
    "records": "/records/sample:COMPLAINT%20EVALUATION",
}
"""By the folder of the page."""


_NAMELESS = """{
  node(source: "sample", key: "task-damages-review") { id }
  reviewQueue(first: 1) { items { proposalId } }
  designSessions(first: 1, filter: {outcome: {eq: saved_with_user_edits}}) {
    nodes { id draftedGraph(first: 1) { nodes { id } } ledTo(first: 1) { nodes { ... on Node { id } } } }
  }
}"""


async def address_of(caller: Caller, folder: str) -> str:
    """What has no name of its own outside: the highest of the queue, and the design that was edited."""
    address = ADDRESSES[folder]
    if "{" not in address:
        return address
    found = await caller.ask(_NAMELESS)
    [design] = found["designSessions"]["nodes"]
    return address.format(
        proposal=found["reviewQueue"]["items"][0]["proposalId"],
        reviewed=found["node"]["id"],
        design=design["id"],
        drafted=design["draftedGraph"]["nodes"][0]["id"],
        designed=design["ledTo"]["nodes"][0]["id"],
    )
