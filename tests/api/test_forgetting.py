"""Holding, erasing and looking back, as callers with keys do it."""

from typing import Any

from tests.api.conftest import Api, Caller

_HISTORY = (
    "query ($ids: [ID!]!) { goals(filter: {id: {in: $ids}}) { nodes { name history { states { version values } } } } }"
)
_SAVE = "mutation ($input: GoalInput!) { saveGoal(input: $input) { recordId } }"
_ERASE = "mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }"
_HOLD = "mutation ($r: RecordRefInput!, $hold: Boolean!) { setLegalHold(record: $r, hold: $hold) { recordId } }"
_REPORT = "mutation ($e: [RunEventInput!]!) { reportRunEvents(events: $e) { answers { code runId } } }"


async def _saved(caller: Caller, **values: Any) -> str:
    return (await caller.ask(_SAVE, input=values))["saveGoal"]["recordId"]


async def test_what_was_privileged_is_shown_by_nobody_s_history_but_theirs(admin: Caller, outsider: Caller) -> None:
    first = {"name": "Redacted", "goalType": "risk_control_goal", "goalStatement": "quokka", "dataClass": "privileged"}
    goal = await _saved(admin, **first)
    await _saved(admin, id=goal, goalStatement="Nothing to see.", dataClass="internal")
    [seen] = (await outsider.ask(_HISTORY, ids=[goal]))["goals"]["nodes"]
    assert seen == {"name": "Redacted", "history": {"states": []}}
    [known] = (await admin.ask(_HISTORY, ids=[goal]))["goals"]["nodes"]
    assert [one["values"]["goalStatement"] for one in known["history"]["states"]] == ["quokka"]


async def test_a_hold_and_an_erasure_are_told_by_codes(api: Api, admin: Caller) -> None:
    event: dict[str, Any] = {
        "kind": "run_started", "eventId": "e1", "occurredAt": "2026-01-01T10:00:00.000Z", "name": "quokka run",
        "run": {"source": "forgetting", "key": "r1"},
        "policy": {"memoryMode": "standard", "dataClass": "internal", "matterIds": []},
    }  # fmt: skip
    [told] = (await admin.ask(_REPORT, e=[event]))["reportRunEvents"]["answers"]
    run = {"id": told["runId"]}
    await admin.ask(_HOLD, r=run, hold=True)
    refused = await admin.refused(_ERASE, r=run)
    assert (refused["code"], refused["heldBy"]) == ("legal_hold", [run["id"]])
    await admin.ask(_HOLD, r=run, hold=False)
    assert (await admin.ask(_ERASE, r=run))["eraseRecord"]["erased"] >= 1
    [again] = (await admin.ask(_REPORT, e=[event]))["reportRunEvents"]["answers"]
    assert again == {"code": "run_erased", "runId": None}
    [row] = await api.database.read("MATCH (n:Record {id: $id}) RETURN properties(n) AS p", id=run["id"])
    assert "quokka" not in repr(row["p"])
