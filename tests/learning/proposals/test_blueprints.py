"""Proposals that change a blueprint, its fields, its parts and what it is for; and cards that people write."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.proposal_words import Operation, ProposalKind, Risk
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.knowledge.pack.authored import authored_cards, overlaid
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.learning.proposals.blueprint_patch import (
    PatchUnfit,
    operations_of,
    patched_text,
    read_parts,
    risk_of_patch,
    text_of,
    told,
)
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalStep, ReviewDecision, ReviewInput
from service.library.blueprints import PARTS, BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from tests.laws import law
from tests.learning.world import propose, refused, replayed
from tests.routing.office import Office

KIND = ProposalKind.task_template_update


def patch(*operations: Mapping[str, Any]) -> ProposalStep:
    return ProposalStep(operation=Operation.patch_blueprint, value=[dict(one) for one in operations])


async def _planned(office: Office) -> tuple[str, str, str, str]:
    """A task with a graph, a blueprint, a goal of it, and a capability that a step of it needs."""
    task = await office.new("Task", source="here", source_key="complaint")
    goal = await office.new("Goal", goal_statement="Win", goal_type="task_outcome_goal")
    tool = await office.new("Capability", name="pacer.search", capability_kind="tool")
    library, viewer = office.services[Library], await office.viewer()
    graph = GraphInput([ModuleInput("draft", "step.agent_task"), ModuleInput("send", "output.email")], [])
    await library.save_graph(viewer, RecordRef(id=task), graph)
    asked = BlueprintInput(
        {"name": "Complaint", "business_or_personal_goal": "File it", "task_type": "drafting"},
        of=RecordRef(id=task),
        parts={
            "steps": [
                PartInput(
                    {"step_key": "write", "purpose": "Write it."},
                    bound_modules=["draft"],
                    checked_by=["It names the scienter."],
                    requires=[RecordRef(id=tool)],
                ),
                PartInput({"step_key": "mail", "purpose": "Send it."}, bound_modules=["send"]),
            ],
            "contracts": [PartInput({"side": "output", "name": "complaint", "kind": "document"})],
            "criteria": [PartInput({"statement": "It names the scienter."}), PartInput({"statement": "It is short."})],
        },
        links={"goals": [RecordRef(id=goal)]},
    )
    saved = await library.save_blueprint(await office.viewer(), asked)
    return task, saved.result["id"], goal, tool


async def _told(office: Office, blueprint: str) -> Any:
    """All that it says, with its hash: fields, parts in their order, and where they lead by what that is called."""
    [row] = await office.database.read(
        """MATCH (b:Blueprint:Record {id: $id}) RETURN b.blueprint_hash AS hash, b.content AS content,
        COLLECT { MATCH (b)-[r:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]->(p:Record)
          RETURN [type(r), r.order, p.name, COLLECT { MATCH (p)-[l]->(n) WHERE n.name IS NOT NULL AND NOT n:Version
            RETURN type(l) + n.name ORDER BY type(l), n.name }] ORDER BY type(r), r.order } AS parts,
        COLLECT { MATCH (b)-[l:REQUIRES|ALLOWS|DENIES|EXPRESSES_GOAL]->(n) RETURN [type(l), n.id]
          ORDER BY type(l), n.id } AS links""",
        id=blueprint,
    )
    return dict(row)


async def _approved(office: Office, made: str, author: Viewer) -> Viewer:
    assert author.principal_id
    replay = await replayed(office, made)
    curator = await office.viewer()
    review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, acknowledged_replay_id=replay)
    await office.services[Proposals].review(curator, review)
    return curator


@pytest.mark.slow
async def test_a_blueprint_is_changed_as_a_save_would_and_comes_back_exactly(office: Office) -> None:
    task, blueprint, goal, tool = await _planned(office)
    other = await office.new("Capability", name="westlaw", capability_kind="tool")
    viewer = await office.viewer()
    kept = await office.services[KeptPreflights].keep(viewer, Subject(task), PreflightRequest())
    before = await _told(office, blueprint)
    author = await office.viewer(principal_id="prin_author")
    steps = (
        ProposalStep(operation=Operation.set_value, field="assessment_plan", value="After each run."),
        patch(
            {"op": "remove_part", "part": "steps", "key": "write"},
            {"op": "add_part", "part": "steps", "values": {"step_key": "look", "purpose": "Read it again."}},
            {"op": "set_part", "part": "steps", "key": "mail", "values": {"bound_modules": [], "purpose": "Mail it."}},
            {"op": "add_part", "part": "side_effects", "values": {"side_effect_class": "external_send"}},
            {"op": "remove_part", "part": "criteria", "key": "It names the scienter."},
        ),
        ProposalStep(operation=Operation.link, relation="DENIES", head=RecordRef(id=other)),
        ProposalStep(operation=Operation.unlink, relation="EXPRESSES_GOAL", head=RecordRef(id=goal)),
    )
    made = await propose(office, blueprint, steps, kind=KIND, viewer=author)
    proposal = await office.stored(made)
    assert (proposal["risk"], proposal["target_kind"]) == ("high", "Blueprint")
    assert "add a side effect (side_effect_class external_send)" in proposal["statement"]
    curator = await _approved(office, made, author)
    [row] = await office.database.read(
        "MATCH (p:Proposal {id: $id})<-[:REPLAYS]-()-[:HAS_CASE]->(c {decided_id: $kept}) RETURN c {.*} AS case",
        id=made,
        kept=kept.result["id"],
    )
    assert "blueprint_graph_mismatch (look)" in row["case"]["candidate"], row
    assert "blueprint_graph_mismatch" not in row["case"]["today"]
    outcome = await office.services[Proposals].apply(curator, made)
    after = await _told(office, blueprint)
    assert after["hash"] != before["hash"]
    assert after["links"] == [["DENIES", other]]
    assert [(kind, name) for kind, _, name, _ in after["parts"] if kind != "HAS_CONTRACT"] == [
        ("HAS_CRITERION", "It is short."),
        ("HAS_SIDE_EFFECT", "external_send"),
        ("HAS_STEP", "mail"),
        ("HAS_STEP", "look"),
    ]
    assert (await office.stored(outcome.result["promotion"]))["target_kind"] == "task_blueprint"
    await office.services[Proposals].roll_back(curator, made, "It was better before.")
    assert await _told(office, blueprint) == before
    assert tool in str(before["content"])


@pytest.mark.slow
async def test_what_a_save_of_a_blueprint_would_refuse_is_refused_when_it_is_proposed(office: Office) -> None:
    task, blueprint, _, _ = await _planned(office)
    bound = {"op": "set_part", "part": "steps", "key": "write", "values": {"bound_modules": ["nobody"]}}
    long = {"op": "add_part", "part": "criteria", "values": {"statement": "x" * 5_000}}
    cases = {
        "validation.blueprint_graph_mismatch": patch(bound),
        "text_too_long": patch(long),
        "invalid_step": patch({"op": "remove_part", "part": "steps", "key": "nothing"}),
        "proposal_changes_nothing": patch(
            {"op": "set_part", "part": "steps", "key": "write", "values": {"purpose": "Write it."}}
        ),
    }
    for code, step in cases.items():
        error = await refused(propose(office, blueprint, (step,), kind=KIND))
        assert (error.code, bool(error.remedy), bool(error.field)) == (code, True, True), step
    again = {"op": "add_part", "part": "criteria", "values": {"statement": "It is short."}}
    assert (await refused(propose(office, blueprint, (patch(again),), kind=KIND))).field == "steps.0"
    assert (await refused(propose(office, task, (patch(again),), kind=KIND))).field == "steps.0"
    life = ProposalStep(operation=Operation.set_lifecycle, value="deprecated")
    both = (ProposalStep(operation=Operation.set_value, field="name", value="Other"), life)
    assert (await refused(propose(office, blueprint, both, kind=KIND))).code == "invalid_step"
    assert (await office.stored(await propose(office, blueprint, (life,), kind=KIND)))["update_kind"] == "deprecation"


@pytest.mark.slow
async def test_a_card_that_people_write_is_changed_by_a_proposal_of_an_agent_and_comes_back(office: Office) -> None:
    values: dict[str, Any] = {"family": "hint_card", "subject": "long_sources", "body": "Fetch pages, not documents."}
    card = await office.new("WrittenCard", name="Long sources", **values)
    agent, before = await office.agent(), await office.stored(card)
    steps = (ProposalStep(operation=Operation.set_value, field="body", value="Fetch the pages that are cited."),)
    made = await propose(office, card, steps, kind=ProposalKind.task_design_hint_card_update, viewer=agent)
    assert (await office.stored(made))["risk"] == "medium"
    curator = await _approved(office, made, agent)
    proposals = office.services[Proposals]
    await proposals.apply(curator, made)
    assert (await office.stored(card))["body"] == "Fetch the pages that are cited."
    await proposals.roll_back(curator, made, None)
    aside = {"version", "updated_at"}
    after = await office.stored(card)
    assert {k: v for k, v in after.items() if k not in aside} == {k: v for k, v in before.items() if k not in aside}


def test_a_written_card_takes_the_place_of_the_one_about_the_same() -> None:
    shipped = authored_cards()
    mine = {"family": "hint_card", "name": "Deep", "body": "Look again.", "level": "soft_heuristic"}
    told_of = overlaid(shipped, [{**mine, "subject": "shallow_first_answer"}, {**mine, "subject": "another"}])
    hints = {one["about"]: one for one in told_of["hints"]}
    assert hints["shallow_first_answer"]["says"] == hints["another"]["says"] == "Look again."
    assert hints["shallow_first_answer"]["see"] == ["decisions iteration"]
    assert len(hints) == len(shipped["hints"]) + 1
    assert {part: some for part, some in told_of.items() if part != "hints"} == {
        part: some for part, some in shipped.items() if part != "hints"
    }


WORDS = st.sampled_from(["one", "two", "three"])
CRITERION = WORDS.map(lambda one: {"statement": one})
ADD: st.SearchStrategy[dict[str, Any]] = CRITERION.map(
    lambda one: {"op": "add_part", "part": "criteria", "values": one}
)
REMOVE: st.SearchStrategy[dict[str, Any]] = WORDS.map(lambda one: {"op": "remove_part", "part": "criteria", "key": one})


def _weighed(key: str, weight: int) -> dict[str, Any]:
    return {"op": "set_part", "part": "criteria", "key": key, "values": {"weight": weight}}


WEIGH = st.builds(_weighed, WORDS, st.integers(0, 3))
EMPTY = text_of({one.name: {} for one in PARTS})


@law(100)
@given(st.lists(st.one_of(ADD, REMOVE, WEIGH), max_size=8))
def test_a_patch_gives_what_can_be_read_again_and_never_two_parts_of_one_name(operations: list[Any]) -> None:
    text = EMPTY
    for one in operations:
        known = {*read_parts(text)["criteria"]}
        name = one.get("key") or one["values"]["statement"]
        fits = (name in known) != (one["op"] == "add_part")
        try:
            text = patched_text(text, [one])
        except PatchUnfit:
            assert not fits
            continue
        assert fits
        assert text_of(read_parts(text)) == text
        assert (name in read_parts(text)["criteria"]) == (one["op"] != "remove_part")


def test_what_is_no_patch_is_told_and_what_is_has_words_and_a_risk() -> None:
    bad: list[Any] = [
        None,
        [],
        ["x"],
        [{"op": "add_part", "part": "modules", "values": {}}],
        [{"op": "add_part", "part": "criteria", "key": "x"}],
        [{"op": "set_part", "part": "criteria", "values": {"weight": 1}}],
        [{"op": "set_part", "part": "criteria", "key": "x", "values": {"colour": 1}}],
    ]
    for value in bad:
        with pytest.raises(PatchUnfit):
            operations_of(value)
    words = [{"op": "set_part", "part": "steps", "key": "x", "values": {"purpose": "y"}}]
    gone = [{"op": "remove_part", "part": "criteria", "key": "It is short."}]
    effect = [{"op": "remove_part", "part": "side_effects", "key": "external_send"}]
    assert [risk_of_patch(one) for one in (words, gone, effect)] == [Risk.low, Risk.medium, Risk.high]
    assert told(gone) == "take away the criterion It is short."
