"""What matching reads beyond an asset itself: steps, modules, groups, runs, limits of directives; and by a scan."""

from typing import Any

import pytest

from graph_schema.library.words import CapabilityState
from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.commands.errors import RecordMissing
from service.library.blueprints import BlueprintInput, PartInput
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from service.matching import load
from service.matching.answer import MatchPartName, MatchVetoKind, NoticeCode
from service.matching.request import MatchRequest
from service.memory.reporting.commands import Reporting
from tests.matching.test_graph import candidate
from tests.matching.test_kept import kept
from tests.matching.world import Shelf, first
from tests.memory.history.conftest import OPEN, run_of

pytestmark = pytest.mark.slow

JUDGE: dict[str, Any] = {"module_type": "step.judge", "source": "exec", "source_key": "judge"}
REVIEW = "review the complaint"


def library(shelf: Shelf) -> Library:
    return Library(Commands(shelf.database, REGISTRY, lambda _new: None))


async def in_a_blueprint(shelf: Shelf, audit: str, need: str) -> None:
    step = PartInput({"step_key": "send", "purpose": "Send it."}, requires=[RecordRef(id=need)])
    values = {"name": "Audit", "business_or_personal_goal": "A sound complaint.", "task_type": "audit"}
    asked = BlueprintInput(values, of=RecordRef(id=audit), parts={"steps": [step]})
    await library(shelf).save_blueprint(await shelf.viewer(), asked)


async def in_a_module(shelf: Shelf, audit: str, need: str, *, disabled: bool = False) -> None:
    graph = GraphInput([ModuleInput("mail", "output.email", disabled=disabled)], [])
    await library(shelf).save_graph(await shelf.viewer(), RecordRef(id=audit), graph)
    [row] = await shelf.database.read("MATCH (m:Module) RETURN m.id AS id")
    await shelf.link(row["id"], "REQUIRES", need)


async def in_a_group(shelf: Shelf, audit: str, need: str) -> None:
    group = await shelf.add("Complaints", label="TemplateGroup")
    await shelf.link(audit, "IN_GROUP", group)
    await shelf.link(group, "REQUIRES", need)


@pytest.mark.parametrize("placed", [in_a_blueprint, in_a_module, in_a_group])
async def test_a_need_anywhere_in_an_asset_vetoes_when_it_is_down(shelf: Shelf, placed: Any) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    mailer = await shelf.add("Mailer", label="Capability", capability_kind="tool")
    await placed(shelf, audit, mailer)
    await shelf.embed()
    assert candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation").asset.requires == ("Mailer",)
    viewer, ref = await shelf.viewer(), RecordRef(id=mailer)
    told = StateReport(CapabilityState.down, "2026-11-01T00:00:00.000Z", 1)
    await library(shelf).report_capability_state(viewer, ref, told)
    vetoes = candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation").hard_vetoes
    assert [one.kind for one in vetoes] == [MatchVetoKind.required_capability_unavailable]


async def test_what_a_module_of_its_type_does_is_a_side_effect_of_the_template(shelf: Shelf) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    await in_a_module(shelf, audit, await shelf.add("Mailer", label="Capability", capability_kind="tool"))
    [row] = await shelf.database.read("MATCH (t:ModuleType) RETURN t.id AS id")
    viewer = await shelf.viewer()
    await shelf.records.save(viewer, "ModuleType", {"side_effect_classes": ["external_send"]}, record_id=row["id"])
    answer = await shelf.answer("audit this complaint", forbidden_side_effects=("external_send",))
    vetoes = candidate(answer, "Complaint Evaluation").hard_vetoes
    assert [one.kind for one in vetoes] == [MatchVetoKind.forbidden_side_effect_present]


async def test_a_directive_that_is_limited_holds_for_nothing_else(shelf: Shelf) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    acme = await shelf.add("Acme", label="Entity", kind="organisation")
    words: dict[str, Any] = {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "complaint review"}
    directive = await shelf.add("Acme's", label="Directive", **words)
    await shelf.link(directive, "STEERS", audit)
    await shelf.link(directive, "SCOPED_TO", acme, role="about")
    elsewhere = candidate(await shelf.answer("a complaint review"), "Complaint Evaluation")
    assert (elsewhere.parts[6].name, elsewhere.parts[6].score) == (MatchPartName.user_preference_match, None)
    assert acme not in elsewhere.asset.entity_ids
    there = candidate(await shelf.answer("a complaint review", entities=(acme,)), "Complaint Evaluation")
    assert there.parts[6].score == 1.0


async def test_runs_of_tasks_and_uses_of_presets_count(shelf: Shelf) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    await shelf.add("Strict Judge", ("judge strictly",), label="Preset", **JUDGE)
    await shelf.embed()
    task = await shelf.add("Ours", label="Task", source="exec", source_key="ours")
    await shelf.link(task, "INSTANTIATES", audit)
    step = {"module_key": "judge", "activation_seq": 1, "module_type": "step.judge", "preset_key": "judge"}
    events = run_of("r1", 1, OPEN, {"kind": "activation_completed", **step}, {"kind": "run_completed"}, task_key="ours")
    await Reporting(shelf.database, REGISTRY, lambda _new: None).report(await shelf.viewer(), events)
    template = candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation")
    preset = candidate(await shelf.answer("judge strictly", kind="Preset"), "Strict Judge")
    assert [one.asset.usage_count for one in (template, preset)] == [1, 1]
    assert template.parts[7].score == preset.parts[7].score == pytest.approx(2 / 3, abs=1e-5)


