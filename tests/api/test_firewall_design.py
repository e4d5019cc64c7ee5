"""Not seen means not there: designs of tasks, receipts, and what was edited."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import CLASSED, OF_MATTER, marked_id, ref

TRACK = 'creationMode: user_authored, reasonForTaskMode: "x", userVisibleDescription: "y"'


def _documents() -> dict[str, str]:
    """Documents that name one record, and the label of what they name."""
    start = 'mutation ($r: RecordRefInput!) { startDesignSession(request: {text: "Review it.", %s}) { recordId } }'
    update = "mutation ($r: RecordRefInput!) { updateDesignSession(session: $r, update: {}) { recordId } }"
    track = f"mutation ($r: RecordRefInput!) {{ trackTask(input: {{{TRACK}, %s}}) {{ recordId }} }}"
    edit = "mutation ($r: RecordRefInput!) { recordProposalEdit(session: $r, saved: $r) { recordId } }"
    return {
        "query ($r: RecordRefInput!) { designSession(session: $r) { sessionId } }": "DesignSession",
        "query ($r: RecordRefInput!) { designBundle(session: $r) { bundleId } }": "DesignSession",
        "query ($r: RecordRefInput!) { extractionBundle(of: $r) { bundleId } }": "DesignSession",
        "query ($r: RecordRefInput!) { trackedTask(task: $r) { receiptId } }": "Task",
        "query ($r: RecordRefInput!) { proposalEditTrace(trace: $r) { traceId } }": "EditTrace",
        start % "about: [$r]": "Entity",
        start % "adapts: $r": "Template",
        start % "decision: $r": "ModeDecision",
        update: "DesignSession",
        edit: "DesignSession",
        track % "task: $r": "Task",
        track % 'name: "z", session: $r': "DesignSession",
        track % 'name: "z", decision: $r': "ModeDecision",
        track % 'name: "z", template: $r': "Template",
        track % 'name: "z", run: $r': "Run",
        track % 'name: "z", directive: $r': "InvocationDirective",
        track % 'name: "z", about: [$r]': "Goal",
    }


async def test_designs_answer_about_hidden_records_as_about_missing_ones(stranger: Caller) -> None:
    for query, label in _documents().items():
        kind = REGISTRY.types[label]
        for hidden in (marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
