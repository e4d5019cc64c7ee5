"""Laws of matching: scores are an asset's own, order does not matter, and what is ruled out is never recommended."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.library.words import CapabilityState, DirectiveKind
from graph_schema.model.record import LifecycleState
from service.matching.answer import MatchAnswer, MatchCandidate
from service.matching.assets import Asset, Directive, Likeness
from service.matching.calibration import calibration_for
from service.matching.decide import decide
from tests.laws import law
from tests.matching.conftest import BOTH, ask, asset

FITTED = calibration_for(BOTH)
STATES = (*(one for one in LifecycleState if one.value in {"draft", "active", "candidate_update", "deprecated"}),)
share = st.floats(0, 1)


@st.composite
def likenesses(draw: st.DrawFn) -> Likeness:
    cosine = draw(st.none() | st.floats(-0.2, 1))
    nearest = None if cosine is None else draw(st.floats(-0.2, 1))
    members = draw(st.integers(1, 40))
    second = draw(st.none() | st.floats(-0.2, 1))
    return Likeness(cosine, nearest, draw(share), members, draw(share) if members > 1 else None, second)


@st.composite
def assets(draw: st.DrawFn, id: str) -> Asset:
    return asset(
        id,
        draw(likenesses()),
        lifecycle=draw(st.sampled_from((*STATES, LifecycleState.archived))),
        author_id=draw(st.sampled_from(("me", "you"))),
        requires=draw(st.sampled_from(((), ("pacer",)))),
        capability_states=draw(st.sampled_from(((), (("pacer", CapabilityState.down),)))),
        side_effects=draw(st.sampled_from(((), ("send_email",)))),
        task_types=draw(st.sampled_from(((), ("complaint_evaluation",), ("docket_monitor",)))),
        completed=draw(st.integers(0, 3)),
        ended=draw(st.sampled_from((0, 3))),
        directives=draw(
            st.lists(
                st.builds(
                    Directive,
                    st.just("dir_1"),
                    st.sampled_from(DirectiveKind),
                    st.sampled_from(("complaint audit", "citation cleanup", "complaint_evaluation")),
                    share,
                ),
                max_size=2,
            ).map(tuple)
        ),
    )


@st.composite
def libraries(draw: st.DrawFn) -> list[Asset]:
    return [draw(assets(f"tpl_{number}")) for number in range(draw(st.integers(0, 7)))]


REQUEST = ask(viewer_id="me", task_type="complaint_evaluation", forbidden_side_effects=("send_email",))


def scores(answer: MatchAnswer) -> dict[str, MatchCandidate]:
    return {one.id: one for one in answer.weighed}


@given(libraries(), st.data())
@law(25)
def test_another_asset_never_changes_a_score(library: list[Asset], data: st.DataObject) -> None:
    added = data.draw(assets("tpl_added"))
    before = scores(decide(REQUEST, library, FITTED))
    after = scores(decide(REQUEST, [*library, added], FITTED))
    assert before == {id: one for id, one in after.items() if id != added.id}


@given(libraries())
@law(40)
def test_what_is_ruled_out_is_never_recommended(library: list[Asset]) -> None:
    answer = decide(REQUEST, library, FITTED)
    assert not any(one.vetoed for one in answer.recommended)
    assert not any(one.asset.lifecycle is LifecycleState.archived for one in answer.recommended)
    assert all(loser.message for loser in answer.losers)


@given(libraries(), st.data())
@law(25)
def test_the_order_of_assets_is_irrelevant(library: list[Asset], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(library))
    assert decide(REQUEST, shuffled, FITTED) == decide(REQUEST, library, FITTED)


@given(libraries())
@law(25)
def test_every_asset_is_either_recommended_or_told_why_not(library: list[Asset]) -> None:
    answer = decide(REQUEST, library, FITTED)
    assert len(answer.recommended) + len(answer.losers) == len(library)
    assert set(scores(answer)) == {one.id for one in library}
    assert 0 <= answer.confidence <= 1
    for one in scores(answer).values():
        assert 0 <= one.scores.overall_score <= 1
        assert len(one.parts) == 9
        assert all(part.evidence and (part.score is None or 0 <= part.score <= 1) for part in one.parts)


@given(likenesses(), st.floats(0, 0.3))
@law(25)
def test_a_closer_asset_never_scores_lower(likeness: Likeness, more: float) -> None:
    if likeness.cosine is None:
        return
    closer = replace(likeness, cosine=likeness.cosine + more)
    one = scores(decide(REQUEST, [asset("a", likeness)], FITTED))["a"]
    other = scores(decide(REQUEST, [asset("a", closer)], FITTED))["a"]
    assert other.scores.overall_score >= one.scores.overall_score
    assert other.scores.probability >= one.scores.probability


@given(likenesses(), st.floats(-0.2, 1), st.floats(0, 0.3))
@law(25)
def test_the_second_model_counts_where_there_are_no_phrases(likeness: Likeness, second: float, more: float) -> None:
    farther, nearer = (replace(likeness, second=one) for one in (second, second + more))
    one, other = (scores(decide(REQUEST, [asset("a", each)], FITTED))["a"] for each in (farther, nearer))
    assert other.scores.overall_score >= one.scores.overall_score
    assert other.scores.probability >= one.scores.probability
    if likeness.members > 1:
        assert other.scores == one.scores
