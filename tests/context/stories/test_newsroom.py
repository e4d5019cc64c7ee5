"""A newsroom: a tip that comes by mail, a piece in three drafts, and what people may say of it."""

from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope
from tests.context.stories.house import Expected, House, at_hour, held
from tests.memory.stories import POLICY, Story, step
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow
EVER: dict[str, Any] = {"global": True}
WRITE = {
    "instruction": "Write the piece about the bridge and check every claim against the council's minutes.",
    "output_contract": "A piece of 600 words.",
}
MAIL: dict[str, Any] = {
    "account": "tips@paper.example",
    "message_id": "m-1",
    "thread_id": "t-9",
    "subject": "The bridge again",
    "sender": "Nobody <nobody@mail.example>",
}
TOLD = """query ($of: RecordRefInput!) {
  impact(of: $of) { sentence deliveries { sent } } provenance(of: $of) { sentence } }"""


def _run(house: House, key: str, *modules: str, task: str = "piece", **policy: Any) -> Story:
    story = Story({"source": "desk", "key": key}, {**POLICY, **policy})
    story.tell("run_started", task_key=task, task_name="Write a piece", name=key)
    for module in modules:
        story.tell("activation_started", **step(module), module_type="step.agent_task")
    return story


async def _desk(house: House) -> None:
    await house.entities("matter", "Bridge inquiry", keys=["t-9"])
    await house.entities("matter", "Theatre season")
    await house.entities("account", "Tips", keys=["tips@paper.example"])
    await house.entities("library", "Council minutes", "Stock photographs")
    await house.entities("document", "Minutes of March", summary="What the council's minutes say of the bridge.")
    await house.entities("document", "Photograph of a bridge", summary="A bridge at sunset, for any piece.")
    await house.entities("document", "Leaked survey", **house.of("Bridge inquiry"))
    await house.link("Minutes of March", "PART_OF", "Council minutes")
    await house.link("Photograph of a bridge", "PART_OF", "Stock photographs")
    await house.save("Task", "Write a piece", source="desk", source_key="piece", task_type="article")
    await house.link("Write a piece", "SCOPED_TO", "Council minutes")


async def test_a_tip_by_mail_has_the_inquiry_and_nothing_of_the_theatre(house: House) -> None:
    await _desk(house)
    await house.save("Restriction", "Source protection", statement="Never name a source.", **EVER)
    await house.save("Restriction", "Survey under embargo", statement="Quote nothing of it before Friday.")
    await house.link("Survey under embargo", "APPLIES_TO", "Leaked survey")
    await house.save("Restriction", "No stock pictures", statement="Of this library nothing is used.")
    await house.save("Restriction", "Reviews", statement="No stars.", domains=["theatre"])
    await house.save("Procedure", "Tips", statement="Check a tip twice.", trigger_kinds=["email"])
    await house.save("Preference", "House style", statement="Short sentences.", task_types=["article"])
    await house.save(
        "Preference", "Blue headlines", statement="Theatre headlines are blue.", **house.of("Theatre season")
    )
    await house.save(
        "Agent", "Fact checker", agent_ref="checker", summary="Checks every claim of a piece against minutes."
    )
    await house.report(at_hour(_run(house, "Interview", task="interview", **house.of("Bridge inquiry")).tell(
        "run_completed", workflow_summary="Checked claims about the bridge for a piece."), 7))  # fmt: skip
    await house.report(at_hour(_run(house, "First night", **house.of("Theatre season")).tell("run_completed"), 7))
    await house.embed()
    for mode in ("standard", "full_ephemeral_test"):
        run = await house.report(_run(house, f"Tip, {mode}", "write", memory_mode=mode).events)
        mail = {**MAIL, "attachments": house.refs("Leaked survey")}
        await house.open(run, trigger={"kind": "email", "email": mail, "payload_summary": "See the survey."})
        packet = await house.packet(run, "write", config=WRITE)
        held(
            packet,
            Expected(
                given=frozenset(
                    {"Source protection", "Survey under embargo", "No stock pictures", "House style", "Tips",
                     "Bridge inquiry", "Leaked survey", "Council minutes", "Minutes of March", "Interview",
                     f"email trigger of Tip, {mode}"}
                ),
                kept_out={"Reviews": "wrong_task_type", "Fact checker": "profile_excludes_component"},
                unseen=frozenset({"Theatre season", "Blue headlines", "First night", "Stock photographs"}),
            ),
        )  # fmt: skip
        layers = {one["name"]: one["layer"] for one in packet["items"] if one["name"] != "Tips"}
        assert layers["Bridge inquiry"] == "entity_cards"


async def test_a_piece_is_told_as_far_as_the_one_who_asks_sees(house: House) -> None:
    await _desk(house)
    story = _run(house, "Bridge piece")
    minutes = {"kind": "Entity", "id": house.ids["Minutes of March"]}
    before: list[Any] = [minutes]
    for turn in (1, 2, 3):
        story.tell("activation_started", **step("write", turn))
        story.tell("artifact_produced", artifact_key=f"d{turn}", artifact_kind="document", name=f"Draft {turn}",
                   output_class="intermediate_output", derived_from=before, **step("write", turn))  # fmt: skip
        story.tell("activation_completed", **step("write", turn))
        before = [{"key": f"d{turn}"}, *before]
    story.tell("artifact_produced", artifact_key="final", artifact_kind="document", name="The piece",
               output_class="final_output", derived_from=[*reversed(before[:3]), minutes], **step("edit"))  # fmt: skip
    await house.report(story.events)
    # Another run, which only those of the inquiry see, sends it.
    other = _run(house, "Publication", "publish", task="publish", **house.of("Bridge inquiry"))
    other.tell("artifact_consumed", item={"kind": "Artifact", "key": "final"}, **step("publish"))
    other.tell("artifact_produced", artifact_key="page", artifact_kind="document", name="The page",
               output_class="final_output", derived_from=[{"key": "final"}], **step("publish"))  # fmt: skip
    other.tell("delivery", idempotency_key="site", delivery_kind="webhook", status="delivered", artifact_key="page",
               delivered_to=["the site"], **step("publish"))  # fmt: skip
    await house.report(other.events)
    piece = {"kind": "Artifact", "source": "desk", "key": "final"}
    seen = await house.ask(TOLD, of=piece)
    assert "1 delivery has gone out" in seen["impact"]["sentence"]
    assert "from the artifact “Draft 3”" in seen["provenance"]["sentence"]
    reader = await viewer_of(house.database, "reader", clearance=DataClass.internal, matters=[], scopes=[KeyScope.read])
    first = {"kind": "Artifact", "source": "desk", "key": "d3"}
    for of in (piece, first):
        told = (await house.ask(TOLD, reader, of=of))["impact"]
        assert told["deliveries"] == []
        assert "you can see" in told["sentence"], told["sentence"]
