"""Counts are the viewer's: what a record or an answer counts is what the same viewer can list, whoever it is.

A number that is stored is told to everybody who sees its record. So either what it counts is counted anew for whoever
reads it, or nobody sees the record who may not see all that it counts.
"""

from typing import Any

import pytest

from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from tests.api.conftest import Api, Caller
from tests.memory.stories import Story, step

VIEWERS = ("outsider", "marex", "reader", "admin")

OF_PARTS = {
    "Run.activation_count": "ACTIVATED",
    "Run.running_count": "ACTIVATED",
    "Run.waiting_count": "ACTIVATED",
    "Run.error_count": "ACTIVATED",
    "GraphSnapshot.module_count": "HAS_MODULE",
    "Assessment.finding_count": "FOUND",
    "Assessment.strength_count": "FOUND",
    "Assessment.problem_count": "FOUND",
    "EvalDataset.example_count": "HAS_EXAMPLE",
    "Proposal.support_count": "SUPPORTED_BY",
    "Proposal.counter_count": "COUNTERED_BY",
    "Recommendation.evidence_count": "SUPPORTED_BY",
    "Recommendation.counter_count": "COUNTERED_BY",
    "InvocationDirective.acceptance_count": "LEARNED_FROM",
    "InvocationDirective.rejection_count": "LEARNED_FROM",
    "PolicyTrace.events_count": "READ",
    "PolicyTrace.emitted_count": "EMITTED",
}
"""What counts records, and the relation to them."""

OWN = {
    "GraphSnapshot.cable_count": "its own graph",
    "Blueprint.modules_count": "the graph that it goes with, which is as closed as its owner",
    "Blueprint.outcome_count": "its own contracts",
    "Entity.page_count": "its own content",
    "EditTrace.edit_count": "its own edits",
    "KnowledgePack.card_count": "cards that were compiled; lists of them say how many are withheld",
    "EvalSuite.example_count": "its own examples",
    "PromptCandidate.preserved_count": "sentences of its own prompt",
    "PolicyTrace.withheld_count": "what its own decision held back",
    "Artifact.opened_count": "events of its own run",
    "Artifact.bookmarked_count": "events of its own run",
    "Artifact.cited_count": "events of its own run",
}
"""What counts no records, or none beside its own, and what it counts."""


def _counts() -> set[str]:
    return {
        f"{label}.{name}"
        for label, kind in REGISTRY.types.items()
        for name, one in kind.fields.items()
        if name.endswith("_count") and not one.hidden and not one.counts
    }


def _sources(label: str) -> set[str]:
    """The relations by which a record of a kind becomes as closed as something else."""
    found: set[str] = set()
    for one in REGISTRY.relations:
        if label in REGISTRY.members(one.tails) and one.inherits in {"tail", "both"}:
            found.add(one.type)
        if label in REGISTRY.members(one.heads) and one.inherits in {"head", "both"}:
            found.add(one.type)
    return found


def _as_closed(label: str, relation: Relation) -> bool:
    """Whether nobody sees a record who may not see what is at the other end: the one takes its access over from the
    other, and the other has none of its own."""
    is_tail = label in REGISTRY.members(relation.tails)
    if relation.inherits in {"both", "tail" if is_tail else "head"}:
        return True
    others = REGISTRY.members(relation.heads if is_tail else relation.tails)
    return relation.inherits is not None and all(_sources(one) <= {relation.type} for one in others)


def test_every_stored_count_was_looked_at() -> None:
    assert _counts() == OF_PARTS.keys() | OWN.keys()


@pytest.mark.parametrize("count", OF_PARTS)
def test_nobody_sees_a_stored_count_of_what_they_may_not_see(count: str) -> None:
    label = count.partition(".")[0]
    of_type = [one for one in REGISTRY.relations if one.type == OF_PARTS[count]]
    relations = [one for one in of_type if label in REGISTRY.members(one.tails)] or [
        one for one in of_type if label in REGISTRY.members(one.heads)
    ]
    assert relations, count
    assert all(_as_closed(label, one) for one in relations)


RUNS = """query ($ids: [ID!]!) { runs(first: 40, filter: {id: {in: $ids}}) { nodes {
  id activationCount artifactCount deliveryCount } } }"""
