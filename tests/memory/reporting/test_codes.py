"""The codes of the specification: what docs/codes.md says to be raised is raised, and is tested."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import resolvers
import service
from graph_schema.registry import REGISTRY
from service.commands.work import State
from service.context.packets.rules import PacketWarning
from service.context.scope.rules import ScopeWarning
from service.errors import TaskloreError
from service.knowledge.lookup.read import NO_PACK
from service.knowledge.pack.read import BEHIND, BLOCKING
from service.knowledge.preflight.issues import CODES
from service.knowledge.prompts.keep import KEEPS_NOTHING
from service.learning.design.validation import DesignCode
from service.library.warnings import LibraryWarning
from service.memory.audit import rules
from service.memory.audit.load import Link
from service.memory.audit.load import Story as Loaded
from service.memory.continuation.rules import UNSCOPED
from service.memory.questions.rules import NO_QUICK_ACCESS
from service.memory.reporting.findings import FindingCode, findings
from service.memory.views.anomalies import AnomalyCode
from service.tools.warnings import ToolWarning
from tests.memory.conftest import Executor
from tests.memory.stories import Story, step

ROOT = Path(__file__).parents[3]
ROWS = re.findall(r"^\| `([\w.]+)` \| (\w+) \| (.+?) \|$", (ROOT / "docs/codes.md").read_text(), re.MULTILINE)
TESTS = "".join(file.read_text() for file in (ROOT / "tests").rglob("*.py"))


def _errors(kind: type[TaskloreError] = TaskloreError) -> Iterator[str]:
    yield kind.code
    for one in kind.__subclasses__():
        yield from _errors(one)


def _raised() -> set[str]:
    for package in (service, resolvers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(("__main__", "remake_lock")):
                importlib.import_module(module.name)
    words = (FindingCode, LibraryWarning, ScopeWarning, PacketWarning, AnomalyCode, ToolWarning, DesignCode)
    said = {str(one) for kind in words for one in kind}
    examined = {code for code, _ in CODES.values()}
    packs = {BLOCKING, BEHIND, NO_PACK}
    return {*_errors(), *said, *examined, *packs, KEEPS_NOTHING, rules.REDACTION_REQUIRED, UNSCOPED, NO_QUICK_ACCESS}


def test_every_listed_code_is_raised_and_every_raised_one_is_listed() -> None:
    raised = {one for one in _raised() if one.startswith(("validation.", "warning."))}
    listed = {code for code, _, _ in ROWS}
    here = {code for code, _, where in ROWS if not where.startswith("open: ")}
    assert len(ROWS) == len(listed) > 20
    assert here <= raised
    assert not raised & {code for code, _, where in ROWS if where.startswith("open: ")}
    assert raised <= listed


@pytest.mark.parametrize("code", [code for code, _, where in ROWS if not where.startswith("open: ")])
def test_every_code_that_is_raised_has_a_test(code: str) -> None:
    assert f'"{code}"' in TESTS


SESSION = {"session_key": "s", "continuation_status": "available", **step("m")}


@pytest.mark.parametrize("kind", ["one_shot_gateway_call", "archived_session", "unavailable"])
async def test_no_session_is_offered_that_cannot_be_continued(executor: Executor, kind: str) -> None:
    story = Story().tell("session", session_kind=kind, **SESSION)
    story.tell("session", session_kind="resumable_openclaw_session", **SESSION)
    bad, good = await executor.report(story.events)
    assert (bad.code, bad.field) == ("validation.module_session_continuation_phantom_control", "continuation_status")
    assert (good.outcome, bool(bad.remedy)) == ("accepted", True)


async def test_a_capability_is_not_both_mounted_and_denied(executor: Executor) -> None:
    story = Story().tell("snapshot", snapshot_key="c", snapshot_kind="capability", mounted_capabilities=["a", "b"],
                         denied_capabilities=["b"]).tell("run_started")  # fmt: skip
    bad, good = await executor.report(story.events)
    assert (bad.code, bad.field) == ("validation.capability_denied_but_requested", "mounted_capabilities")
    assert (good.outcome, bool(bad.remedy)) == ("accepted", True)


_RUN: dict[str, Any] = {
    "capture_prompts": "redacted",
    "capture_outputs": "redacted_summary",
    "memory_mode": "standard",
    "status": "completed",
}
_STEP: dict[str, Any] = {"module_key": "m", "activation_seq": 1}


def _story(*records: tuple[str, dict[str, Any]], links: tuple[Link, ...] = (), **run: Any) -> Loaded:
    whole = State(REGISTRY.types["Run"], ("Run",), {"id": "run", **_RUN, **run})
    parts = [
        State(REGISTRY.types[label], (label,), {"id": f"{label}{place}", "run_id": "run", **values})
        for place, (label, values) in enumerate(records)
    ]
    return Loaded(whole, {one.id: one for one in [whole, *parts]}, list(links))


def _codes(story: Loaded) -> list[str]:
    return [one.code.value for one in findings(story)]


_CALLED = ("Activation", {**_STEP, "status": "success", "model_ref": "x"})
_PROMPT = ("Snapshot", {**_STEP, "snapshot_kind": "prompt"})
_SENT = ("Delivery", {**_STEP, "delivery_kind": "email", "status": "delivered"})
_FINAL = ("Artifact", {"output_class": "final_output", "artifact_kind": "document", "intake_level": "run_only"})
_MIDDLE = ("Artifact", {"output_class": "intermediate_output", "intake_level": "run_only"})
_TOLD = ("Activation", {**_STEP, "status": "success", "output_summary": ["x"]})
_SEND = ("Span", {**_STEP, "span_kind": "output_delivery", "status": "success"})
_GATE = ("Gate", {"gate_key": "g"})

FINDINGS: list[tuple[str, Loaded, Loaded]] = [
    ("validation.prompt_snapshot_required_missing", _story(_CALLED), _story(_CALLED, _PROMPT)),
    ("validation.prompt_snapshot_required_missing", _story(_CALLED), _story(_CALLED, capture_prompts="never")),
    ("validation.capability_required_unavailable",
     _story(("Snapshot", {"required_capabilities": ["a", "b"], "mounted_capabilities": ["b"]})),
     _story(("Snapshot", {"required_capabilities": ["b"], "mounted_capabilities": ["a", "b"]}))),
    ("validation.task_delivery_record_missing_for_delivered_output", _story(_SEND), _story(_SEND, _SENT, _GATE)),
    ("validation.task_delivery_record_missing_for_delivered_output",
     _story(("Artifact", {"output_class": "sent_message", "intake_level": "run_only"})),
     _story(("Artifact", {"output_class": "sent_message", "intake_level": "run_only"}),
            links=(Link("Artifact0", "DELIVERED_BY", "d", {}),))),
    ("warning.module_output_link_missing",
     _story(_TOLD), _story(_TOLD, links=(Link("Activation0", "PRODUCED", "a", {}),))),
    ("warning.final_output_not_saved_as_work_product", _story(_FINAL), _story(_FINAL, status="running")),
    ("warning.final_output_not_saved_as_work_product",
     _story(_FINAL), _story(_FINAL, links=(Link("Artifact0", "BECAME", "w", {}),))),
    ("warning.intermediate_output_likely_high_value",
     _story(("Artifact", {**_MIDDLE[1], "opened_count": 1})), _story(_MIDDLE)),
    ("warning.human_gate_recommended_before_side_effect", _story(_SENT), _story(_SENT, _GATE)),
    ("warning.human_gate_recommended_before_side_effect",
     _story(_SENT), _story(("Delivery", {**_SENT[1], "policy_approval_ref": "x"}))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "lacking", "whole"), FINDINGS, ids=[f"{n}-{o[0]}" for n, o in enumerate(FINDINGS)])
def test_a_finding_is_there_when_something_lacks_and_not_otherwise(code: str, lacking: Loaded, whole: Loaded) -> None:
    assert _codes(lacking) == [code]
    assert _codes(whole) == []


def test_nothing_is_said_to_lack_that_may_be_hidden() -> None:
    hidden = _story(_CALLED, _SEND, _FINAL, capture_prompts="full_local_only", capture_outputs="full_local_only")
    assert _codes(hidden) == []
