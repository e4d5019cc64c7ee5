"""Whose is it? Stories of executors and members who know nothing of each other."""

from typing import Any

import pytest

from service.access.audience import audience_of
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef
from service.commands.errors import InputInvalid, VersionConflict
from service.doctor import examine
from service.graph.database import Database
from service.memory.reporting.commands import Reporting
from service.records import Records
from service.records.read import Histories
from service.runtime.compose import hooks
from tests.commands.world import REGISTRY, Firm
from tests.memory.stories import Story, step

pytestmark = pytest.mark.slow
OPEN: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}


async def _told(firm: Firm, story: Story, principal: str, **viewer: Any) -> list[str]:
    reporting = Reporting(firm.database, REGISTRY, lambda _new: None)
    answers = await reporting.report(await firm.viewer(principal, **viewer), story.events)
    return [one.code or one.outcome.value for one in answers]


async def test_a_runs_key_cannot_be_squatted(firm: Firm) -> None:
    """Whoever took the key first gets nothing of what the real executor says, with a policy or without."""
    matter = await firm.matter("A")
    run = {"source": "exec", "key": "r1"}
    assert await _told(firm, Story(run, OPEN).tell("run_started", name="Mine"), "prin_squatter", matters=[]) == [
        "accepted"
    ]
    real = Story(run, {**OPEN, "matter_ids": [matter]}).tell("run_started", workflow_summary="SECRET")
    real.tell("artifact_produced", artifact_key="a", artifact_kind="document", summary="SECRET", **step("m"))
    bare = Story(run).tell("run_started").tell("activation_started", name="SECRET", **step("m"))
    bare.events = [{name: one for name, one in bare.events[1].items() if name != "policy"}]
    conflict = "validation.task_memory_policy_conflict"
    assert await _told(firm, real, "prin_real") == [conflict, conflict]
    real.events[1].pop("policy")
    assert await _told(firm, real, "prin_real") == [conflict, conflict]
    assert await _told(firm, bare, "prin_real") == ["run_unknown"]
    assert await _told(firm, bare, "prin_squatter", matters=[]) == ["accepted"]
    rows = await firm.database.read("MATCH (n) WHERE any(k IN keys(n) WHERE n[k] = 'SECRET') RETURN labels(n) AS l")
    assert [sorted(row["l"]) for row in rows] == [["Activation", "Record"]]  # the squatter's own


async def test_two_who_do_not_see_each_other_use_the_same_names(firm: Firm) -> None:
    """Neither answers nor records tell one of the other, and each goes on with their own."""
    a, b = await firm.matter("A"), await firm.matter("B")
    run = {"source": "exec", "key": "r1"}
    for matter, principal in ((a, "prin_a"), (b, "prin_b")):
        story = Story(run, {**OPEN, "matter_ids": [matter]}).tell("run_started", name=principal)
        story.tell("artifact_produced", artifact_key="memo", artifact_kind="document", name=principal, **step("m"))
        story.tell("artifact_consumed", item={"kind": "Entity", "source": "dms", "key": "r1"}, **step("m"))
        codes = await _told(firm, story, principal, matters=[matter], scopes=[KeyScope.report])
        assert codes == ["accepted", "accepted", "accepted"]
        assert await _told(firm, story, principal, matters=[matter], scopes=[KeyScope.report]) == ["duplicate"] * 3
    rows = await firm.database.read("MATCH (n:Run|Artifact) RETURN n.name AS name, n.audience AS audience")
    assert {(row["name"], row["audience"]) for row in rows} == {
        (principal, audience_of("internal", [matter])) for principal, matter in (("prin_a", a), ("prin_b", b))
    }
    assert await examine(firm.database, REGISTRY) == []


async def test_a_hidden_record_of_another_kind_is_not_told(firm: Firm) -> None:
    a, b = await firm.matter("A"), await firm.matter("B")
    await firm.save("Goal", name="Hidden", goal_type="risk_control_goal", goal_statement="S", source="exec",
                    source_key="thing", matter_ids=[a])  # fmt: skip
    story = Story({"source": "exec", "key": "r1"}, {**OPEN, "matter_ids": [b]}).tell("run_started")
    for key in ("thing", "nothing"):
        story.tell("activation_completed", capabilities=[{"key": key}], **step(key))
    assert await _told(firm, story, "prin_b", matters=[b], scopes=[KeyScope.report]) == ["accepted"] * 3


