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
    "templates/all": "/templates",
    "templates/match": "/templates/match?text=evaluate+the+complaint+count+by+count&inputs=pleading",
    "templates/one": "/templates/sample:COMPLAINT%20EVALUATION",
    "entities/all": "/entities",
    "entities/one": "/entities/sample:marex",
    "review/all": "/review",
    "review/one": "/review/{proposal}",
    "shares/all": "/shares",
    "shares/new": "/shares/new?record=sample:run-marex-complaint",
    "shares/one": "/shares/{share}",
    "shares/reply": "/shares/reply",
    "administration/overview": "/administration",
    "administration/access": "/administration/access",
    "administration/log": "/administration/log",
    "administration/settings": "/administration/settings",
    "administration/agent": "/administration/agent",
    "administration/artifacts": "/administration/artifacts",
    "administration/muted": "/administration/muted?contextClass=code_review%2Freview%2Fengineering",
    "search": "/search?text=complaint",
    "records": "/records/sample:COMPLAINT%20EVALUATION",
}
"""By the folder of the page."""


async def address_of(caller: Caller, folder: str) -> str:
    """A proposal and a share have no name of their own outside: the highest of the queue, the first share are taken."""
    address = ADDRESSES[folder]
    if "{share}" in address:
        shares = await caller.ask("{ shares(first: 1) { nodes { id } } }")
        return address.format(share=shares["shares"]["nodes"][0]["id"])
    if "{proposal}" not in address:
        return address
    queue = await caller.ask("{ reviewQueue(first: 1) { items { proposalId } } }")
    return address.format(proposal=queue["reviewQueue"]["items"][0]["proposalId"])
