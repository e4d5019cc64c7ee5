"""Matching on the real server: what is loaded of an asset, and what follows from it."""

from typing import Any

import pytest

from graph_schema.library.words import MatchOutcome
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.cards import MATCHED
from service.cards.embedding import mark_behind
from service.commands import RecordRef
from service.matching.answer import (
    MatchAnswer,
    MatchCandidate,
    MatchPartName,
    MatchPenaltyKind,
    MatchVetoKind,
    NoticeCode,
)
from service.matching.assets import KINDS
from service.matching.request import MatchRequest
from service.memory.reporting.commands import Reporting
from tests.matching.conftest import BOTH
from tests.matching.world import AUDIT, FAMILY, Shelf, first
from tests.memory.history.conftest import OPEN, run_of

pytestmark = pytest.mark.slow

CODE = NoticeCode.template_match_available_but_new_graph_requested


def test_what_can_be_matched_is_what_has_a_second_vector() -> None:
    assert {*MATCHED} == {*KINDS}


def candidate(answer: MatchAnswer, name: str) -> MatchCandidate:
    return next(one for one in answer.weighed if one.name == name)


async def test_the_template_that_was_asked_for_is_found_and_the_others_lose(shelf: Shelf) -> None:
    await shelf.family()
    answer = await shelf.answer("please audit the complaint")
    assert first(answer) == "Complaint Evaluation"
    assert answer.outcome is MatchOutcome.match
    assert {one.candidate.asset.name for one in answer.losers} == {*FAMILY} - {"Complaint Evaluation"}
    assert all(one.message for one in answer.losers)
    assert [part.name for part in answer.recommended[0].parts] == [*MatchPartName]
    best = answer.recommended[0].asset
    assert (best.nearest_phrase, best.likeness.members) == ("audit this complaint", 1 + len(AUDIT))
    assert (await shelf.answer("how far away is the moon")).outcome is MatchOutcome.nothing_fits
    assert (await shelf.answer("the and of")).recommended == ()


async def test_what_has_a_description_only_is_compared_by_both_models(shelf: Shelf) -> None:
    await shelf.add("Month End", description="Closes the books of a month and reconciles the accounts.")
    await shelf.family()
    wanted = "close the books for October"
    answer = await shelf.answer(wanted)
    before = candidate(answer, "Month End")
    assert answer.ranker.model == BOTH
    assert before.asset.likeness.second is not None
    assert f"By the second model it is {before.asset.likeness.second:.2f}." in before.parts[0].evidence
    assert candidate(answer, "Docket Monitor").asset.likeness.second is None
    await shelf.database.run_alone("MATCH (c:Card {describes_kind: 'Template'}) SET c.second_hash = null")
    await mark_behind(shelf.database, shelf.queue)
    answer = await shelf.answer(wanted)
    waiting = candidate(answer, "Month End")
    assert (waiting.asset.likeness.second, waiting.current) == (None, True)
    assert [one.code for one in answer.warnings] == [NoticeCode.vectors_behind]
    await shelf.embed()
    assert candidate(await shelf.answer(wanted), "Month End") == before


async def test_what_was_taught_steers(shelf: Shelf) -> None:
    ids = await shelf.family()
    for kind, words in (("prefer_when_phrase", "complaint review"), ("avoid_when_phrase", "citation cleanup")):
        directive = await shelf.add(words, label="Directive", directive_kind=kind, phrase_or_condition=words)
        await shelf.link(directive, "STEERS", ids["Complaint Evaluation"])
    preferred = candidate(await shelf.answer("a complaint review, please"), "Complaint Evaluation")
    assert preferred.parts[6].score == 1.0
    avoided = candidate(await shelf.answer("only a citation cleanup of the complaint"), "Complaint Evaluation")
    assert [one.kind for one in avoided.soft_penalties] == [MatchPenaltyKind.directive_avoids]


async def test_links_and_fields_become_parts_vetoes_and_penalties(shelf: Shelf) -> None:
    ids = await shelf.family()
    audit = ids["Complaint Evaluation"]
    viewer = await shelf.viewer()
    values = {
        "task_type": "complaint_evaluation",
        "expected_inputs": ["complaint"],
        "expected_outputs": ["evaluation_memo"],
        "side_effect_classes": ["email_sent"],
        "memory_modes": ["standard"],
        "non_use_conditions": ["the complaint has not been written yet"],
    }
    await shelf.records.save(viewer, "Template", values, record_id=audit)
    mailer = await shelf.add("Mailer", label="Capability", capability_kind="tool")
    client = await shelf.add("Acme", label="Entity", kind="organisation")
    goal = await shelf.add("Win", label="Goal", goal_type="task_outcome_goal", goal_statement="Win the case.")
    family = await shelf.add("Complaints", label="TemplateGroup")
    await shelf.link(audit, "REQUIRES", mailer)
    await shelf.link(audit, "SERVES_GOAL", goal)
    await shelf.link(goal, "CONCERNS", client)
    for name in ("Complaint Evaluation", "Draft Complaint"):
        await shelf.link(ids[name], "IN_GROUP", family)
    await shelf.embed()
    given: dict[str, Any] = {
        "task_type": "complaint_evaluation",
        "inputs": ("complaint",),
        "outputs": ("evaluation_memo",),
    }
    answer = await shelf.answer("audit this complaint", **given, capabilities=("Mailer",), entities=(client,))
    best = candidate(answer, "Complaint Evaluation")
    assert [part.score for part in best.parts[1:6]] == [1.0] * 5
    assert best.asset.group == ("Draft Complaint",)
    vetoes = candidate(
        await shelf.answer(
            "audit this complaint",
            task_type="cooking",
            outputs=("recipe",),
            forbidden_side_effects=("email_sent",),
            denied_capabilities=("Mailer",),
            memory_policy="memory_incognito",
        ),
        "Complaint Evaluation",
    )
    assert {one.kind for one in vetoes.hard_vetoes} == {*MatchVetoKind} - {
        MatchVetoKind.required_capability_unavailable,
        MatchVetoKind.archived_or_deprecated,
    }
    unwritten = candidate(await shelf.answer("the complaint has not been written yet"), "Complaint Evaluation")
    assert MatchPenaltyKind.non_use_condition in {one.kind for one in unwritten.soft_penalties}


