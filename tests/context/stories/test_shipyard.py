"""A shipyard: the weekly look at a hull, a question from a chat, and a view over all hulls."""

from typing import Any

import pytest

from tests.context.stories.house import Expected, House, at_hour, held
from tests.memory.stories import POLICY, Story, step

pytestmark = pytest.mark.slow
EVER: dict[str, Any] = {"global": True}
INSPECT = {
    "instruction": "Inspect the weld seams of the hull and list what has to be repaired.",
    "output_contract": "A list of repairs.",
}
TURN = {"run_window_start": "2026-01-05T00:00:00.000Z", "run_window_end": "2026-01-12T00:00:00.000Z"}
SINCE = {"valid_from": "2020-01-01T00:00:00.000Z"}


def _run(house: House, key: str, *modules: str, **policy: Any) -> Story:
    story = Story({"source": "yard", "key": key}, {**POLICY, **policy})
    story.tell("run_started", task_key="inspect", task_name="Weld inspection", name=key)
    for module in modules:
        story.tell("activation_started", **step(module), module_type="step.agent_task")
    return story


async def _yard(house: House) -> None:
    await house.entities("matter", "Hull 41", "Hull 57")
    await house.entities("library", "Welding standards", "Paint suppliers")
    await house.entities("folder", "Seams", "Antifouling")
    await house.entities("document", "Seam standard", summary="How weld seams of a hull are inspected and repaired.")
    await house.entities("document", "Antifouling prices", summary="Prices of paint for the weld seams of a hull.")
    await house.entities("document", "Scan of seam 12", **house.of("Hull 41"))
    await house.links("PART_OF", "Welding standards", "Seams")
    await house.links("PART_OF", "Paint suppliers", "Antifouling")
    await house.link("Seam standard", "PART_OF", "Seams")
    await house.link("Antifouling prices", "PART_OF", "Antifouling")
    await house.save("Task", "Weld inspection", source="yard", source_key="inspect", task_type="inspection")
    await house.save("Restriction", "Hot work permit", statement="No hot work without a permit.", **EVER)
    await house.save("Restriction", "Crane", statement="Nobody under the hook.", side_effect_classes=["crane_move"])
    await house.save("Restriction", "Prices stay here", statement="Tell no price.")
    await house.link("Prices stay here", "APPLIES_TO", "Paint suppliers")
    await house.save("Preference", "Frame numbers", statement="Name places by frame.", **house.of("Hull 41"))
    await house.save("Preference", "Of the other hull", statement="Name places by deck.", **house.of("Hull 57"))


async def test_the_weekly_look_at_a_hull(house: House) -> None:
    await _yard(house)
    weekly = {"schedule_id": "s-1", "recurrence_rule": "FREQ=WEEKLY", "carry_forward_scope_from_prior_run": False}
    await house.save("Schedule", "Every Monday", **weekly)
    await house.link("Weld inspection", "SCOPED_TO", "Hull 41")
    await house.link("Weld inspection", "SCOPED_TO", "Paint suppliers")
    await house.embed()
    await house.report(at_hour(_run(house, "Last week", **house.of("Hull 41")).tell("run_completed"), 7))
    await house.report(at_hour(_run(house, "Still open", **house.of("Hull 41")), 7))
    run = await house.report(_run(house, "This week", "look", **house.of("Hull 41")).events)
    turn = {"kind": "schedule", "schedule": {"schedule": house.ref("Every Monday"), **TURN}}
    await house.open(run, trigger=turn, exclude=house.refs("Paint suppliers"))
    files = house.refs("Seam standard", "Scan of seam 12", "Antifouling prices")
    ports = [{"port": "file", "summary": "A standard and a scan.", "refs": files}]
    packet = await house.packet(run, "look", config=INSPECT, ports=ports, side_effect_class="file_write")
    held(
        packet,
        Expected(
            given=frozenset(
                {"Hot work permit", "Frame numbers", "Hull 41", "Every Monday", "Last week", "Seam standard",
                 "Scan of seam 12", "Welding standards", "schedule trigger of This week"}
            ),
            kept_out={
                "Paint suppliers": "policy_blocked",
                "Antifouling prices": "policy_blocked",
                "Prices stay here": "not_task_bound",
                "Crane": "not_task_bound",
            },
            unseen=frozenset({"Of the other hull", "Still open", "Hull 57"}),
        ),
    )  # fmt: skip
    assert "FREQ=WEEKLY" in packet["markdown"]


async def test_what_comes_from_a_chat_reaches_no_module_whose_policy_forbids_it(house: House) -> None:
    await _yard(house)
    await house.save("SurfaceContext", "Talk with the foreman", surface_kind="chat", summary="He saw a crack.")
    await house.save("SurfaceContext", "Talk about lunch", surface_kind="chat")
    await house.entities("document", "Photograph of the crack", "Menu")
    await house.link("Talk with the foreman", "SHOWS", "Photograph of the crack")
    await house.link("Talk about lunch", "SHOWS", "Menu")
    forbids = {"policy_kind": "context", "task_key": "inspect", "surface_context_forbidden": True, **SINCE}
    await house.save("Policy", "Blind second look", module_key="again", **forbids)
    # A policy that says no less for a narrower place gives nothing back.
    allows = {**forbids, "surface_context_forbidden": False, "module_type": "step.agent_task"}
    await house.save("Policy", "But agents may", module_key="again", **allows)
    await house.embed()
    run = await house.report(_run(house, "From the chat", "look", "again").events)
    chosen = {"surface_context_policy": "explicit_inherit", "inherited_surfaces": house.refs("Talk with the foreman")}
    await house.open(run, launch_surface="chat", **chosen)
    always = {"Hot work permit", "Crane"}
    seen = {"Talk with the foreman", "Photograph of the crack"}
    other = {"Talk about lunch": "not_run_bound", "Menu": "active_context_recency_only"}
    held(await house.packet(run, "look", config=INSPECT), Expected(frozenset(always | seen), other))
    blind = Expected(
        frozenset(always),
        {**dict.fromkeys(seen, "policy_blocked"), "Talk about lunch": "policy_blocked"},
    )
    held(await house.packet(run, "again", config=INSPECT), blind)


async def test_a_view_over_hulls_opens_those_that_it_names(house: House) -> None:
    await _yard(house)
    await house.save("Restriction", "Of hull 57", statement="The owner is not to be named.", **house.of("Hull 57"))
    for hull in ("Hull 41", "Hull 57"):
        story = _run(house, f"Look at {hull}", "look", **house.of(hull))
        story.tell("artifact_produced", artifact_key=f"{hull}-list", artifact_kind="document",
                   name=f"Repairs of {hull}", output_class="final_output", **step("look"))  # fmt: skip
        story.tell("run_completed")
        await house.report(at_hour(story, 8))
    await house.embed()
    run = await house.report(_run(house, "Compare", "compare").events)
    bounds = {"entities": house.refs("Hull 41", "Hull 57"), "kinds": ["Run", "Artifact"]}
    await house.open(run, broad_scope="Repairs of both hulls.", broad_bounds=bounds)
    held(
        await house.packet(run, "compare", config={"instruction": "Compare the repairs."}),
        Expected(
            given=frozenset(
                {"Hot work permit", "Crane", "Look at Hull 41", "Look at Hull 57", "Repairs of Hull 41",
                 "Repairs of Hull 57"}
            ),
            unseen=frozenset({"Frame numbers", "Of the other hull", "Of hull 57", "Paint suppliers"}),
        ),
    )  # fmt: skip
