"""A kept match tells what was weighed: replayed it is the same for ever, compared it tells what has changed since."""

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import Commands, RecordRef
from service.commands.errors import RecordMissing
from service.matching.keep import KeptMatches
from service.matching.request import MatchRequest
from service.replay import ReplayOutcome
from tests.laws import law
from tests.matching.test_graph_laws import emptied
from tests.matching.world import FAMILY, Shelf

pytestmark = pytest.mark.slow

WANTED = MatchRequest("audit this complaint", inputs=("complaint",), entities=("ent_unknown",))


def kept(shelf: Shelf) -> KeptMatches:
    commands = Commands(shelf.database, REGISTRY, lambda _new_audience: None)
    return KeptMatches(commands, shelf.database, shelf.matching)


async def keep(shelf: Shelf, viewer: Viewer, command_id: str | None = None) -> str:
    return (await kept(shelf).keep(viewer, "Template", WANTED, command_id=command_id)).result["id"]


async def test_a_match_is_kept_once_with_all_that_was_weighed(shelf: Shelf) -> None:
    await shelf.family()
    viewer = await shelf.viewer()
    match = await keep(shelf, viewer, "first")
    assert await keep(shelf, viewer, "first") == match
    rows = await shelf.database.read(
        "MATCH (m:MatchDecision)-[w:WEIGHED]->(t:Template) RETURN m.outcome AS outcome, t.name AS name ORDER BY w.rank"
    )
    assert len(rows) == len(FAMILY)
    assert (rows[0]["name"], rows[0]["outcome"]) == ("Complaint Evaluation", "match")


async def test_matched_again_it_is_the_same_until_the_library_changes(shelf: Shelf) -> None:
    ids = await shelf.family()
    viewer = await shelf.viewer()
    match = await keep(shelf, viewer)
    again = await kept(shelf).compare(viewer, match)
    assert (again.same, again.same_ranker) == (True, True)
    await shelf.records.save(viewer, "Template", {"description": "Audits."}, record_id=ids["Complaint Evaluation"])
    await shelf.embed()
    changed = await kept(shelf).compare(viewer, match)
    assert not changed.same
    assert [one.name for one in changed.moved if one.changed] == ["Complaint Evaluation"]
    told = {one.name: {fact.fact for fact in one.changes} for one in changed.moved}
    assert told["Complaint Evaluation"] >= {"version", "cosine"}
    assert told["Docket Monitor"] == set()
    assert "Complaint Evaluation: Known otherwise: " in changed.sentence
    assert "version was 1 and is 2" in changed.sentence


async def test_what_both_models_said_is_kept(shelf: Shelf) -> None:
    await shelf.add("Pleading Check", description="Looks through a complaint before it is filed.")
    await shelf.family()
    viewer = await shelf.viewer()
    match = await keep(shelf, viewer)
    await shelf.database.run_alone("MATCH (c:Card) SET c.second_hash = null, c.text = 'another'")
    again = await kept(shelf).replay(viewer, match)
    assert again.outcome is ReplayOutcome.identical
    assert again.answer is not None
    checked = next(one for one in again.answer.weighed if one.name == "Pleading Check")
    assert checked.asset.likeness.second is not None


async def test_a_match_that_weighed_what_is_hidden_is_hidden(shelf: Shelf) -> None:
    await shelf.family()
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    await shelf.add("Secret Audit", ("audit this complaint",), matter_ids=[matter])
    await shelf.embed()
    match = await keep(shelf, await shelf.viewer())
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    with pytest.raises(RecordMissing):
        await kept(shelf).compare(outsider, match)


EVALUATION, DRAFT, MONITOR = "Complaint Evaluation", "Draft Complaint", "Docket Monitor"
Change = Callable[[Shelf, dict[str, str]], Awaitable[object]]


async def _reworded(shelf: Shelf, ids: dict[str, str]) -> None:
    said = {"name": "Gardening", "trigger_phrases": ["plant a tree"], "description": "Plants trees."}
    await shelf.records.save(await shelf.viewer(), "Template", said, record_id=ids[EVALUATION])


async def _barred(shelf: Shelf, ids: dict[str, str]) -> None:
    said = {"non_use_conditions": ["audit this complaint"], "expected_inputs": ["nothing of it"]}
    await shelf.records.save(await shelf.viewer(), "Template", said, record_id=ids[EVALUATION])


async def _deprecated(shelf: Shelf, ids: dict[str, str]) -> None:
    ref = RecordRef(id=ids[EVALUATION])
    await shelf.records.set_lifecycle(await shelf.viewer(), ref, "deprecated", "Nobody wants it.")


async def _archived(shelf: Shelf, ids: dict[str, str]) -> None:
    await shelf.archive(ids[DRAFT])


async def _taught(shelf: Shelf, ids: dict[str, str]) -> None:
    await teach(shelf, ids[MONITOR], "prefer_when_phrase", "audit")


async def _joined(shelf: Shelf, _ids: dict[str, str]) -> None:
    await shelf.add("Audit This Complaint", ("audit this complaint",))


CHANGES: tuple[Change, ...] = (_reworded, _barred, _deprecated, _archived, _taught, _joined)


async def teach(shelf: Shelf, template: str, kind: str, words: str) -> str:
    directive = await shelf.add(words, label="Directive", directive_kind=kind, phrase_or_condition=words)
    await shelf.link(directive, "STEERS", template)
    return directive


