"""The knowledge pack: the same from the same, one in use, and what has changed since is told."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.words import (
    ActivationDecision,
    AuthorityLevel,
    CardFamily,
    MayAffect,
    PackReadiness,
    PackState,
    PackUse,
)
from graph_schema.library.words import SourceKind
from service.commands import RecordRef
from service.commands.approval import PersonNeeded
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.reading import sample_catalogue
from service.knowledge.errors import CatalogueUnreadable, PackDrifted, PackNotUsable
from service.knowledge.lookup.models import model_classes
from service.knowledge.pack.authored import authored_cards, read_cards
from service.knowledge.pack.cards import Sources, cards_of
from service.knowledge.pack.commands import ACTIVATED, DRIFTED, STAGED, STALE, KnowledgeCompiler
from service.knowledge.pack.compiling import compiled
from service.knowledge.pack.drift import DriftKind, DriftRemedy, drift
from service.knowledge.pack.read import BEHIND, BLOCKING, KnowledgePacks
from service.knowledge.pack.readiness import AGENT_RUN, readiness
from service.knowledge.pack.watch import WATCHER, look
from service.records import Records
from tests.knowledge.desk import Desk
from tests.knowledge.graphs.reading import TYPES
from tests.laws import law

ASSETS: list[dict[str, Any]] = [
    {"id": "tpl_1", "kind": "Template", "name": "Review", "description": "Reviews."},
    {"id": "pre_1", "kind": "Preset", "name": "Matrix", "description": "A table."},
    {"id": "pat_1", "kind": "Pattern", "name": "Loop", "purpose": "Again.", "pattern_kind": "anti_pattern"},
    {"id": "cap_1", "kind": "Capability", "name": "Pages", "summary": "Reads pages."},
    {"id": "case_1", "kind": "Case", "name": "Marex", "user_intent_summary": "A complaint."},
    {"id": "les_1", "kind": "Lesson", "name": "Gate", "design_choice": "A gate.", "because": "It was missed."},
]
CONTROLS = [{"entrypoint": "design_task", "user_facing_label": "Design task", "operations": ["startDesignSession"],
             "requires_knowledge_pack": True, "may_run_without_llm": False}]  # fmt: skip
WHOLE = Sources(
    TYPES,
    ASSETS,
    {"validation.x": "It is so."},
    ["saveTask"],
    authored_cards(),
    {"runtime/modules.md": "-"},
    model_classes(),
    CONTROLS,
)
ROUND = """
doctrine: [{about: a, title: A, says: B, see: [hints b]}]
hints: [{about: b, title: C, says: D, see: [doctrine a]}]
"""


def test_the_same_sources_give_the_same_pack_in_any_order() -> None:
    turned = replace(WHOLE, types=[*reversed(TYPES)], assets=[*reversed(ASSETS)])
    assert compiled(turned).pack_hash == compiled(WHOLE).pack_hash
    assert compiled(turned).values(activate=True) == compiled(WHOLE).values(activate=True)


def test_every_module_type_has_its_cards_and_every_written_card_is_there() -> None:
    found = {(one.family, one.subject) for one in cards_of(WHOLE)}
    for one in TYPES:
        assert (CardFamily.module_card, one["module_type"]) in found
        assert ((CardFamily.port_card, one["module_type"]) in found) is bool(one["ports"])
    written = sum(len(some) for some in authored_cards().values())
    assert sum(one.source_ref.partition(" ")[0] in authored_cards() for one in cards_of(WHOLE)) == written


def test_only_what_is_generated_bears_on_validation() -> None:
    for one in cards_of(WHOLE):
        assert MayAffect.validation not in one.may_affect or one.authority is SourceKind.generated_from_doc23_schema
        if one.authority is SourceKind.learned_from_trace:
            assert one.level is AuthorityLevel.example
            assert one.may_affect == (MayAffect.recommendation,)


_SOME = st.sets(st.integers(0, max(len(TYPES), len(ASSETS)) - 1))
_WORDS = st.text("abc {}\n", min_size=1, max_size=40)


@law(4)
@given(_SOME, st.randoms(use_true_random=False))
def test_whatever_there_is_and_in_whatever_order_compiling_it_twice_gives_the_same(
    left_out: set[int], turn: Any
) -> None:
    types = [one for number, one in enumerate(TYPES) if number not in left_out]
    assets = [one for number, one in enumerate(ASSETS) if number not in left_out]
    once = compiled(replace(WHOLE, types=types, assets=assets))
    turned = replace(WHOLE, types=turn.sample(types, len(types)), assets=turn.sample(assets, len(assets)))
    assert compiled(turned).pack_hash == once.pack_hash
    assert compiled(turned).values(activate=True) == once.values(activate=True)


@law(4)
@given(st.lists(st.tuples(st.sampled_from(["Case", "Lesson"]), _WORDS, _WORDS), max_size=4))
def test_whatever_was_learned_changes_no_check(told: list[tuple[str, str, str]]) -> None:
    learned = [
        {"id": f"learned_{number}", "kind": kind, "name": name, "user_intent_summary": text, "because": text}
        for number, (kind, name, text) in enumerate(told)
    ]
    before, after = compiled(WHOLE), compiled(replace(WHOLE, assets=[*ASSETS, *learned]))
    assert {*before.cards} <= {*after.cards}
    new = [after.cards[one] for one in after.cards.keys() - before.cards.keys()]
    assert all(one.may_affect == (MayAffect.recommendation,) for one in new)
    assert (after.faults, after.evaluation, after.types) == (before.faults, before.evaluation, before.types)


@law(40)
@given(st.data())
def test_a_source_that_goes_makes_stale_what_hangs_on_it_and_nothing_else(data: st.DataObject) -> None:
    before = WHOLE.hashes()
    cards: dict[str, tuple[str, ...]] = {}
    for number, one in enumerate(cards_of(WHOLE)):
        cards[one.source_ref] = (*cards.get(one.source_ref, ()), str(number))
    gone = data.draw(st.sampled_from(sorted(before)))
    now = {ref: one for ref, one in before.items() if ref != gone}
    [found] = [*drift(before, now, cards)]
    assert (found.source_ref, found.affected_cards) == (gone, cards.get(gone, ()))
    assert [*drift(before, before, cards)] == []


@pytest.mark.parametrize(
    ("ref", "there", "kind"),
    [
        ("module step.judge", False, DriftKind.module_removed),
        ("ports step.judge", True, DriftKind.port_changed),
        ("fields step.judge", True, DriftKind.config_field_changed),
        ("code validation.x", True, DriftKind.validation_rule_changed),
        ("operations", True, DriftKind.route_changed),
        ("capability cap_1", True, DriftKind.capability_registry_changed),
        ("template tpl_1", False, DriftKind.template_changed),
        ("preset pre_1", True, DriftKind.preset_changed),
        ("doctrine reuse_first", True, DriftKind.spec_hash_changed_without_card_update),
        ("pattern pat_1", False, DriftKind.card_source_missing),
        ("lesson les_1", False, DriftKind.card_source_missing),
        ("model strong", True, DriftKind.spec_hash_changed_without_card_update),
        ("control design_task", True, DriftKind.route_changed),
        ("document runtime/modules.md", True, DriftKind.spec_hash_changed_without_card_update),
    ],
)
def test_each_change_is_told_as_what_it_is(ref: str, there: bool, kind: DriftKind) -> None:
    before = WHOLE.hashes()
    now = {**before, ref: "other"} if there else {one: said for one, said in before.items() if one != ref}
    assert [one.kind for one in drift(before, now, {})] == [kind]
    assert [one.kind for one in drift({}, {"module step.new": "-"}, {})] == [DriftKind.module_added]


def test_a_pack_says_what_it_lacks_for_production() -> None:
    ready = compiled(WHOLE).ready()
    assert ready.state is PackReadiness.eval_suite_passing
    assert ready.missing == (AGENT_RUN,)
    assert ready.by_state == {"production_task_agent_ready": [AGENT_RUN]}
    assert PackUse.task_design_draft_only in ready.activated_for
    assert PackUse.task_design_production not in ready.activated_for
    held = [(one.family.value, one.subject) for one in cards_of(WHOLE)]
    types = [one["module_type"] for one in TYPES]
    assert readiness(held, types, (), agent_passed=True).state is PackReadiness.production_task_agent_ready
    failed = readiness(held, types, ("watched_docket gated: nobody is asked",), agent_passed=True)
    assert failed.state is PackReadiness.prompt_design_cards_loaded
    without = [one for one in held if one[0] != CardFamily.decision_card]
    assert readiness(without, types, (), agent_passed=True).state is PackReadiness.core_rationale_cards_authored
    assert readiness([], [], (), agent_passed=False).state is PackReadiness.schema_only


def test_a_worked_example_that_the_catalogue_does_not_allow_blocks_the_pack() -> None:
    less = replace(WHOLE, types=[one for one in TYPES if one["module_type"] != "step.red_team"])
    decision, state, reason = compiled(less).decision(activate=True)
    assert (decision, state) == (ActivationDecision.blocked_validation_failure, PackState.rejected)
    assert "red_team_document" in reason


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "poems: []",
        "doctrine: [{about: a, title: A}]",
        "doctrine: [{about: a, title: A, says: B}, {about: a, title: C, says: D}]",
        "doctrine: [{about: a, title: A, says: B, see: [hints none]}]",
        ROUND,
    ],
)
def test_written_cards_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(CatalogueUnreadable) as refused:
        read_cards(text)
    assert (refused.value.field or "").startswith("cards")


async def test_a_pack_is_compiled_activated_found_behind_and_taken_back(desk: Desk) -> None:
    compiler, packs = desk.services[KnowledgeCompiler], desk.services[KnowledgePacks]
    viewer = await desk.viewer()
    assert (await packs.status(viewer)).pack_id is None
    staged = (await compiler.compile(viewer)).result
    assert (await packs.status(viewer)).pack_id is None
    first = (await compiler.compile(viewer, activate=True)).result
    assert first["id"] == staged["id"]
    assert not (await compiler.compile(viewer, activate=True)).result["changed"]
    status = await packs.status(await desk.viewer())
    assert (status.pack_id, status.drift, status.notices) == (first["id"], (), ())
    # A template makes it behind a little, a changed port makes it useless for design.
    await desk.new("Template", name="Review", description="Reviews.")
    viewer = await desk.viewer()
    status = await packs.status(viewer)
    assert [one.kind for one in status.drift] == [DriftKind.template_changed]
    assert [one.code for one in status.notices] == [BEHIND] == ["warning.knowledge_pack_stale_nonblocking"]
    assert not (await compiler.check(viewer)).result["stale"]
    whole = sample_catalogue()
    judge = next(one for one in whole.types if one.module_type == "step.judge")
    fewer = replace(judge, ports=tuple(one for one in judge.ports if one.name != "rubric_in"))
    types = tuple(fewer if one is judge else one for one in whole.types)
    await desk.services[Catalogues].save(viewer, replace(whole, types=types))
    status = await packs.status(viewer)
    assert DriftKind.port_changed in [one.kind for one in status.drift]
    assert [one.code for one in status.notices] == [BLOCKING] == ["validation.task_knowledge_pack_stale_blocking"]
    assert status.activated_for == (PackUse.inspection_only,)
    told = {one.use: one for one in status.uses}
    assert [one.readiness_state for one in status.states] == [*PackReadiness]
    assert (told[PackUse.inspection_only].ready, told[PackUse.task_review].ready) == (True, False)
    assert "a new pack" in told[PackUse.task_review].missing[0]
    assert AGENT_RUN in told[PackUse.task_design_production].missing
    assert (await compiler.check(viewer)).result["stale"]
    # What waits is held against what there is now: it is not activated once its ports are others.
    waiting = (await compiler.compile(viewer)).result["id"]
    await desk.services[Catalogues].save(viewer, whole)
    held_up = await packs.status(viewer, waiting)
    assert {one.remediation for one in held_up.drift if one.kind is DriftKind.port_changed} == {
        DriftRemedy.block_activation
    }
    with pytest.raises(PackDrifted) as drifted:
        await compiler.activate(viewer, RecordRef(id=waiting))
    assert (drifted.value.code, drifted.value.field) == ("knowledge_pack_drifted", "pack")
    assert drifted.value.remedy
    await desk.services[Catalogues].save(viewer, replace(whole, types=types))
    second = (await compiler.compile(viewer, activate=True)).result
    assert second["id"] == waiting != first["id"]
    assert (await packs.status(viewer)).drift == ()
    back = (await compiler.activate(viewer, RecordRef(id=first["id"]))).result
    assert back["changed"]
    # It is in use again, and behind from the start.
    rows = await desk.database.read("MATCH (p:KnowledgePack) RETURN p.id AS id, p.pack_state AS state")
    assert {row["id"]: row["state"] for row in rows} == {first["id"]: "stale", second["id"]: "deprecated"}
    events = await desk.database.read(
        "MATCH (e:Event) WHERE e.kind STARTS WITH 'task.knowledge_pack' RETURN e.kind AS kind"
    )
    told = {"task.knowledge_pack.staged", "task.knowledge_pack.activated", "task.knowledge_pack.drift_detected"}
    assert (
        {row["kind"] for row in events} == {STAGED, ACTIVATED, STALE, DRIFTED} == told | {"task.knowledge_pack.stale"}
    )
    with pytest.raises(PersonNeeded):
        await compiler.compile(await desk.agent())
    await desk.database.run_alone("MATCH (p:KnowledgePack {id: $id}) SET p.pack_state = 'rejected'", id=second["id"])
    with pytest.raises(PackNotUsable) as refused:
        await compiler.activate(viewer, RecordRef(id=second["id"]))
    assert refused.value.field == "pack"
    # Compiled again, it is no longer what it was rejected for.
    assert (await compiler.compile(viewer, activate=True)).result["id"] == second["id"]
    assert (await packs.status(viewer)).pack_state is PackState.active


async def _compared(desk: Desk, template: str) -> None:
    """Another version with the same content is no drift; another content is."""
    packs, records, viewer = desk.services[KnowledgePacks], desk.services[Records], await desk.viewer()
    [row] = await desk.database.read(
        "MATCH (c:KnowledgeCard {subject: $id}) RETURN c.family AS family, c.source_version AS version", id=template
    )
    assert (row["family"], row["version"]) == ("template_card", 1)
    await records.save(viewer, "Template", {"trigger_phrases": ["review it"]}, record_id=template)
    assert (await packs.status(await desk.viewer())).drift == ()
    await records.save(viewer, "Template", {"description": "Reviews contracts."}, record_id=template)
    found = (await packs.status(await desk.viewer())).drift
    assert [(one.kind, one.source_ref) for one in found] == [(DriftKind.template_changed, f"template {template}")]


async def test_drift_is_found_by_itself_and_told_once(desk: Desk) -> None:
    compiler, ground = desk.services[KnowledgeCompiler], desk.services.ground
    template = await desk.new("Template", name="Review", description="Reviews.")
    await desk.new("Lesson", name="Gate", design_choice="A gate.", because="It was missed.")
    viewer = await desk.viewer()
    pack = (await compiler.compile(viewer, activate=True)).result["id"]
    await _compared(desk, template)
    await ground.events.advance()
    seen = await look(desk.database, ground.events, compiler, None)
    whole = sample_catalogue()
    judge = next(one for one in whole.types if one.module_type == "step.judge")
    fewer = replace(judge, ports=tuple(one for one in judge.ports if one.name != "rubric_in"))
    changed = replace(whole, types=tuple(fewer if one is judge else one for one in whole.types))
    await desk.services[Catalogues].save(viewer, changed)
    await ground.events.advance()

    async def kept() -> dict[str, Any]:
        rows = await desk.database.read("MATCH (p:KnowledgePack {id: $id}) RETURN p {.*} AS pack", id=pack)
        return rows[0]["pack"]

    seen = await look(desk.database, ground.events, compiler, seen)
    assert ((await kept())["pack_state"], (await kept())["blocking_drift"]) == ("stale", True)
    version = (await kept())["version"]
    assert not await compiler.check_if_changed(WATCHER)
    await ground.events.advance()
    await look(desk.database, ground.events, compiler, seen)
    assert (await kept())["version"] == version
    events = await desk.database.read("MATCH (e:Event {kind: $kind}) RETURN e.about AS about", kind=DRIFTED)
    assert [one["about"] for one in events] == [pack]
    # As it was before, it is no longer behind.
    await desk.services[Catalogues].save(viewer, whole)
    assert await compiler.check_if_changed(WATCHER)
    assert ((await kept())["pack_state"], (await kept())["blocking_drift"]) == ("active", False)


async def test_a_pack_names_the_contract_that_held_when_it_was_compiled(bare: Desk) -> None:
    desk = bare
    contract = await desk.new("CoreContract", name="Contract", hard_rules=["Look before you build."])
    made = (await desk.services[KnowledgeCompiler].compile(await desk.viewer())).result["id"]
    [row] = await desk.database.read("MATCH (p:KnowledgePack {id: $id}) RETURN p.core_contract_ref AS ref", id=made)
    assert row["ref"] == f"{contract} 1"
