"""Holds the graph against what was acknowledged: each effect once, none half, events gapless and in order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.chaos.deeds import LINES, Deed, Ledger
from tests.chaos.picture import Picture

VARYING = frozenset({"knowledge", "matches", "routing", "attention", "shared"})
"""Families whose records tell of what else is in the graph, or are changed by others: their records are not counted."""

EVENTS_OF_ERASED = 3
OF_THE_WORLD = frozenset({"WEIGHED", "CONSIDERED"})
"""Links to whatever else there is."""


@dataclass
class Footprints:
    """What each step of a story, and a whole story, leaves in a calm graph."""

    steps: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """The kinds of its events."""
    stories: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """Labels, versions and links of the records that it made, by its family."""


def of_events(picture: Picture, erased: int) -> Iterator[str]:
    """Numbers without a gap from the first to the last, each once; those of a record in the order of its times.

    `erased`: so many records have been, each of which had no more than so many events, and took them along.
    """
    numbered = [one for one in picture.events if one["seq"] is not None]
    if picture.unnumbered:
        yield f"{picture.unnumbered} events have no number"
    for before, after in pairwise(numbered):
        if after["seq"] <= before["seq"]:
            yield f"after event {before['seq']} comes {after['seq']}"
    missing = numbered[-1]["seq"] - numbered[0]["seq"] + 1 - len(numbered) if numbered else 0
    if missing > erased * EVENTS_OF_ERASED:
        yield f"{missing} numbers are missing, and {erased} records were erased"
    for event_id, times in Counter(one["event_id"] for one in picture.events).items():
        if times > 1:
            yield f"event {event_id} is there {times} times"
    last: dict[str, dict[str, Any]] = {}
    for one in numbered:
        before = last.get(one["about"])
        if before and (one["at"], one["about_version"]) < (before["at"], before["about_version"]):
            yield f"event {one['seq']} of {one['about']} is older than {before['seq']}, which has a lower number"
        last[one["about"]] = one


def of_commands(picture: Picture, deeds: Iterable[Deed], footprints: Footprints) -> Iterator[str]:
    """Acknowledged: there, once, with its result and all its events. Not acknowledged: so too, or not at all."""
    kinds = picture.kinds_of_commands()
    for deed in deeds:
        times, results = picture.commands.get(deed.key, (0, 0))
        expected = footprints.steps.get(deed.step)
        if deed.answer is not None and deed.answer.get("commandId") and times != 1:
            yield f"{deed.step} of {deed.key} was acknowledged and is there {times} times"
        elif times > 1 or results != times:
            yield f"{deed.step} of {deed.key} is there {times} times, {results} with a result"
        elif times and expected is not None and kinds.get(deed.key, Counter()) != expected:
            found = dict(kinds.get(deed.key, {}))
            yield f"{deed.step} of {deed.key} has the events {found} instead of {dict(expected)}"


def of_reports(picture: Picture, ledger: Ledger) -> Iterator[str]:
    """What was reported and acknowledged is kept once, and nothing is kept twice."""
    for (whole, event_id), times in picture.reported.items():
        if times > 1:
            yield f"report {event_id} of {whole} is kept {times} times"
    for key, ids in picture.runs.items():
        if len(ids) > 1:
            yield f"run {key} is there {len(ids)} times"
    for deed in ledger.acknowledged():
        if deed.is_report:
            yield from _of_report(picture, deed)


def _of_report(picture: Picture, deed: Deed) -> Iterator[str]:
    assert deed.answer is not None
    told = _told(deed)
    if deed.answer["accepted"] + deed.answer["duplicates"] != len(told):
        yield f"{deed.step} of {deed.key} was answered {deed.answer}"
    for event in told if deed.mutation == LINES else ():
        run = picture.runs.get(event["run"]["key"], ["nowhere"])[0]
        if picture.reported[run, event["event_id"]] != 1:
            yield f"{deed.step} of {deed.key}: event {event['event_id']} was acknowledged and is not kept"
    for mutation, what in (("reportToolOutcomes", "outcome"), ("reportAsks", "ask")):
        for event in told if deed.mutation == mutation else ():
            if picture.reported[what, event["eventId"]] != 1:
                yield f"{deed.step} of {deed.key}: {what} {event['eventId']} was acknowledged and is not kept"


def _told(deed: Deed) -> Sequence[dict[str, Any]]:
    [told] = deed.arguments.values()
    return told


def of_settlement(deed: Deed, was_there: bool) -> Iterator[str]:
    """What nobody had answered was there whole, or not at all, and its id leads to the same."""
    assert deed.answer is not None
    if deed.is_report:
        mixed = deed.answer["rejected"] or (_is_fresh(deed) and deed.answer["accepted"] and deed.answer["duplicates"])
        if mixed:
            yield f"{deed.step} of {deed.key} was there in part: {deed.answer}"
    elif was_there and not deed.answer["replayed"]:
        yield f"{deed.step} of {deed.key} was carried out already, and again"


def _is_fresh(deed: Deed) -> bool:
    """Whether it tells nothing again that an earlier call of its story has told."""
    return deed.place == 0


def of_shared(deeds: Iterable[Deed]) -> Iterator[str]:
    """Of records that many change: each change has a version of its own, and no version is missing."""
    versions: dict[str, list[int]] = defaultdict(list)
    for deed in deeds:
        if deed.family == "shared" and deed.answer is not None:
            versions[deed.answer["recordId"]].append(deed.answer["version"])
    if len(versions) > SHARED:
        yield f"there are {len(versions)} shared records instead of {SHARED}"
    for record, found in versions.items():
        if sorted(found) != [*range(1, len(found) + 1)]:
            missing = sorted({*range(1, len(found) + 1)} - {*found})
            yield f"{record} was changed {len(found)} times, and the versions {missing[:9]} are nobody's"


SHARED = 3


def of_stories(stories: Mapping[str, set[str]], left: Mapping[str, list[Any]], footprints: Footprints) -> Iterator[str]:
    """What whole stories leave: records, their versions and their links, as in a calm graph."""
    for story, ids in stories.items():
        family = story.partition("/")[0]
        expected = footprints.stories.get(family)
        if expected is not None and (found := footprint(ids, left)) != expected:
            yield f"{story} left {dict(found - expected)} too much and {dict(expected - found)} too little"


def erased(deeds: Iterable[Deed]) -> set[str]:
    """The records that were made to be erased."""
    return {one.answer["recordId"] for one in deeds if one.family == "erased" and one.place == 0 and one.answer}


def footprint(ids: Iterable[str], left: Mapping[str, list[Any]]) -> Counter[str]:
    found: Counter[str] = Counter()
    rows = {row[0]: row[1:] for one in ids for row in left.get(one, [])}
    for labels, version, links in rows.values():
        label = "+".join(sorted({*labels} - {"Record"}))
        found[f"{label} of version {version}"] += 1
        found.update(f"{label} {link}" for link in links if link not in OF_THE_WORLD)
    return found


def records_of(picture: Picture, deeds: Iterable[Deed]) -> dict[str, set[str]]:
    """The records that each story made, and its run."""
    made = picture.made_by()
    found: dict[str, set[str]] = defaultdict(set)
    for deed in deeds:
        if deed.family not in VARYING:
            found[deed.story] |= made.get(deed.key, set())
            found[deed.story] |= {*picture.runs.get(f"{deed.story.replace('/', '-')}-run", [])}
    return {story: ids for story, ids in found.items() if ids}