async def test_siblings_are_those_in_use_and_of_a_group_in_use(shelf: Shelf) -> None:
    ids = await shelf.family()
    group = await shelf.add("Complaints", label="TemplateGroup")
    for one in ids.values():
        await shelf.link(one, "IN_GROUP", group)
    await shelf.database.run_alone("MATCH (t:Template {name: 'Draft Complaint'}) SET t.lifecycle_state = 'draft'")
    audit = candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation")
    assert audit.asset.group == ("Docket Monitor",)
    await shelf.archive(group)
    assert candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation").asset.group == ()


async def test_a_kept_match_has_the_access_of_what_it_tells(shelf: Shelf) -> None:
    """Of a directive that it quotes, and of what the request is about: not only of what was weighed."""
    audit = (await shelf.family())["Complaint Evaluation"]
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    words: dict[str, Any] = {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "complaint review"}
    secret = await shelf.add("Secret", label="Directive", matter_ids=[matter], **words)
    await shelf.link(secret, "STEERS", audit)
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    for wanted in (MatchRequest("a complaint review"), MatchRequest("", entities=(matter,))):
        match = (await kept(shelf).keep(await shelf.viewer(), "Template", wanted)).result["id"]
        await kept(shelf).compare(await shelf.viewer(), match)
        for data_class in ("public", "internal"):  # what it inherits is reckoned anew
            viewer = await shelf.viewer()
            await shelf.records.save(viewer, "Template", {"data_class": data_class}, record_id=audit)
        with pytest.raises(RecordMissing):
            await kept(shelf).compare(outsider, match)


async def test_a_kept_match_goes_where_what_steered_it_goes(shelf: Shelf) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    words: dict[str, Any] = {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "complaint review"}
    open_one = await shelf.add("Open", label="Directive", **words)
    await shelf.link(open_one, "STEERS", audit)
    match = (await kept(shelf).keep(await shelf.viewer(), "Template", MatchRequest("a complaint review"))).result["id"]
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    assert (await kept(shelf).compare(outsider, match)).same
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    await shelf.records.save(await shelf.viewer(), "Directive", {"matter_ids": [matter]}, record_id=open_one)
    with pytest.raises(RecordMissing):
        await kept(shelf).compare(outsider, match)


async def test_a_module_that_is_switched_off_does_and_needs_nothing(shelf: Shelf) -> None:
    audit = (await shelf.family())["Complaint Evaluation"]
    mailer = await shelf.add("Mailer", label="Capability", capability_kind="tool")
    await in_a_module(shelf, audit, mailer, disabled=True)
    assert candidate(await shelf.answer("audit this complaint"), "Complaint Evaluation").asset.requires == ()


def _no_deeper(_depth: int, _visible: int, _want: int) -> None:
    return None


@pytest.fixture
def scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of which the indexes know too much that is hidden: they are asked once, and not deeper."""
    monkeypatch.setattr(load, "FEW", 1)
    monkeypatch.setattr(load, "WANT", 2)
    monkeypatch.setattr(load, "DEPTH_FOR_EACH", 1)
    monkeypatch.setattr(load, "deeper", _no_deeper)


@pytest.mark.usefixtures("scanning")
async def test_a_scan_heeds_words_links_and_what_was_taught(shelf: Shelf) -> None:
    await shelf.family()
    acme = await shelf.add("Acme", label="Entity", kind="organisation")
    far = await shelf.add("Bake Bread", ("bake a loaf",))
    bound = await shelf.add("Acme Onboarding", ("welcome the new client",))
    gone = await shelf.add("Old Review", (REVIEW,))
    words: dict[str, Any] = {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "reviews of complaints"}
    directive = await shelf.add("Odd", label="Directive", **words)
    await shelf.link(directive, "STEERS", far)
    await shelf.link(bound, "SCOPED_TO", acme, role="about")
    await shelf.archive(gone)
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    for number in range(4):
        await shelf.add(f"Review {number}", (REVIEW,), matter_ids=[matter])
    await shelf.embed()
    await shelf.add("Complaint Review, new", (REVIEW,))  # has no vector yet, and is found by its words
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    answer = await shelf.answer(REVIEW, outsider, entities=(acme,))
    weighed = {one.asset.name for one in (*answer.recommended, *(x.candidate for x in answer.losers))}
    assert {"Bake Bread", "Acme Onboarding", "Old Review", "Complaint Review, new"} <= weighed
    assert first(answer) not in {"Old Review", None}
    assert not {f"Review {number}" for number in range(4)} & weighed


async def test_what_waits_for_a_vector_is_told_though_it_was_not_weighed(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "FEW", 1)
    await shelf.family()
    assert (await shelf.answer("audit this complaint")).warnings == ()
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    await shelf.add("Secret Bread", ("bake a loaf",), matter_ids=[matter])
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    assert (await shelf.answer("audit this complaint", outsider)).warnings == ()
    answer = await shelf.answer("audit this complaint")
    assert [note.code for note in answer.warnings] == [NoticeCode.vectors_behind]
    assert "Secret Bread" not in {x.candidate.asset.name for x in answer.losers}
