"""The harness: figures, draws, files, and that fitting judges as `decide` does."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import Vectors
from graph_schema.library.words import MatchOutcome
from service.cards.prototype import prototype
from service.lexical import lexical, words_of
from service.matching import ranker
from service.matching.assets import Likeness
from service.matching.calibration import FILE, Bounds, KnownBy, Line, calibration_for
from service.matching.decide import decide
from service.matching.errors import DatasetInvalid, ModelNotCalibrated
from service.matching.evaluation.baselines import bm25, vector
from service.matching.evaluation.cli_workflows import known_workflows
from service.matching.evaluation.evaluate import (
    Found,
    Match,
    Trial,
    evaluate,
    halves,
    placed,
    read,
    read_texts,
    report,
    trials,
)
from service.matching.evaluation.figures import Judged, auroc, bins, calibration_error, figures, refused
from service.matching.evaluation.fit import logistic_line
from service.matching.evaluation.reliability import plot
from service.matching.evaluation.table import Compared, judge, table
from service.matching.likeness import Known
from service.matching.ranker import level
from service.words import stems
from tests.laws import law
from tests.matching.conftest import BOTH, ask, asset

FITTED = calibration_for(BOTH)
WORKFLOWS = Path(__file__).parents[1] / "library" / "n8n"


def write(path: Path) -> Path:
    rows = [
        {"split": split, "intent": f"intent_{number}", "text": f"{split} {number} {copy}"}
        for number in range(6)
        for split in ("train", "test")
        for copy in range(4)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def oracle(trial: Trial) -> Match:
    """Knows the right answer to everything."""

    def one(text: str) -> Found:
        intent = f"intent_{text.split()[1]}"
        if intent in trial.library:
            return Found((intent,), MatchOutcome.match, 0.99, 0.99)
        return Found((), MatchOutcome.nothing_fits, 0.01, 0.01)

    return lambda texts: [one(text) for text in texts]


def test_whoever_knows_everything_has_the_best_figures(tmp_path: Path) -> None:
    found = report(read(write(tmp_path / "set.jsonl")), None, oracle, phrases=2, most=100)
    assert (found.accuracy, found.auroc_near, found.nothing_fits_near, found.auroc_far) == (1, 1, 1, None)
    assert (found.five, found.told_nothing, found.told_match, found.match_right, found.outside_match) == (1, 0, 1, 1, 0)
    assert (found.fits_near, found.fits_far) == (1, None)
    assert found.calibration_error == pytest.approx(0.01)
    assert any(line.endswith(" -") for line in found.lines())


def test_a_third_of_the_intents_is_left_out_and_draws_repeat(tmp_path: Path) -> None:
    dataset, far = read(write(tmp_path / "set.jsonl")), read_texts(write(tmp_path / "far.jsonl"))
    drawn = list(trials(dataset, far, phrases=2))
    assert all(len(one.library) == 4 and all(len(each.phrases) == 2 for each in one.library.values()) for one in drawn)
    assert {one.scope for one in drawn[0].requests} == {"in", "near", "far"}
    assert drawn == list(trials(dataset, far, phrases=2))
    assert len(evaluate(drawn[0], oracle)) == len(drawn[0].requests)


def test_described_assets_of_one_name_are_one(tmp_path: Path) -> None:
    path = tmp_path / "described.jsonl"
    tools = [{"tool": n, "name": name, "description": f"does {n}"} for n, name in enumerate(("add", "add", "send"))]
    rows = [*tools, {"request": "add two numbers", "fits": [0]}, {"request": "mail it", "fits": [2]}]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    dataset = read(path)
    assert (dataset.known_by, len(dataset.assets)) == (KnownBy.description, 3)
    assert dict(dataset.requests)["add two numbers"] == {"0", "1"}
    whole, third = trials(dataset, None)
    assert (len(whole.library), {one.scope for one in whole.requests}) == (3, {"in"})
    assert {one.name for one in third.library.values()} <= {"add", "send"}
    asked = next(one for one in whole.requests if one.text == "add two numbers")
    assert placed(whole, asked, ["1", "0", "2"]) == (True, True)
    assert placed(whole, asked, ["2", "1"]) == (False, True)
    fitted, reported = halves(dataset, 1)
    assert {*fitted.requests} | {*reported.requests} == {*dataset.requests}


def test_requests_for_workflows_are_judged_by_their_files(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    rows = [{"request": "relabel my mail", "fits": ["0240_Manual_Gmail_Create_Triggered", "gone"]}]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    dataset = read(path, known_workflows(WORKFLOWS))
    assert dataset.known_by is KnownBy.imported
    assert [fits for _, fits in dataset.requests] == [{"0240_Manual_Gmail_Create_Triggered"}]
    assert "Gmail1" in dataset.assets["0240_Manual_Gmail_Create_Triggered"].card


def test_what_matching_is_compared_with() -> None:
    texts = {"a": ["send an email"], "b": ["send a fax"], "c": ["watch the docket"]}
    assert bm25(texts)("fax it")[0] == "b"
    vectors = {"send an email": [1.0, 0.0], "send a fax": [0.8, 0.6], "watch the docket": [0.0, 1.0], "docket": [0, 1]}

    def embed(several: Sequence[str]) -> Vectors:
        return np.array([vectors[one] for one in several], dtype=np.float32)

    assert vector(texts, embed)("docket") == ["c", "b", "a"]


@pytest.mark.parametrize(
    "line", ["nonsense", "[]", '{"split": "dev", "intent": "a", "text": "b"}', '{"split": "test"}']
)
def test_a_broken_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"split": "train", "intent": "a", "text": "b"}\n' + line, encoding="utf-8")
    with pytest.raises(DatasetInvalid) as refused_:
        read(path)
    assert refused_.value.facts["line"] == 2


def test_auroc_counts_ties_half() -> None:
    assert auroc(np.array([0.5, 0.9]), np.array([0.5, 0.1])) == pytest.approx(0.875)
    assert refused(np.array([0.5, 0.9]), np.array([0.1])) == 1
    assert auroc(np.array([]), np.array([0.1])) is None


def test_calibration_error_is_nought_when_confidence_is_the_share_of_right_answers() -> None:
    judged = [Judged("in", number < 7, 0.7, 0.7) for number in range(10)]
    assert calibration_error(judged) == pytest.approx(0)
    assert bins(judged)[0].count == 10
    assert figures(judged).accuracy == 0.7
    assert plot([("a set", bins(judged))]).count("<circle") == 1


def test_a_logistic_line_is_found_again() -> None:
    features = np.random.default_rng(1).normal(size=(20_000, 1))
    right = np.random.default_rng(2).random(20_000) < 1 / (1 + np.exp(-(2 * features[:, 0] - 1)))
    line = logistic_line(features, right.astype(np.float64))
    assert isinstance(line, Line)
    assert line.weights[0] == pytest.approx(2, abs=0.1)
    assert line.offset == pytest.approx(-1, abs=0.1)


@given(st.integers(0, 1_000), st.sampled_from([(KnownBy.phrases, 11), (KnownBy.description, 1)]))
@law(4)
def test_fitting_judges_as_decide_does(seed: int, known: tuple[KnownBy, int]) -> None:
    draw = np.random.default_rng(seed)
    cosine, nearest, words, second = draw.uniform(0.4, 0.95, (4, 5, 7))
    cohesion: list[float | None] = draw.uniform(0.5, 0.9, 7).tolist()
    fits = np.zeros((5, 7), dtype=np.bool_)
    names = [f"tpl_{at}" for at in range(7)]
    kind, members = known
    if members == 1:
        nearest, cohesion = cosine, list[float | None]([None] * 7)
    given_ = Compared(kind, cosine, nearest, words, cohesion, members, fits, names, ["in"] * 5, second)
    made = table(given_, FITTED.kinds[kind].shape, FITTED.usual_cohesion)
    for row, judged in enumerate(judge(made, FITTED)):
        likes = [
            Likeness(
                float(cosine[row, at]),
                float(nearest[row, at]),
                float(words[row, at]),
                members,
                cohesion[at],
                float(second[row, at]),
            )
            for at in range(7)
        ]
        answer = decide(ask(), [asset(f"tpl_{at}", like) for at, like in enumerate(likes)], FITTED)
        first = answer.recommended[0] if answer.recommended else answer.losers[0].candidate
        assert answer.confidence == pytest.approx(judged.confidence, abs=1e-5)
        assert answer.any_fits == pytest.approx(judged.fits, abs=1e-5)
        assert first.asset.id == f"tpl_{made.best[row]}"


def test_prototype_and_words_of_an_asset() -> None:
    vectors = np.eye(3, dtype=np.float32)[:2]
    made = prototype(vectors)
    assert (made.members, made.cohesion) == (2, pytest.approx(0))
    assert prototype(vectors[:1]).cohesion is None
    known = Known(["complaint audit", "review of the pleading"], vectors)
    like = known.likeness(vectors[1], stems("audit complaints"))
    assert like.cosine == pytest.approx(2**-0.5)
    assert like.nearest == 1
    assert known.nearest(vectors[1]) == "review of the pleading"
    assert like.lexical == 1
    assert lexical(stems("complaint audit"), words_of(["audit the complaint", "and much more beside"])) == 1
    assert 0.5 < lexical(stems("complaint letter"), words_of(["audit the complaint"])) < 0.6
    assert lexical(frozenset(), ()) == 0


def test_the_level_of_members_rises_with_their_number_and_cohesion() -> None:
    assert level(1, None, 0.7) == pytest.approx(0.7)
    assert level(1, None, 0.7) < level(3, 0.7, 0.7) < level(10, 0.7, 0.7) < level(10, 0.9, 0.7) < 1


def test_the_constants_are_of_this_version() -> None:
    kept = json.loads((Path(ranker.__file__).parent / FILE).read_text(encoding="utf-8"))
    assert (kept["ranker"], kept["version"]) == (ranker.NAME, ranker.VERSION)
    kinds = [one for model in kept["models"] for one in calibration_for(model).kinds.values()]
    assert all(bound < one.match for one in kinds for _, bound in one.nothing.known)


def test_the_bound_is_lower_with_few_phrases_and_on_a_straight_line_between() -> None:
    for model in json.loads((Path(ranker.__file__).parent / FILE).read_text(encoding="utf-8"))["models"]:
        bounds = calibration_for(model).kinds[KnownBy.phrases].nothing
        several = [bounds.at(1 / members) for members in (30, 11, 8, 4, 3, 2, 1)]
        assert several == sorted(several, reverse=True)
        assert bounds.at(1 / 30) == pytest.approx(bounds.at(1 / 11), abs=1e-4)
        assert bounds.at(1 / 11) > bounds.at(1 / 2) == bounds.at(1)
    assert Bounds(((0.0, 1.0), (1.0, 3.0))).at(0.25) == 1.5


def test_a_model_without_calibration_is_refused() -> None:
    with pytest.raises(ModelNotCalibrated):
        calibration_for("other_model")


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    """JSON may hold other separators of lines as they are, and sets of real requests do."""
    path = tmp_path / "set.jsonl"
    rows = [{"split": split, "intent": "a", "text": f"one\u2028two\u0085 {split}"} for split in ("train", "test")]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", encoding="utf-8")
    assert [text for text, _ in read(path).requests] == ["one\u2028two\u0085 test"]