@law(3)
@given(changed=st.lists(st.sampled_from(CHANGES), min_size=1, max_size=4, unique=True))
async def test_replayed_it_is_the_kept_answer_whatever_becomes_of_the_library(
    shelf: Shelf, changed: list[Change]
) -> None:
    await emptied(shelf)
    ids = await shelf.family()
    await teach(shelf, ids[DRAFT], "require_user_confirmation", "always")
    match = await keep(shelf, await shelf.viewer())
    first = await kept(shelf).replay(await shelf.viewer(), match)
    assert first.outcome is ReplayOutcome.identical
    for change in changed:
        await change(shelf, ids)
    await shelf.embed()
    assert await kept(shelf).replay(await shelf.viewer(), match) == first
    # Whoever replays it, it is the answer to who asked.
    assert await kept(shelf).replay(await shelf.viewer(principal_id="prin_other"), match) == first


async def test_the_replay_says_what_the_record_says(shelf: Shelf) -> None:
    ids = await shelf.family()
    match = await keep(shelf, await shelf.viewer())
    await _reworded(shelf, ids)
    await _deprecated(shelf, ids)
    again = (await kept(shelf).replay(await shelf.viewer(), match)).answer
    assert again
    [row] = await shelf.database.read(
        "MATCH (m:MatchDecision)-[w:WEIGHED]->(t) RETURN m.outcome AS outcome, m.confidence AS confidence, "
        "m.explanation AS explanation, collect([w.rank, t.id, w.score]) AS weighed"
    )
    assert (row["outcome"], row["confidence"]) == (again.outcome.value, again.confidence)
    assert row["explanation"] == again.explanation
    told = [[rank, one.id, one.scores.overall_score] for rank, one in enumerate(again.weighed, 1)]
    assert sorted(row["weighed"]) == told
    assert again.recommended[0].name == EVALUATION


async def test_a_comparison_says_why_another_is_recommended_today(shelf: Shelf) -> None:
    ids = await shelf.family()
    match = await keep(shelf, await shelf.viewer())
    await _deprecated(shelf, ids)
    await _joined(shelf, ids)
    await shelf.embed()
    today = await kept(shelf).compare(await shelf.viewer(), match)
    why = {one.name: one.why for one in today.moved}
    assert "lifecycle was active and is deprecated" in why[EVALUATION]
    assert why["Audit This Complaint"].startswith("It was not weighed then")
    assert why[DRAFT] == why[MONITOR] == ""
    assert today.sentence.startswith(f"Then: match ({EVALUATION}). Now: match (Audit This Complaint).")


async def test_what_the_ranker_of_today_says_otherwise_is_told(shelf: Shelf) -> None:
    await shelf.family()
    match = await keep(shelf, await shelf.viewer())
    # As a ranker of another version would have kept it.
    await shelf.database.run_alone(
        "MATCH (m:MatchDecision) SET m.ranker = 'tasklore.matching 1', m.outcome = 'nothing_fits', "
        "m.answer = replace(replace(m.answer, '\"match\"', '\"nothing_fits\"'), '\"score\":0.', '\"score\":1.')"
    )
    again = await kept(shelf).replay(await shelf.viewer(), match)
    assert (again.outcome, again.ranker_then) == (ReplayOutcome.different, "tasklore.matching 1")
    assert {one.name for one in again.differences} == {*FAMILY}
    assert again.answer
    assert again.answer.outcome.value == "match"


async def test_of_an_asset_that_is_hidden_nothing_is_replayed_or_compared(shelf: Shelf) -> None:
    ids = await shelf.family()
    match = await keep(shelf, await shelf.viewer())
    # The match would be hidden, too; should it ever not be, its facts are.
    await shelf.database.run_alone("MATCH (t:Template {id: $id}) SET t.audience = 'nobody'", id=ids[EVALUATION])
    viewer = await shelf.viewer()
    again, today = await kept(shelf).replay(viewer, match), await kept(shelf).compare(viewer, match)
    assert (again.outcome, again.withheld, again.answer) == (ReplayOutcome.not_in_full, True, None)
    assert EVALUATION not in f"{again} {today}"
    assert not today.same


async def test_a_match_that_keeps_no_facts_says_so(shelf: Shelf) -> None:
    await shelf.family()
    match = await keep(shelf, await shelf.viewer())
    await shelf.database.run_alone("MATCH (t {name: $name})<-[w:WEIGHED]-() SET w.facts = null", name=DRAFT)
    partly = await kept(shelf).replay(await shelf.viewer(), match)
    assert (partly.outcome, partly.lacking) == (ReplayOutcome.not_in_full, 1)
    await shelf.database.run_alone("MATCH ()<-[w:WEIGHED]-() SET w.facts = null")
    assert (await kept(shelf).replay(await shelf.viewer(), match)).outcome is ReplayOutcome.not_kept
    assert (await kept(shelf).compare(await shelf.viewer(), match)).same


async def test_a_match_goes_with_what_was_taught_for_it(shelf: Shelf) -> None:
    ids = await shelf.family()
    directive = await teach(shelf, ids[EVALUATION], "prefer_when_phrase", "audit complaint")
    match = await keep(shelf, await shelf.viewer())
    await shelf.records.erase(await shelf.viewer(), RecordRef(id=directive), None)
    with pytest.raises(RecordMissing):
        await kept(shelf).replay(await shelf.viewer(), match)