async def test_what_one_only_named_another_saves_and_reports(firm: Firm) -> None:
    """They meet in one record, whose access is what the one who knows it says."""
    a, b = await firm.matter("A"), await firm.matter("B")
    for matter, key in ((a, "r1"), (b, "r2")):
        story = Story({"source": "exec", "key": key}, {**OPEN, "matter_ids": [matter]})
        story.tell("run_started", about=[{"kind": "Entity", "source": "crm", "key": "acme"}])
        codes = await _told(firm, story, f"prin_{key}", matters=[matter], scopes=[KeyScope.report])
        assert codes == ["accepted"]
    stub = await firm.one("Entity", source="crm")
    assert (stub["stub"], stub["matter_ids"], stub["reporters"]) == (True, sorted([a, b]), ["prin_r1", "prin_r2"])
    values = {"name": "Acme", "kind": "organisation", "source": "crm", "source_key": "acme"}
    member = await firm.viewer("prin_both", matters=[a, b], scopes=[KeyScope.curate, KeyScope.read])
    saved = await Records(firm.commands, hooks()).save(member, "Entity", {**values, "matter_ids": [a]})
    told = await firm.one("Entity", source="crm")
    assert (told["id"], told["stub"]) == (saved.result["id"], False)
    # The other run is about it, and so it is of this matter, too.
    assert {one["audience"] for one in await firm.all("Run")} == {
        audience_of("internal", [a]),
        audience_of("internal", [a, b]),
    }


async def test_a_stranger_learns_and_changes_nothing_by_a_name_that_others_use(firm: Firm) -> None:
    a = await firm.matter("A")
    story = Story({"source": "exec", "key": "r1"}, {**OPEN, "data_class": "privileged", "matter_ids": [a]})
    story.tell("run_started", about=[{"kind": "Entity", "source": "crm", "key": "acme", "name": "SECRET"}])
    assert await _told(firm, story, "prin_a") == ["accepted"]
    mine = await firm.matter("Mine")
    stranger = await firm.viewer("prin_x", matters=[mine], scopes=[KeyScope.curate, KeyScope.read])
    records, named = Records(firm.commands, hooks()), {"source": "crm", "source_key": "acme", "kind": "person"}
    for key in ("acme", "free"):
        with pytest.raises(InputInvalid) as refused:
            await records.save(stranger, "Entity", {**named, "source_key": key})
        assert refused.value.field == "name"
        with pytest.raises(VersionConflict) as conflict:
            await records.save(stranger, "Entity", {**named, "source_key": key, "name": "X"}, if_version=5)
        assert "version 0" in str(conflict.value)
    saved = await records.save(stranger, "Entity", {**named, "name": "Mine", "matter_ids": [mine]})
    stub = await firm.one("Entity", name="SECRET")
    assert stub["id"] != saved.result["id"]
    assert (await firm.one("Run"))["audience"] == audience_of("privileged", [a])


@pytest.mark.parametrize("given_to", ["a new record", "one without a name", "one with another name"])
async def test_to_give_a_name_that_is_taken_out_of_sight_is_the_same_work_as_a_free_one(
    firm: Firm, given_to: str
) -> None:
    """Neither the answer nor its time tells them apart: nothing is tried, refused and tried again."""
    a, mine = await firm.matter("A"), await firm.matter("Mine")
    await firm.save("Entity", name="Hidden", kind="person", source="crm", source_key="acme", matter_ids=[a])
    stranger = await firm.viewer("prin_x", matters=[mine], scopes=[KeyScope.curate, KeyScope.read])
    works: list[str] = []
    watched = Database(firm.database.driver, firm.database.name, observe=lambda kind, _seconds: works.append(kind))
    records = Records(Commands(watched, REGISTRY, lambda _new: None), hooks())
    done: dict[str, list[str]] = {}
    for key in ("acme", "free"):
        values: dict[str, Any] = {"name": key, "kind": "person", "matter_ids": [mine]}
        other = {"source": "crm", "source_key": f"other than {key}"} if given_to == "one with another name" else {}
        is_new = given_to == "a new record"
        known = None if is_new else (await records.save(stranger, "Entity", {**values, **other})).result["id"]
        works.clear()
        named = {**values, "source": "crm", "source_key": key}
        saved = await records.save(stranger, "Entity", named, record_id=known)
        done[key] = [*works]
        assert (await firm.one("Entity", id=saved.result["id"]))["source_key"] == key
    assert done["acme"] == done["free"]