async def test_how_its_runs_ended_is_the_assessment_of_a_template(shelf: Shelf) -> None:
    await shelf.add("Weekly Report", ("write the weekly report",), source="exec", source_key="weekly")
    await shelf.embed()
    unused = candidate(await shelf.answer("write the weekly report"), "Weekly Report")
    assert unused.parts[7].score is None
    reporting = Reporting(shelf.database, REGISTRY, lambda _new: None)
    ends = ({"kind": "run_completed"}, {"kind": "run_failed", "failure_code": "timeout"}, {"kind": "run_cancelled"})
    for day, end in enumerate((ends[0], *ends), 1):
        await reporting.report(await shelf.viewer(), run_of(f"run{day}", day, OPEN, end, template_key="weekly"))
    used = candidate(await shelf.answer("write the weekly report"), "Weekly Report")
    assert (used.parts[7].name, used.parts[7].score) == (MatchPartName.prior_assessment_score, 0.6)
    assert used.parts[7].evidence == "Of its last runs 2 of 3 were completed, the others failed."
    assert used.parts[8].evidence.startswith("Used 4 times")


async def test_a_case_that_was_assessed_highly_says_so(shelf: Shelf) -> None:
    values = {"task_type": "report", "user_intent_summary": "A weekly report.", "active_because": "assessed_highly"}
    await shelf.add("Report of May", ("write the weekly report",), label="Case", **values)
    await shelf.embed()
    answer = await shelf.answer("write the weekly report", kind="Case")
    assert candidate(answer, "Report of May").parts[7].score == 1


async def test_a_changed_asset_is_known_to_be_behind_until_it_is_embedded(shelf: Shelf) -> None:
    ids = await shelf.family()
    viewer, audit = await shelf.viewer(), ids["Complaint Evaluation"]
    await shelf.records.save(viewer, "Template", {"trigger_phrases": [*AUDIT, "grade the pleading"]}, record_id=audit)
    behind = await shelf.answer("grade the pleading")
    assert not candidate(behind, "Complaint Evaluation").current
    assert NoticeCode.vectors_behind in {note.code for note in behind.warnings}
    await shelf.embed()
    answer = await shelf.answer("grade the pleading")
    assert (first(answer), answer.warnings) == ("Complaint Evaluation", ())
    assert candidate(answer, "Complaint Evaluation").asset.likeness.members == 2 + len(AUDIT)


async def test_an_archived_template_never_wins_and_a_draft_is_its_authors(shelf: Shelf) -> None:
    ids = await shelf.family()
    await shelf.archive(ids["Complaint Evaluation"])
    answer = await shelf.answer("audit this complaint")
    assert "Complaint Evaluation" not in {one.asset.name for one in answer.recommended}
    vetoes = candidate(answer, "Complaint Evaluation").hard_vetoes
    assert [one.kind for one in vetoes] == [MatchVetoKind.archived_or_deprecated]
    assert candidate(answer, "Docket Monitor").asset.author_id == (await shelf.viewer()).principal_id


async def test_other_kinds_are_matched_and_reuse_follows_their_order(shelf: Shelf) -> None:
    await shelf.add("Red Team", ("attack our own argument",), label="Pattern", purpose="Find what opponents will find.")
    await shelf.embed()
    viewer = await shelf.viewer()
    found = await shelf.matching.reuse(viewer, MatchRequest("attack our own argument"))
    assert [one.kind for one in found.sections] == ["Template", "Preset", "Pattern", "Case", "Blueprint", "Segment"]
    assert found.best is not None
    assert (found.best.kind, first(found.best)) == ("Pattern", "Red Team")


async def test_a_blank_task_passes_over_a_strong_match_with_a_warning(shelf: Shelf) -> None:
    await shelf.family()
    viewer = await shelf.viewer()
    strong = await shelf.matching.reuse(viewer, MatchRequest("audit this complaint", blank=True))
    assert (strong.skipped, strong.best) == (True, None)
    assert [one.code for one in strong.warnings] == [CODE]
    weak = await shelf.matching.reuse(viewer, MatchRequest("how far away is the moon", blank=True))
    assert (weak.skipped, weak.warnings, weak.sections) == (True, (), ())


async def test_one_asset_is_explained_by_id_or_key(shelf: Shelf) -> None:
    await shelf.family()
    await shelf.add("Keyed", ("file it",), source="n8n", source_key="wf-1")
    await shelf.embed()
    viewer: Viewer = await shelf.viewer()
    ref = RecordRef(kind="Template", source="n8n", key="wf-1")
    alone = await shelf.matching.explain(viewer, MatchRequest("file it"), ref)
    among = candidate(await shelf.answer("file it"), "Keyed")
    assert candidate(alone, "Keyed") == among
