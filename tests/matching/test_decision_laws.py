"""Laws of the decision: what is offered is plausible, and outcome, probabilities and action agree."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.library.words import MatchOutcome as Outcome
from graph_schema.library.words import RecommendedAction as Action
from service.matching.answer import MatchAnswer
from service.matching.assets import Asset, Likeness
from service.matching.calibration import Calibration, Judgement, KnownBy, calibration_for
from service.matching.decide import NEARLY_THE_SAME, decide
from service.matching.ranker import PLAUSIBLE
from tests.laws import law
from tests.matching.conftest import BOTH, CLOSE, MODEL, ask, asset
from tests.matching.test_laws import REQUEST, libraries, likenesses

FITTED = (calibration_for(MODEL), calibration_for("all_minilm_l6_v2_q1"), calibration_for(BOTH))
WORSE_TO_BETTER = {Outcome.nothing_fits: 0, Outcome.several_close: 1, Outcome.ask: 1, Outcome.match: 2}


def plain(cosine: float) -> Likeness:
    return Likeness(cosine, cosine, 0.2, 11, 0.6)


def first_probability(answer: MatchAnswer) -> float:
    standing = [*answer.recommended, *(one.candidate for one in answer.losers if not one.candidate.vetoed)]
    return max(standing, key=lambda one: (one.logit, one.asset.id)).scores.probability if standing else 0.0


def first_of(answer: MatchAnswer) -> Asset:
    """The one that was judged: the best that is not ruled out."""
    standing = [one for one in answer.weighed if not one.vetoed] or list(answer.weighed)
    return max(standing, key=lambda one: one.logit).asset


def grade(answer: MatchAnswer) -> int:
    return WORSE_TO_BETTER[answer.outcome]


@given(libraries(), st.sampled_from(FITTED))
@law(40)
def test_whatever_is_offered_is_plausible_and_usable(library: list[Asset], fitted: Calibration) -> None:
    answer = decide(REQUEST, library, fitted)
    for one in answer.recommended:
        assert one.scores.probability >= PLAUSIBLE
        assert not one.vetoed
        assert one.recommended_action is not Action.create_new_blank


def _nothing(judgement: Judgement, answer: MatchAnswer) -> float:
    """Below this nothing fits: by how many phrases the first has."""
    return judgement.nothing.at(1 / first_of(answer).likeness.members if answer.weighed else 1.0)


@given(libraries(), st.booleans())
@law(40)
def test_outcome_probabilities_and_action_agree(library: list[Asset], blank: bool) -> None:
    for fitted in FITTED:
        request = replace(REQUEST.request, blank=blank)
        answer = decide(replace(REQUEST, request=request), library, fitted)
        assert answer.any_fits >= answer.confidence
        judgement = fitted.kinds[first_of(answer).known_by if library else KnownBy.phrases]
        match answer.outcome:
            case Outcome.nothing_fits:
                assert not answer.recommended
                assert answer.confidence <= judgement.match
                assert answer.any_fits < _nothing(judgement, answer) or first_probability(answer) < PLAUSIBLE
            case Outcome.several_close:
                assert answer.any_fits >= _nothing(judgement, answer)
                assert 2 <= len(answer.recommended) <= 5
            case Outcome.ask:
                assert answer.any_fits >= _nothing(judgement, answer)
                assert len(answer.recommended) == 1
            case Outcome.match:
                assert answer.confidence > judgement.match
                assert len(answer.recommended) == 1
        offered = answer.recommended and not blank
        assert answer.recommended_action is (
            answer.recommended[0].recommended_action if offered else Action.create_new_blank
        )


@given(libraries())
def test_confidence_follows_the_order_and_losers_name_what_decided(library: list[Asset]) -> None:
    for fitted in FITTED:
        answer = decide(REQUEST, library, fitted)
        standing = [*answer.recommended, *(one.candidate for one in answer.losers if not one.candidate.vetoed)]
        sure = [one.confidence for one in standing]
        assert sure == sorted(sure, reverse=True)
        assert not sure or sure[0] == answer.confidence
        for one in answer.losers:
            known = {part.name.value for part in one.candidate.parts}
            known |= {each.kind.value for each in (*one.candidate.hard_vetoes, *one.candidate.soft_penalties)}
            assert one.code in {*known, NEARLY_THE_SAME}
            assert one.message


@given(libraries(), libraries())
@law(40)
def test_whoever_is_surer_never_gets_less(one: list[Asset], other: list[Asset]) -> None:
    def settled(library: list[Asset]) -> list[Asset]:
        return [asset for asset in library if asset.likeness.cosine is not None]

    for fitted in FITTED:
        answers = sorted((decide(REQUEST, settled(each), fitted) for each in (one, other)), key=grade)
        worse, better = ((each.confidence, each.any_fits, first_probability(each)) for each in answers)
        if grade(answers[0]) < grade(answers[1]):
            assert not all(low > high for low, high in zip(worse, better, strict=True))


@given(st.lists(st.floats(-0.2, 1), min_size=1, max_size=7), st.floats(0, 0.3))
@law(40)
def test_a_closer_first_never_lowers_the_outcome(cosines: list[float], more: float) -> None:
    best, *others = sorted(cosines, reverse=True)
    for fitted in FITTED:
        rest = [asset(f"tpl_{place}", plain(cosine)) for place, cosine in enumerate(others)]
        before = decide(ask(), [asset("tpl_first", plain(best)), *rest], fitted)
        after = decide(ask(), [asset("tpl_first", plain(best + more)), *rest], fitted)
        assert after.confidence >= before.confidence
        assert after.any_fits >= before.any_fits
        assert grade(after) >= grade(before)


@given(likenesses(), st.integers(2, 7))
@law(25)
def test_a_tie_is_never_won(likeness: Likeness, count: int) -> None:
    for fitted in FITTED:
        answer = decide(ask(), [asset(f"tpl_{number}", likeness) for number in range(count)], fitted)
        assert answer.outcome is not Outcome.match
        assert answer.confidence <= 0.5


@given(likenesses())
@law(25)
def test_an_asset_that_is_all_there_is_stands_for_itself(likeness: Likeness) -> None:
    for fitted in FITTED:
        answer = decide(ask(), [asset(likeness=likeness)], fitted)
        assert answer.confidence <= first_probability(answer) + 1e-6


@pytest.mark.parametrize("fitted", FITTED, ids=lambda one: one.model)
def test_many_that_are_far_are_nothing_and_one_that_is_close_is_a_match(fitted: Calibration) -> None:
    far = [asset(f"tpl_{number}", plain(0.2 + number / 100)) for number in range(6)]
    nothing = decide(ask(), far, fitted)
    assert (nothing.outcome, nothing.recommended_action) == (Outcome.nothing_fits, Action.create_new_blank)
    assert nothing.explanation.startswith("Nothing fits: the probability that anything does is")
    assert decide(ask(), [asset(likeness=CLOSE), *far[1:]], fitted).outcome is Outcome.match
