"""Requests of domains that nothing was written for, with a library of theirs: how well they are decided, what they call
by name, alias and taught phrase, and when it has to be asked."""

from pathlib import Path
from typing import Any

import pytest

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.memory.reporting.commands import Reporting
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.keep import KeptModes
from service.routing.decision.read import TaskModes
from service.routing.decision.request import RequestAttachment, TaskModeRequest
from service.routing.evaluation.figures import figures
from service.routing.evaluation.rows import read
from service.routing.evaluation.trial import judged_in
from tests.memory.stories import Story
from tests.routing.domains import furnish, settled
from tests.routing.office import Office

UNSEEN = Path(__file__).with_name("unseen.jsonl")
STANDS = "Where is the survey task?"
HEARD: dict[str, Any] = {"selected_mode": Mode.run_existing_saved_task, "task_opportunity_level": Level.explicit}

pytestmark = pytest.mark.slow


async def decided(office: Office, text: str, **facts: Any) -> TaskModeDecision:
    return await office.services[TaskModes].decide(await office.viewer(), TaskModeRequest(text=text, **facts))


async def test_requests_of_other_domains_are_decided_well(office: Office) -> None:
    await furnish(office)
    found = figures(await judged_in(office.services, read(UNSEEN)))
    assert found.accuracy >= 0.85, found.lines()
    assert found.explicit
    assert found.explicit[0] / found.explicit[1] >= 0.85, found.lines()


async def test_tasks_runs_and_outputs_are_called_by_name_alias_and_taught_phrase(office: Office) -> None:
    await furnish(office)
    opened = await decided(office, "Open the weld defct list")
    assert (opened.selected_mode, opened.task_opportunity_level) == (Mode.retrieve_saved_task_output, Level.explicit)
    assert [one.name for one in opened.outputs] == ["Weld defect list"]
    assert [one.name for one in opened.runs] == ["Hull inspection of the Aurora"]
    assert "Weld defect list" in (opened.say or "")
    asked = await decided(office, "Has the Aurora hull inspecton finished yet?")
    assert (asked.selected_mode, asked.runs[0].name) == (Mode.inspect_saved_task_run, "Hull inspection of the Aurora")
    inside = await decided(office, "Pull up the photo log from the Aurora hull inspection")
    assert [one.name for one in inside.outputs] == ["Photo log"]
    made = await decided(office, "Write me a weld defect list with twelve made-up entries")
    assert made.selected_mode is Mode.direct_chat

    task = await office.new("Task", name="Evening Medication Walk", aliases=["bedside round"])
    called = await decided(office, "run the bedside rond")
    assert (called.selected_mode, [one.id for one in called.tasks]) == (HEARD["selected_mode"], [task])
    assert called.tasks[0].name == "Evening Medication Walk"
    assert (await decided(office, "what is a bedside round?")).selected_mode is Mode.direct_chat

    taught = await office.new(
        "InvocationDirective", name="Bosun", invocation_policy="suggest_task", trigger_phrases=["bosun's look"]
    )
    await office.link(taught, "TARGETS", task)
    ran = await decided(office, "Run the bosun's look, please")
    assert (ran.selected_mode, [one.id for one in ran.tasks]) == (HEARD["selected_mode"], [task])
    suggested = await decided(office, "I need a bosun's look")
    assert suggested.selected_mode is Mode.suggest_existing_saved_task
    assert (await decided(office, "Don't run the bosun's look")).selected_mode is Mode.direct_chat
    phrase = await decided(office, "Start the hull check", conversation_turns=3)
    template = await office.new("Template", name="Keel and Plates", trigger_phrases=["hull check"])
    steered = await office.new("Template", name="Stem to Stern")
    lesson = await office.new("Directive", directive_kind="prefer_when_phrase", phrase_or_condition="sea trial")
    await office.link(lesson, "STEERS", steered)
    assert phrase.selected_mode is not Mode.run_existing_saved_task
    for text, meant in (("Start the hull check", template), ("kick off the sea trial", steered)):
        found = await decided(office, text)
        assert (found.selected_mode, found.matched_task_templates[0].id) == (HEARD["selected_mode"], meant), text
    assert (await decided(office, "What does a hull check cost?")).selected_mode is Mode.direct_chat


async def test_it_is_asked_where_several_are_called_alike_or_what_it_works_on_is_missing(office: Office) -> None:
    for name in ("Hydrant Survey", "Bridge Survey"):
        await office.new("Template", name=name, expected_inputs=["district_map"])
    viewer = await office.viewer()
    for name in ("Hydrant Survey", "Bridge Survey"):
        run = {"source": "exec", "key": name}
        story = Story(run).tell("run_started", task_key=name, task_name=name, name=f"{name} of May")
        story.tell("run_completed")
        await office.services[Reporting].report(viewer, story.events)
    await settled(office)
    for text in (STANDS, "Send me the output of the survey task", "Add a photo step to the survey task"):
        found = await decided(office, text)
        asked = (found.selected_mode, found.task_opportunity_level)
        assert asked == (Mode.ask_clarifying_question, Level.explicit), text
        assert "Hydrant Survey" in (found.say or ""), found.say
        assert "Bridge Survey" in (found.say or ""), found.say
    assert (await decided(office, "Where is the bridge survey task?")).selected_mode is Mode.inspect_saved_task_run
    kept = (await office.services[KeptModes].keep(viewer, TaskModeRequest(text=STANDS))).result["id"]
    again = await office.services[KeptModes].compare(viewer, kept)
    assert (again.same, again.replayed_mode) == (True, Mode.ask_clarifying_question)

    plain = await decided(office, "Run the Hydrant Survey task")
    assert plain.selected_mode is Mode.run_existing_saved_task
    assert "It works on district map" in (plain.say or "")
    assert "input_not_named" in {one.code for one in plain.missing}
    on_this = "Run the Hydrant Survey task on this"
    assert (await decided(office, on_this)).selected_mode is Mode.run_existing_saved_task
    assert (await decided(office, on_this, conversation_turns=9)).selected_mode is Mode.run_existing_saved_task
    nothing = await decided(office, on_this, conversation_turns=0)
    assert nothing.selected_mode is Mode.ask_clarifying_question
    assert nothing.say == "Hydrant Survey works on district map. Where do I find that?"
    photo, chart = RequestAttachment(name="cat.jpg", kind="photo"), RequestAttachment(name="north.pdf", kind="map")
    assert (await decided(office, on_this, attachments=(photo,))).selected_mode is Mode.ask_clarifying_question
    given = await decided(office, on_this, attachments=(chart,), conversation_turns=0)
    assert (given.selected_mode, given.missing) == (Mode.run_existing_saved_task, ())


async def test_presets_are_matched_beside_templates(office: Office) -> None:
    await furnish(office)
    found = await decided(
        office, "Read all medication charts thoroughly, give their entries as a table and keep an audit trail"
    )
    assert "Chart reader" in [one.name for one in found.matched_module_presets]
    assert (await decided(office, "Name three rivers in Norway")).matched_module_presets == ()
