"""What the checks of a campaign find: each of them is shown something that is wrong."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from tests.chaos import checks
from tests.chaos.checks import Footprints
from tests.chaos.deeds import LINES, Deed, Ledger
from tests.chaos.faults import planned
from tests.chaos.followers import Follower
from tests.chaos.luck import luck_of
from tests.chaos.picture import Picture

SAVE = "saveGoal"


def event(seq: int | None, about: str = "goal_a", at: str = "1", **values: Any) -> dict[str, Any]:
    shared = {"kind": "goal.created", "about_version": 1, "command_id": "records/1/0", "event_id": f"evt_{seq}"}
    return {"seq": seq, "about": about, "at": at, **shared, **values}


def picture(*events: dict[str, Any], **known: Any) -> Picture:
    commands: dict[str, tuple[int, int]] = known.get("commands", {})
    return Picture([*events], commands, Counter(known.get("reported", ())), known.get("runs", {}))


def deed(answer: dict[str, Any] | None = None, mutation: str = SAVE, **arguments: Any) -> Deed:
    return Deed("records/1", 0, mutation, arguments, answer=answer)


ACKNOWLEDGED = {"commandId": "records/1/0", "replayed": False, "recordId": "goal_a", "version": 1}
FOOTPRINTS = Footprints(steps={"records.0 saveGoal": Counter({"goal.created": 1})})
ONCE = {"records/1/0": (1, 1)}


def found(texts: Iterator[str]) -> str:
    return "; ".join(texts)


def test_a_log_that_is_whole_has_nothing_to_say() -> None:
    assert not found(checks.of_events(picture(event(1), event(2, at="2"), event(3, "goal_b", "1")), 0))


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ((event(1), event(3)), "1 numbers are missing"),
        ((event(1), event(None)), "have no number"),
        ((event(1), event(1)), "after event 1 comes 1"),
        ((event(1), event(2, event_id="evt_1")), "there 2 times"),
        ((event(1, at="2"), event(2, at="1")), "is older"),
    ],
)
def test_a_log_with_a_gap_a_double_or_another_order_is_found(events: tuple[dict[str, Any], ...], said: str) -> None:
    assert said in found(checks.of_events(picture(*events), 0))


def test_events_that_went_with_an_erased_record_are_no_gap() -> None:
    assert not found(checks.of_events(picture(event(1), event(5)), 1))


@pytest.mark.parametrize(
    ("answer", "commands", "events", "said"),
    [
        (ACKNOWLEDGED, ONCE, (event(1),), ""),
        (None, {}, (), ""),
        (None, ONCE, (event(1),), ""),
        (ACKNOWLEDGED, {}, (), "is there 0 times"),
        (ACKNOWLEDGED, {"records/1/0": (2, 2)}, (event(1),), "is there 2 times"),
        (None, {"records/1/0": (1, 0)}, (event(1),), "0 with a result"),
        (None, ONCE, (), "has the events {}"),
        (ACKNOWLEDGED, ONCE, (event(1), event(2)), "'goal.created': 2"),
    ],
)
def test_a_command_that_is_lost_doubled_or_half_is_found(
    answer: dict[str, Any] | None, commands: dict[str, tuple[int, int]], events: tuple[dict[str, Any], ...], said: str
) -> None:
    texts = found(checks.of_commands(picture(*events, commands=commands), [deed(answer)], FOOTPRINTS))
    assert said in texts if said else not texts


def test_a_report_that_is_lost_or_kept_twice_is_found() -> None:
    told = {"run": {"key": "r"}, "event_id": "1"}
    sent = deed({"accepted": 1, "duplicates": 0, "rejected": 0}, LINES, events=[told])
    runs = {"r": ["run_1"]}
    ledger = Ledger([sent])
    assert not found(checks.of_reports(picture(reported=[("run_1", "1")], runs=runs), ledger))
    assert "is not kept" in found(checks.of_reports(picture(runs=runs), ledger))
    assert "2 times" in found(checks.of_reports(picture(reported=[("run_1", "1")] * 2, runs=runs), ledger))
    assert "2 times" in found(checks.of_reports(picture(runs={"r": ["run_1", "run_2"]}), Ledger()))


def test_what_was_left_half_or_is_carried_out_again_is_found() -> None:
    assert not found(checks.of_settlement(deed({"replayed": True}), was_there=True))
    assert "and again" in found(checks.of_settlement(deed({"replayed": False}), was_there=True))
    half = {"accepted": 1, "duplicates": 1, "rejected": 0}
    assert "in part" in found(checks.of_settlement(deed(half, LINES, events=[]), was_there=False))


def test_a_lost_change_of_a_shared_record_is_found() -> None:
    def changed(version: int) -> Deed:
        return Deed(f"shared/{version}", 0, SAVE, {}, answer={"recordId": "goal_a", "version": version})

    assert not found(checks.of_shared([changed(1), changed(3), changed(2)]))
    assert "[2]" in found(checks.of_shared([changed(1), changed(3)]))
    assert found(checks.of_shared([changed(1), changed(1)]))


def test_a_story_that_left_too_much_or_too_little_is_found() -> None:
    left = {"goal_a": [["goal_a", ["Goal", "Record"], 1, ["CONCERNS"]]]}
    expected = Footprints(stories={"records": checks.footprint(["goal_a"], left)})
    assert not found(checks.of_stories({"records/1": {"goal_a"}}, left, expected))
    double = {"goal_a": [*left["goal_a"], ["goal_b", ["Goal", "Record"], 1, []]]}
    assert "too much" in found(checks.of_stories({"records/1": {"goal_a"}}, double, expected))


def test_a_subscriber_that_missed_an_event_or_had_one_twice_is_found() -> None:
    follower = Follower("x", ["http://127.0.0.1:1"], "", "", luck_of(1))
    follower.seen, follower.about = ["a", "b", "c"], {"a": "goal_a", "b": "mem_a", "c": "goal_a"}
    assert not found(follower.held_against(["a", "b", "c"], set()))
    assert not found(follower.held_against(["a", "c"], {"mem_a"}))
    assert "1 are missing" in found(follower.held_against(["a", "b", "d", "c"], set()))
    assert "order is another" in found(follower.held_against(["b", "a", "c"], set()))
    follower.seen.append("c")
    assert "1 came twice" in found(follower.held_against(["a", "b", "c"], set()))


def test_the_same_seed_plans_the_same_faults() -> None:
    first, again, other = ([*islice(planned(seed, 20, 1.0), 60)] for seed in (7, 7, 8))
    assert first == again != other
    assert sum(one.kills for one in first) == 20