KNOWN = "{ runs(first: 40, orderBy: {field: createdAt, direction: desc}) { nodes { id } } }"
PARTS = """query ($run: String!) {
  activationCount: activations(filter: {runId: {eq: $run}}) { totalCount }
  artifactCount: artifacts(filter: {runId: {eq: $run}}) { totalCount }
  deliveryCount: deliveries(filter: {runId: {eq: $run}}) { totalCount } }"""
PACKETS = """{ contextPackets(first: 20) { nodes { consideredCount injectedCount excludedCount
  injected { totalCount } excluded { totalCount } } } }"""
TASKS = """{ savedTasks(first: 40) { totalCount nodes { runCount recordId source key } } }"""
TASK = """query ($task: RecordRefInput!) { operationalStatistics(of: $task) { runCount }
  taskHistory(filter: {tasks: [$task]}, first: 100) { totalCount } }"""
USED = """{ templates(first: 20) { nodes { id sourceKey usage { usageCount } } }
  templateGroups(first: 10) { nodes { usageSummary { usageCount templates { usageCount } } } } }"""


@pytest.fixture
async def mixed(api: Api, admin: Caller) -> str:
    """A run that everybody sees, of whose three outputs two come from a document of one matter."""
    marex = api.matters["Marex"]
    save = "mutation ($i: EntityInput!) { saveEntity(input: $i) { recordId } }"
    paper = {"name": "Paper of the count", "kind": "document", "matterIds": [marex]}
    document = (await admin.ask(save, i=paper))["saveEntity"]["recordId"]
    story = Story({"source": "counts", "key": "mixed"})
    story.tell("run_started", task_key="counted", task_name="Counted").tell("activation_started", **step("a"))
    for number in range(3):
        more: dict[str, Any] = {"derived_from": [{"id": document}]} if number else {}
        story.tell("artifact_produced", artifact_key=f"c{number}", artifact_kind="document", **step("a"), **more)
        story.tell("delivery", delivery_key=f"d{number}", artifact_key=f"c{number}", delivery_kind="email",
                   idempotency_key=f"d{number}", status="delivered", **step("a"))  # fmt: skip
    reported = await admin.client.post("/v1/events", json=story.tell("run_completed").events)
    assert reported.status_code == 200, reported.text
    run = 'query { run(source: "counts", key: "mixed") { id } }'
    return (await admin.ask(run))["run"]["id"]


async def test_what_is_counted_can_be_listed_by_whoever_reads_it(api: Api, mixed: str) -> None:
    told: dict[str, dict[str, int]] = {}
    for name in VIEWERS:
        caller = api.caller(name)
        async with caller.client:
            ids = [one["id"] for one in (await caller.ask(KNOWN))["runs"]["nodes"]]
            for run in (await caller.ask(RUNS, ids=ids))["runs"]["nodes"]:
                listed = await caller.ask(PARTS, run=run["id"])
                counted = {key: value for key, value in run.items() if key != "id"}
                assert counted == {key: one["totalCount"] for key, one in listed.items()}, (name, run)
                if run["id"] == mixed:
                    told[name] = counted
            for one in (await caller.ask(PACKETS))["contextPackets"]["nodes"]:
                injected, excluded = one["injected"]["totalCount"], one["excluded"]["totalCount"]
                assert (one["injectedCount"], one["excludedCount"]) == (injected, excluded)
                assert one["consideredCount"] == injected + excluded
            await _tasks(caller)
            found = await caller.ask(USED)
            for group in (one["usageSummary"] for one in found["templateGroups"]["nodes"]):
                assert group["usageCount"] == sum(one["usageCount"] for one in group["templates"])
    assert told["outsider"] == told["reader"] == {"activationCount": 1, "artifactCount": 1, "deliveryCount": 1}
    assert told["marex"] == told["admin"] == {"activationCount": 1, "artifactCount": 3, "deliveryCount": 3}


async def _tasks(caller: Caller) -> None:
    """Figures of tasks are made of the runs that their history lists."""
    saved = (await caller.ask(TASKS))["savedTasks"]["nodes"]
    assert saved
    for one in saved:
        if one["key"] and one["source"]:
            task = {"source": one["source"], "key": one["key"], "kind": "Task"}
            listed = await caller.ask(TASK, task=task)
            runs = (listed["operationalStatistics"] or {"runCount": 0})["runCount"]
            assert one["runCount"] == runs == listed["taskHistory"]["totalCount"], one
