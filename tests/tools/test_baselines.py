"""What calls of tools come to, told as data in `baselines.yaml`: the film list, the feeds, arithmetic and others."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tools.workshop import Workshop, ago, ask, outcome

pytestmark = pytest.mark.slow

Said = dict[str, Any]
STORIES: list[Said] = yaml.safe_load((Path(__file__).parent / "baselines.yaml").read_text(encoding="utf-8"))


def _outcome(story: Said, place: int, one: Said) -> Said:
    said = {"boundary_axes": one.get("axes"), "evidence": one.get("evidence"), "suggested_split": one.get("split")}
    metadata = {name: value for name, value in said.items() if value}
    return {
        **outcome(f"{story['tool']} {place}", one["type"], tool={"key": story["tool"]}),
        "occurred_at": ago(hours=one["hours"]),
        "metadata": metadata or None,
        "method": one.get("method"),
        "error_code": one.get("error"),
        "ask": {"key": one["ask"]} if "ask" in one else None,
    }


def _ask(story: Said, one: Said) -> Said:
    told = {"session": story["tool"], "capability_pattern": one["pattern"], "task_shape": one["shape"]}
    return ask(one["key"], **told, asked_at=ago(minutes=one["minutes"]))


async def test_what_was_reported_comes_to_what_the_stories_say(workshop: Workshop) -> None:
    for story in STORIES:
        calls = [_outcome(story, place, one) for place, one in enumerate(story["outcomes"])]
        await workshop.taken(*({name: value for name, value in one.items() if value is not None} for one in calls))
        if "asks" in story:
            await workshop.asked(*(_ask(story, one) for one in story["asks"]))
    advice = await workshop.evaluate()
    for story in STORIES:
        found = await workshop.health(key=story["tool"])
        told = {name: getattr(found, name) for name in story["health"]}
        assert told == story["health"], (story["story"], story["why"])
        assert {one.error_class.value: one.count for one in found.errors} == story.get("errors", {}), story["story"]
        if "axes" in story:
            assert {one.axis: [*one.said] for one in found.boundary_axes} == story["axes"]
        kinds = sorted(one.recommendation_kind.value for one in advice if one.tool_id == found.tool_id)
        assert kinds == story.get("advice", []), (story["story"], story["why"])
    expected = {(one, other) for story in STORIES for one, other in story.get("corrections", ())}
    assert await workshop.corrections() == expected
