"""An address of every page, on the sample world. The stories of strangers, labels and narrow screens walk them."""

from typing import Any, Protocol


class Asking(Protocol):
    """Whoever can ask the API."""

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]: ...


ALERT = "/runs/sample:run-marex-filing-alert"
_STEP = "moduleKey=evaluate&activationSeq=1"

ADDRESSES = {
    "home": "/home",
    "run/steps": "/runs/sample:run-marex-complaint",
    "run/deliverables": "/runs/sample:run-marex-opposition/deliverables",
    "run/context": f"{ALERT}/context",
    "run/given": f"{ALERT}/given?{_STEP}",
    "run/step": "/steps/{step}",
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
    "review/case": "/review/cases/{case}",
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
    "assessments/all": "/assessments",
    "assessments/one": "/assessments/{assessment}",
    "evaluations/all": "/evaluations",
    "evaluations/one": "/evaluations/{dataset}",
    "learning": "/learning",
    "prompts/all": "/prompts?text=Review+the+lease+and+tell+what+you+think.+It+should+be+thorough.",
    "prompts/one": "/prompts/{prompt}",
    "knowledge/pack": "/knowledge",
    "knowledge/cards": "/knowledge/cards?families=decision_card&first=8",
    "tools/all": "/tools",
    "tools/one": "/tools/sample:web_fetcher?at=2026-02-06T00:00",
    "attention/inbox": "/attention",
    "gate": "/gates/{gate}",
    "attention/traces": "/attention/traces",
    "attention/one": "/attention/traces/{trace}",
    "attention/report": "/attention/report?since=2026-02-01T00:00",
    "artifacts": "/artifacts",
    "search": "/search?text=complaint",
    "records": "/records/sample:COMPLAINT%20EVALUATION",
}
"""By the folder of the page."""


_EDITED = "designSessions(first: 1, filter: {outcome: {eq: saved_with_user_edits}})"
_ALERT = 'source: "sample", key: "run-marex-filing-alert"'
_FIRST = {
    "proposal": "reviewQueue(first: 1) { items { id: proposalId } }",
    "case": "replayCases(first: 1) { nodes { id } }",
    "share": "shares(first: 1) { nodes { id } }",
    "assessment": "assessments(first: 1, filter: {assessmentKind: {eq: run}}) { nodes { id } }",
    "dataset": "evalDatasets(first: 1) { nodes { id } }",
    "prompt": 'prompts(first: 1, filter: {name: {contains: "issue matrix"}}) { nodes { id } }',
    "step": f'run({_ALERT}) {{ steps(first: 1, search: "evaluate") {{ rows {{ activationId }} }} }}',
    "gate": "gates(first: 1, filter: {status: {eq: open}}) { nodes { id } }",
    "trace": "policyTraces(first: 1, filter: {mode: {eq: advisory}}) { nodes { id } }",
    "reviewed": 'node(source: "sample", key: "task-damages-review") { id }',
    "design": f"{_EDITED} {{ nodes {{ id }} }}",
    "drafted": f"{_EDITED} {{ nodes {{ draftedGraph(first: 1) {{ nodes {{ id }} }} }} }}",
    "designed": f"{_EDITED} {{ nodes {{ ledTo(first: 1) {{ nodes {{ ... on Node {{ id }} }} }} }} }}",
}
"""What has no name of its own outside: the first of a list is taken, by the word that stands in its address."""


async def address_of(caller: Asking, folder: str) -> str:
    address = ADDRESSES[folder]
    for name in [one for one in _FIRST if f"{{{one}}}" in address]:
        address = address.replace(f"{{{name}}}", _innermost(await caller.ask(f"{{ {_FIRST[name]} }}")))
    return address


def _innermost(found: Any) -> str:
    """The first of each list, and the one value of each object."""
    if isinstance(found, str):
        return found
    inside: list[Any] = [*found] if isinstance(found, list) else [*found.values()]
    return _innermost(inside[0])
