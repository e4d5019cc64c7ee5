"""Each moment, each class and each mode, as people of many trades meet them: `sessions.yaml` says what they expect."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from graph_schema.attention.words import AttentionMoment, InterventionClass, OperatingMode
from service.access.viewer import Viewer
from service.attention.deciding.view import AttentionDecision, AttentionOutput
from service.replay import ReplayOutcome
from tests.attention.desk import Desk, event

pytestmark = pytest.mark.slow

Said = dict[str, Any]
SESSIONS: list[Said] = yaml.safe_load((Path(__file__).parent / "sessions.yaml").read_text(encoding="utf-8"))
BEGINS = 300
"""Seconds before the base of all times."""


async def test_people_of_many_trades_are_asked_as_they_expect(desk: Desk) -> None:
    for place, one in enumerate(SESSIONS):
        who = await desk.viewer(f"prin_{place}")
        await _prepare(desk, one, who)
        told = [
            event("user_feedback", BEGINS, key=one["session"], component=one["component"], dimension=name, value=value,
                confidence=sure)
            for name, (value, sure) in one.get("told", {}).items()
        ]  # fmt: skip
        heard = [
            event(
                each["type"],
                BEGINS - each["seconds"],
                key=one["session"],
                component=one["component"],
                **each["payload"],
            )
            for each in one["events"]
        ]
        session = await desk.tell(*told, *heard, viewer=who)
        who = await desk.viewer(who.principal_id)
        for expected in one["decisions"]:
            decision = await desk.decide(session, expected["at"] - BEGINS, who)
            for name, value in _held_against(expected, decision).items():
                assert value == expected[name], (one["session"], expected["at"], name, one["why"])
            assert (await desk.replay(decision.trace_id)).outcome is ReplayOutcome.identical


async def _prepare(desk: Desk, one: Said, who: Viewer) -> None:
    if "mode" in one:
        await desk.mode(OperatingMode(one["mode"]), one["component"], who)
    if "capability" in one:
        named = {"source": "studio", "source_key": one["component"], "capability_kind": "tool"}
        await desk.new("Capability", **named, **one["capability"])
    for rule in one.get("rules", ()):
        await desk.new("AttentionRule", **rule)


def _held_against(expected: Said, decision: AttentionDecision) -> Said:
    found: Said = {
        "moments": [one.moment.value for one in decision.moments],
        "suppressed": [one.reason.value for one in decision.suppressed],
        "class": decision.intervention_class.value,
        "code": decision.class_code,
        "at": expected["at"],
    }
    if "outputs" in expected:
        assert len(decision.outputs) == len(expected["outputs"]), decision.outputs
        found["outputs"] = [
            {name: _told(one)[name] for name in wanted}
            for one, wanted in zip(decision.outputs, expected["outputs"], strict=True)
        ]
    return {name: found[name] for name in expected}


def _told(one: AttentionOutput) -> Said:
    return {
        "class": one.intervention_class.value,
        "code": one.class_code,
        "action": one.action.value,
        "mode": one.mode.value,
        "rule": one.rule_id,
        "summary": one.summary,
        "text": one.detail,
        "urgency": one.urgency,
        "critical": one.critical,
        "emitted": one.emitted,
        "fell_back": one.fell_back,
        "options": len(one.options),
        "left_out": one.options_left_out,
        "commands": [{name: value for name, value in asdict(each).items() if value} for each in one.view_commands],
    }


def test_the_sessions_are_of_every_moment_class_and_mode() -> None:
    decisions = [decision for one in SESSIONS for decision in one["decisions"]]
    outputs = [output for one in decisions for output in one.get("outputs", ())]
    classes = {one["class"] for one in (*outputs, *decisions) if "class" in one}
    assert {moment for one in decisions for moment in one.get("moments", ())} == {*AttentionMoment}
    assert classes == {*InterventionClass}
    assert {one["mode"] for one in outputs if "mode" in one} == {*OperatingMode}
