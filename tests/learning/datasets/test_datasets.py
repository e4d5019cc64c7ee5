"""Datasets on the real server: gathered, frozen, scored from outside, and named by a proposal."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.dataset_words import DatasetSource, ScorerKind
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.learning.assessments.runs import RunAssessments
from service.learning.datasets.commands import Datasets, fingerprint
from service.learning.datasets.draw import DrawnDatasets
from service.learning.datasets.inputs import EvalDatasetInput, EvalDrawInput, EvalExampleInput, EvalScoreInput
from service.learning.datasets.read import DatasetResults
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ReviewDecision, ReviewInput
from tests.laws import law
from tests.learning.assessments.told import reported
from tests.learning.world import added, propose, refused, replayed
from tests.memory.stories import POLICY, Story, step
from tests.routing.office import Office


def case(key: str, **more: Any) -> EvalExampleInput:
    told: dict[str, Any] = {"input_hash": f"sha256:{key}", **more}
    return EvalExampleInput(example_key=key, **told)


def given_score(key: str, score: float | None = None, **more: Any) -> EvalScoreInput:
    told: dict[str, Any] = {"scorer": "critic", "scorer_kind": ScorerKind.judge, "score": score, **more}
    return EvalScoreInput(example_key=key, **told)


async def dataset(office: Office, *cases: EvalExampleInput, **more: Any) -> RecordRef:
    told: dict[str, Any] = {"name": "Complaints", "dataset_source": DatasetSource.manual, "examples": cases, **more}
    made = await office.services[Datasets].create(await office.viewer(), EvalDatasetInput(**told))
    return RecordRef(id=made.result["id"])


@given(st.lists(st.text("abc", min_size=1), unique=True, min_size=1), st.randoms(use_true_random=False))
@law(20)
def test_the_same_cases_in_any_order_have_one_hash(keys: list[str], mix: random.Random) -> None:
    cases = [{"example_key": one, "input_hash": one} for one in keys]
    mixed = [*cases]
    mix.shuffle(mixed)
    assert fingerprint(mixed) == fingerprint(cases)
    assert fingerprint([*cases, {"example_key": "x", "input_hash": "y"}]) != fingerprint(cases)
    assert fingerprint([{**one, "slice": None} for one in cases]) == fingerprint(cases)
    assert fingerprint([{**one, "slice": "long"} for one in cases]) != fingerprint(cases)


@pytest.mark.slow
async def test_a_dataset_is_gathered_frozen_and_scored_from_outside(office: Office) -> None:
    made = await dataset(office, case("a"))
    datasets, viewer = office.services[Datasets], await office.viewer()
    assert (await refused(datasets.score(viewer, made, "v1", [given_score("a", 0.5)]))).code == "dataset_not_frozen"
    await datasets.add(viewer, made, [case("a"), case("b")])
    assert (await refused(datasets.add(viewer, made, [case("b", expected="other")]))).code == "example_reused"
    await datasets.freeze(viewer, made)
    kept = await office.stored(str(made.id))
    assert (kept["example_count"], len(kept["input_fingerprint_hash"])) == (2, 64)
    frozen = await refused(datasets.add(viewer, made, [case("c")]))
    assert (frozen.code, frozen.field) == ("dataset_frozen", "dataset")
    assert (await refused(datasets.freeze(viewer, made))).code == "dataset_frozen"
    unknown = await refused(datasets.score(viewer, made, "v1", [given_score("z", 0.5)]))
    assert (unknown.code, unknown.field) == ("example_unknown", "scores.example_key")
    await datasets.score(viewer, made, "v1", [given_score("a", 0.4), given_score("b", 0.6)])
    person: dict[str, Any] = {"scorer": "grace", "scorer_kind": ScorerKind.human, "verdict": "good"}
    await datasets.score(viewer, made, "v2", [given_score("a", 0.9), given_score("b", **person)])
    told = await office.services[DatasetResults].of(await office.viewer(), str(made.id))
    said = [(one.candidate, one.scorer_kind, one.mean_score, one.verdicts) for one in told.candidates]
    assert said == [("v2", "judge", 0.9, ()), ("v1", "judge", 0.5, ()), ("v2", "human", None, ("good: 1",))]


@pytest.mark.slow
async def test_cases_are_drawn_from_what_was_recorded_and_frozen_with_a_hash(office: Office) -> None:
    story = Story({"source": "exec", "key": "ward"}, POLICY)
    story.tell("run_started", task_key="handover", task_name="Write the handover")
    story.tell("activation_started", **step("gather"), name="Gather the night's notes")
    story.tell(
        "activation_completed", **step("gather"), input_summary=["Notes of bed 4"], output_summary=["Bed 4 is stable"]
    )
    story.tell("artifact_produced", artifact_key="note", artifact_kind="document", name="Handover note",
               content_hash="sha256:note", **step("gather"))  # fmt: skip
    story.tell("evaluation_evidence", artifact_key="verdict", evidence_kind="judge", name="Verdict", verdict="fail",
               evaluated_artifact_key="note", key_points=["No dose is named"], **step("gather"))  # fmt: skip
    story.tell("artifact_produced", artifact_key="variants", artifact_kind="experiment_bundle", name="Two wordings",
               **step("gather"))  # fmt: skip
    story.tell("gate_opened", gate_key="g", gate_kind="approval", question="May it go out?", **step("gather"))
    story.tell("gate_decided", gate_key="g", status="rejected", decided_by="sister", decision_note="Name the dose.",
               **step("gather"))  # fmt: skip
    run = await reported(office, story.tell("run_completed").events)
    await office.services[RunAssessments].assess(await office.viewer(), run)
    drawn, viewer = office.services[DrawnDatasets], await office.viewer()

    async def draw(source: DatasetSource) -> dict[str, Any]:
        given = EvalDrawInput(name="Handovers", dataset_source=source, freeze=True)
        made = (await drawn.draw(viewer, given, None, None)).result["id"]
        rows = await office.database.read(
            "MATCH (:Record {id: $id})-[:HAS_EXAMPLE]->(e) RETURN e.input_summary AS given, e.expected AS expected, "
            "COLLECT { MATCH (e)-[:DRAWN_FROM]->(n) RETURN n.id } AS drawn",
            id=made,
        )
        assert all(row["drawn"] for row in rows)
        return {**await office.stored(made), "cases": rows}

    traces, failures = await draw(DatasetSource.production_trace), await draw(DatasetSource.judge_failure)
    assert (traces["example_count"], len(traces["input_fingerprint_hash"])) == (1, 64)
    assert (traces["cases"][0]["given"], traces["cases"][0]["expected"]) == ("Notes of bed 4", "Bed 4 is stable")
    assert failures["cases"][0]["expected"] == "Answers what was criticised: No dose is named"
    assert (await draw(DatasetSource.user_label))["cases"][0]["expected"] == "rejected Name the dose."
    assert (await draw(DatasetSource.experiment))["example_count"] == 1
    assert (await draw(DatasetSource.task_assessment))["example_count"] >= 1
    again = await draw(DatasetSource.production_trace)
    assert again["input_fingerprint_hash"] == traces["input_fingerprint_hash"]
    for source, code in (
        (DatasetSource.manual, "source_by_hand"),
        (DatasetSource.task_creation_eval, "nothing_to_draw"),
    ):
        asked = EvalDrawInput(name="x", dataset_source=source)
        assert (await refused(drawn.draw(viewer, asked, None, None))).code == code
    stranger = await office.viewer(clearance=DataClass.public, matters=[])
    asked = EvalDrawInput(name="x", dataset_source=DatasetSource.production_trace)
    assert (await refused(drawn.draw(stranger, asked, None, None))).code == "nothing_to_draw"


@pytest.mark.slow
async def test_a_proposal_names_the_frozen_dataset_that_supports_it(office: Office) -> None:
    template = await office.new("Template", name="Lease review")
    open_one = await dataset(office, case("a"))
    error = await refused(propose(office, template, added("trigger_phrases", "x"), validation_dataset=open_one))
    assert (error.code, error.field) == ("dataset_not_frozen", "validation_dataset")
    frozen = await dataset(office, case("a"), freeze=True)
    made = await propose(office, template, added("trigger_phrases", "lease"), validation_dataset=frozen)
    assert await office.heads(made, "VALIDATED_BY") == {frozen.id}
    await replayed(office, made)
    proposals, viewer = office.services[Proposals], await office.viewer()
    await proposals.review(viewer, ReviewInput(proposal_id=made, decision=ReviewDecision.approve))
    applied = await proposals.apply(viewer, made)
    assert (await office.stored(applied.result["promotion"]))["validation_dataset_id"] == frozen.id


@pytest.mark.slow
async def test_what_was_scored_outside_stands_in_the_replay_and_in_the_ledger(office: Office) -> None:
    template = await office.new("Template", name="Menu translation")
    menus = await dataset(office, *(case(one) for one in ("starters", "mains", "sweets", "wines")), freeze=True)
    datasets, viewer = office.services[Datasets], await office.viewer()
    before = {"starters": 0.4, "mains": 0.9, "sweets": 0.5}
    after = {"starters": 0.8, "mains": 0.6, "sweets": 0.5, "wines": 1.0}
    for name, scores in (("today", before), ("glossary", after)):
        await datasets.score(viewer, menus, name, [given_score(key, score) for key, score in scores.items()])
    person: dict[str, Any] = {"scorer": "grace", "scorer_kind": ScorerKind.human}
    await datasets.score(viewer, menus, "glossary", [given_score("starters", 0.1, **person)])
    tried: dict[str, Any] = {"validation_dataset": menus, "eval_candidate": "glossary", "eval_baseline": "today"}
    made = await propose(office, template, added("known_strengths", "Keeps names of dishes."), **tried)
    replay = await office.stored(await replayed(office, made))
    told = [replay[one] for one in ("looked_at", "repaired", "regressed", "same", "missing", "control_tried")]
    assert told == [4, 1, 1, 1, 1, 0]
    assert "there is no control" in replay["statement"]
    rows = await office.database.read(
        "MATCH (:Replay {id: $id})-[:HAS_CASE]->(c:ReplayCase)-[:REDECIDES]->(e:EvalExample) "
        "RETURN e.example_key AS key, c {.result, .reason, .case_kind} AS c",
        id=replay["id"],
    )
    cases = {row["key"]: row["c"] for row in rows}
    assert {key: one["result"] for key, one in cases.items()} == {
        "starters": "repaired",
        "mains": "regressed",
        "sweets": "same",
        "wines": "could_not_be_replayed",
    }
    assert cases["starters"] == {"result": "repaired", "reason": "Judges scored both.", "case_kind": "evaluation"}
    proposals = office.services[Proposals]
    review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, eval_result_ref="lab://run-7")
    await proposals.review(viewer, review)
    entry = await office.stored((await proposals.apply(viewer, made)).result["promotion"])
    assert (entry["eval_result_ref"], entry["replay_id"]) == ("lab://run-7", replay["id"])
    assert entry["validation_score_summary"] == replay["statement"]


@pytest.mark.slow
async def test_a_dataset_is_as_closed_as_what_its_cases_come_from(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", name="Hidden", matter_ids=[matter])
    made = await dataset(office, case("a", drawn_from=(RecordRef(id=template),)), freeze=True)
    assert (await office.stored(str(made.id)))["matter_ids"] == [matter]
    stranger = await office.viewer(clearance=DataClass.internal, matters=[])
    assert (await refused(office.services[DatasetResults].of(stranger, str(made.id)))).code == "not_found"
    assert (
        await refused(office.services[Datasets].score(stranger, made, "v1", [given_score("a", 1.0)]))
    ).code == "not_found"
    assert (await refused(dataset(office, freeze=True))).code == "dataset_empty"