async def test_what_was_described_before_closes_the_run_that_names_it(firm: Firm) -> None:
    """Also of an executor who may not read it: it goes on reporting."""
    a = await firm.matter("A")
    await firm.save("Entity", name="Patient", kind="person", source="crm", source_key="p9", matter_ids=[a])
    story = Story({"source": "exec", "key": "r1"}, OPEN)
    story.tell("run_started", about=[{"kind": "Entity", "source": "crm", "key": "p9"}])
    story.tell("artifact_produced", artifact_key="memo", artifact_kind="document", **step("m"))
    for event in story.events:
        one = Story()
        one.events = [event]
        assert await _told(firm, one, "prin_x", matters=[], scopes=[KeyScope.report]) == ["accepted"]
    assert {one["audience"] for one in (*await firm.all("Run"), *await firm.all("Artifact"))} == {
        audience_of("internal", [a])
    }


async def test_what_was_erased_is_not_named_anew(firm: Firm) -> None:
    a = await firm.matter("A")
    patient = await firm.save("Entity", name="Patient", kind="person", source="crm", source_key="p9", matter_ids=[a])
    await Records(firm.commands, hooks()).erase(await firm.viewer("prin_admin"), RecordRef(id=patient), "asked")
    story = Story({"source": "exec", "key": "r1"}, OPEN)
    story.tell("run_started", about=[{"kind": "Entity", "source": "crm", "key": "p9", "name": "Patient"}])
    assert await _told(firm, story, "prin_x", matters=[], scopes=[KeyScope.report]) == ["record_erased"]


async def test_who_reported_goes_on_when_a_run_turns_out_to_be_of_a_matter(firm: Firm) -> None:
    """What it says is kept, and closed; what they may read is another matter."""
    a = await firm.matter("A")
    doc = await firm.save("Entity", name="File", kind="document", matter_ids=[a])
    policy = {"source": "exec", "key": "r1"}
    mine: dict[str, Any] = {"matters": [], "scopes": [KeyScope.report]}
    assert await _told(firm, Story(policy, OPEN).tell("run_started"), "prin_x", **mine) == ["accepted"]
    about = Story(policy, OPEN).tell("run_started").tell("run_started", about=[{"id": doc}])
    assert await _told(firm, about, "prin_member", matters=[a]) == ["duplicate", "accepted"]
    later = Story(policy, OPEN).tell("run_started").tell("run_started")
    later.tell("artifact_produced", artifact_key="late", artifact_kind="document", **step("m"))
    later.events = later.events[2:]
    assert await _told(firm, later, "prin_x", **mine) == ["accepted"]
    assert {one["audience"] for one in (*await firm.all("Run"), *await firm.all("Artifact"))} == {
        audience_of("internal", [a])
    }


async def test_what_was_told_otherwise_before_stays_reachable(firm: Firm) -> None:
    story = Story({"source": "exec", "key": "r1"}, OPEN).tell("run_started", name="First name")
    story.tell("run_started", name="Second name")
    for event in story.events:
        one = Story()
        one.events = [event]
        assert await _told(firm, one, "prin_x") == ["accepted"]
    run = await firm.one("Run")
    found = await Histories(firm.database, REGISTRY).history(await firm.viewer(), run["id"], 10)
    assert [one.values["name"] for one in found.states] == ["First name"]
    assert await examine(firm.database, REGISTRY) == []


async def test_a_hidden_runs_use_is_not_in_the_queue(firm: Firm) -> None:
    a = await firm.matter("A")
    made = Story({"source": "exec", "key": "r1"}, OPEN)
    made.tell("artifact_produced", artifact_key="memo", artifact_kind="document", **step("m"))
    used = Story({"source": "exec", "key": "r2"}, {**OPEN, "matter_ids": [a]})
    used.tell("artifact_consumed", item={"key": "memo"}, **step("m"))
    for story in (made, used):
        assert await _told(firm, story, "prin_x") == ["accepted"]
    [entry] = [one for one in await firm.all("Extraction") if one["reason"] == "output_used"]
    assert entry["audience"] == audience_of("internal", [a])


async def test_a_record_and_a_viewer_may_have_hundreds_of_matters(firm: Firm) -> None:
    """More than an index takes as a text; the viewer who has all of them finds it, who lacks one does not."""
    matters = [await firm.matter(f"M{place}") for place in range(300)]
    note = await firm.save("Memory", name="Note", statement="S", matter_ids=matters)
    stored = await firm.one("Memory")
    assert (stored["id"], len(stored["matter_ids"])) == (note, 300)
    assert len(stored["audience"]) < 200
    member = await firm.viewer("prin_m", matters=matters, scopes=[KeyScope.read])
    other = await firm.viewer("prin_o", matters=matters[1:], scopes=[KeyScope.read])
    assert stored["audience"] in member.audiences
    assert stored["audience"] not in other.audiences
    thousands = frozenset(f"ent_{place:026d}" for place in range(3000))
    assert len(audience_of("internal", thousands)) < 200
    assert audience_of("internal", thousands) != audience_of("internal", sorted(thousands)[1:])
