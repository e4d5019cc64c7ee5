"""Invocation directives on the real server: taught by commands, embedded by the real model, met by requests."""

from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.routing.directives.read import Directives
from service.routing.directives.rules import MatchedDirective
from tests.routing.office import Office

pytestmark = pytest.mark.slow

AUDIT: dict[str, Any] = {
    "name": "Complaint audit",
    "invocation_policy": "run_existing_task_after_confirmation",
    "trigger_phrases": ["complaint audit"],
    "semantic_lookup_phrases": ["check our draft complaint for weaknesses"],
    "use_conditions": ["a full review of a pleading is wanted"],
    "non_use_conditions": ["only a quick look"],
}


def audit(**more: Any) -> dict[str, Any]:
    return {**AUDIT, **more}


async def met(office: Office, text: str, viewer: Viewer | None = None, *entities: str) -> dict[str, MatchedDirective]:
    found = await office.services[Directives].match(viewer or await office.viewer(), text, entities=entities)
    return {one.name: one for one in found}


async def test_a_directive_is_met_by_its_words_and_by_its_meaning(office: Office) -> None:
    template = await office.new("Template", name="Complaint Evaluation")
    gone = await office.new("Template", name="Old evaluation")
    audit = await office.new("InvocationDirective", **AUDIT)
    for one in (template, gone):
        await office.link(audit, "TARGETS", one)
    await office.become(gone, "deprecated")
    said = "Please do the complaint audit for Marex before you go home, and tell me what you found."
    taught = (await met(office, said))["Complaint audit"]  # before there is any vector
    assert (taught.taught, taught.similarity, taught.phrase) == (True, None, "complaint audit")
    assert [(one.name, one.kind) for one in taught.templates] == [("Complaint Evaluation", "Template")]
    await office.new(
        "InvocationDirective", name="Cake", invocation_policy="suggest_task", trigger_phrases=["bake a cake"]
    )
    await office.embed()
    alike = await met(office, "could you look for weak spots in the draft complaint")
    assert [*alike] == ["Complaint audit"]
    assert not alike["Complaint audit"].taught
    assert alike["Complaint audit"].probability > 0.5
    assert [*await met(office, "please do the complaint aduit")] == ["Complaint audit"]
    assert await met(office, "how far away is the moon") == {}
    against = (await met(office, "complaint audit, but only a quick look"))["Complaint audit"]
    assert (against.taught, against.against) == (True, "only a quick look")


async def test_only_what_is_active_visible_and_in_scope_holds(office: Office) -> None:
    matter, other = await office.matter(), await office.matter("Other")
    await office.new("InvocationDirective", **audit(name="Everywhere"))
    await office.new("InvocationDirective", **audit(name="Hidden", matter_ids=[matter]))
    limited = await office.new("InvocationDirective", **audit(name="Limited"))
    await office.link(limited, "SCOPED_TO", other)
    waiting = await office.new("InvocationDirective", await office.agent(), **audit(name="Waiting"))
    for state in ("suppressed", "deprecated", "archived"):
        await office.become(await office.new("InvocationDirective", **audit(name=state)), state)
    await office.embed()
    stranger = await office.viewer(matters=[other])
    assert {*await met(office, "complaint audit")} == {"Everywhere", "Hidden"}
    assert {*await met(office, "complaint audit", stranger)} == {"Everywhere"}
    assert {*await met(office, "complaint audit", stranger, other)} == {"Everywhere", "Limited"}
    assert (await office.stored(waiting))["authority_source"] == "system_candidate"
    await office.become(waiting, "active")
    assert "Waiting" in await met(office, "complaint audit")


async def test_what_is_hidden_does_not_crowd_out_what_is_seen(office: Office) -> None:
    matter = await office.matter()
    await office.new("InvocationDirective", **AUDIT)
    for number in range(25):
        said = [f"weak spots in the draft complaint {number}"]
        hidden = audit(name=f"Hidden {number}", trigger_phrases=said, matter_ids=[matter])
        await office.new("InvocationDirective", **hidden)
    await office.embed()
    stranger = await office.viewer(matters=[])
    asked = "could you look for weak spots in the draft complaint"
    assert {*await met(office, asked, stranger)} == {"Complaint audit"}
    assert len(await met(office, asked)) > 5


async def test_a_directive_that_contradicts_itself_is_refused(office: Office) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        (
            "confirmation_policy",
            {"authority_source": "learned_from_acceptance", "confirmation_policy": "auto_run_if_user_explicit"},
        ),
        ("task_agent_entrypoint", {"task_agent_entrypoint": "consult_task_opportunity"}),
        ("confidence", {"confidence": 1.5}),
    ]
    for field, values in wrong:
        with pytest.raises(TaskloreError) as refused:
            await office.new("InvocationDirective", **audit(**values))
        assert (refused.value.code, refused.value.field) == ("invalid_input", field)
        assert refused.value.remedy
    for field, text in (("text", " "), ("text", "x" * 2_001)):
        with pytest.raises(TaskloreError) as refused:
            await met(office, text)
        assert (refused.value.code, refused.value.field) == ("invalid_input", field)


async def test_an_agent_proposes_directives_and_puts_none_into_use(office: Office) -> None:
    own = await office.new("InvocationDirective", await office.agent(), **AUDIT)
    agent = await office.agent()
    assert (await office.stored(own))["lifecycle_state"] == "candidate"
    with pytest.raises(TaskloreError) as refused:
        await office.become(own, "active", agent)
    assert refused.value.code == "approval_required"
    with pytest.raises(TaskloreError) as refused:
        await office.new("InvocationDirective", agent, **AUDIT, authority_source="user_taught")
    assert refused.value.code == "approval_required"
    learned = await office.new("InvocationDirective", **AUDIT, authority_source="learned_from_acceptance")
    assert (await office.stored(learned))["lifecycle_state"] == "candidate"


async def test_a_directive_without_phrases_is_met_by_what_it_is_called(office: Office) -> None:
    bare = await office.new("InvocationDirective", name="Weekly billing digest", invocation_policy="suggest_task")
    assert (await office.stored(bare))["semantic_lookup_phrases"] == ["Weekly billing digest"]
    await office.embed()
    assert [*await met(office, "make me the weekly digest of the billing")] == ["Weekly billing digest"]


def test_an_invocation_directive_is_no_routing_directive() -> None:
    states = [one.value for one in REGISTRY.types["InvocationDirective"].states]
    assert states == ["candidate", "active", "suppressed", "deprecated", "archived"]
    assert REGISTRY.types["Directive"].plural != REGISTRY.types["InvocationDirective"].plural
