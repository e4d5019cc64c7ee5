"""Applied and taken back: whatever a step does, what it changed says and leads to what it did before."""

from typing import Any

import pytest

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.commands import RecordRef
from service.knowledge.preflight.patching import GRAPH_OPERATIONS
from service.learning.proposals.blueprint_patch import PartOp
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalStep, ReviewDecision, ReviewInput
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.library.ties import Ties
from tests.learning.world import propose, replayed
from tests.routing.office import Office

pytestmark = pytest.mark.slow
KIND = ProposalKind.task_template_update


async def _bakery(office: Office) -> dict[str, str]:
    """A task with a graph of three modules, one of a preset; a blueprint whose steps are bound to them."""
    made = {
        "task": await office.new("Task", name="Night bake", description="Bakes."),
        "template": await office.new("Template", name="Bake", trigger_phrases=["bake bread"]),
        "preset": await office.new("Preset", name="Slow proof", module_type="step.agent_task"),
        "oven": await office.new("Capability", name="oven.start", capability_kind="tool"),
        "mixer": await office.new("Capability", name="mixer.start", capability_kind="tool"),
        "goal": await office.new("Goal", goal_statement="Bread by six", goal_type="task_outcome_goal"),
    }
    await office.link(made["template"], "ALLOWS", made["mixer"])
    keys = ("mix", "proof", "bake")
    modules = [ModuleInput(one, "step.agent_task", purpose=one, config='{"heat": 1}') for one in keys]
    graph = GraphInput(modules, [CableInput("mix", "proof"), CableInput("proof", "bake")])
    library, viewer = office.services[Library], await office.viewer()
    of, preset = RecordRef(id=made["task"]), RecordRef(id=made["preset"])
    await library.save_graph(viewer, of, graph, ties=Ties(presets={"proof": preset}))
    asked = BlueprintInput(
        {"name": "Bake", "business_or_personal_goal": "Bread", "task_type": "baking"},
        of=of,
        parts={
            "steps": [PartInput({"step_key": one, "purpose": one}, bound_modules=[one]) for one in keys],
            "contracts": [PartInput({"side": "output", "name": "loaf", "kind": "bread"})],
            "side_effects": [PartInput({"side_effect_class": "oven_heat"})],
        },
    )
    made["blueprint"] = (await library.save_blueprint(await office.viewer(), asked)).result["id"]
    return made


async def _told(office: Office, there: dict[str, str]) -> Any:
    """All that the task and its blueprint say and lead to, with their graphs and parts by what those are called."""
    rows = await office.database.read(
        """
        UNWIND $ids AS id
        MATCH (n:Record {id: id})
        RETURN n.id AS id, properties(n) AS said,
          COLLECT { MATCH (n)-[l:REQUIRES|ALLOWS|DENIES|SERVES_GOAL|EXPRESSES_GOAL]->(m:Record)
            RETURN [type(l), m.id] ORDER BY type(l), m.id } AS links,
          COLLECT { MATCH (n)-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module)
            RETURN [g.graph_hash, m.module_key, m.module_type, m.config,
              COLLECT { MATCH (m)-[c:CABLE]->(o:Module) RETURN o.module_key ORDER BY o.module_key },
              COLLECT { MATCH (m)-[:USES_PRESET]->(p:Preset) RETURN p.id ORDER BY p.id }]
            ORDER BY m.module_key } AS graph,
          COLLECT { MATCH (n)-[r:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]->(p:Record)
            RETURN [type(r), r.order, p.name,
              COLLECT { MATCH (p)-[:BOUND_TO]->(m:Module) RETURN m.module_key ORDER BY m.module_key }]
            ORDER BY type(r), r.order } AS parts ORDER BY id
        """,
        ids=[there["task"], there["blueprint"], there["template"]],
    )
    return [{**row, "said": {k: v for k, v in row["said"].items() if k not in _ASIDE}} for row in map(dict, rows)]


_ASIDE = {
    "diff",
    "version",
    "updated_at",
    "graph_version",
    "blueprint_version",
    "current_graph_version",
    "version_of_graph",
}


def _graph(**operation: str) -> ProposalStep:
    return ProposalStep(operation=Operation.patch_graph, value=[operation])


def _part(**operation: Any) -> ProposalStep:
    return ProposalStep(operation=Operation.patch_blueprint, value=[operation])


def _steps(there: dict[str, str]) -> list[tuple[str, ProposalStep]]:
    """What is changed, and a step of each kind and operation."""
    of, plan = "task", "blueprint"
    step, oven, mixer = ProposalStep, RecordRef(id=there["oven"]), RecordRef(id=there["mixer"])
    return [
        ("template", step(operation=Operation.add_to_list, field="trigger_phrases", value=["make rolls"])),
        ("template", step(operation=Operation.remove_from_list, field="trigger_phrases", value=["bake bread"])),
        (of, step(operation=Operation.set_value, field="description", value="Bakes at night.")),
        (of, step(operation=Operation.set_value, field="description", value=None)),
        (plan, step(operation=Operation.set_value, field="assessment_plan", value="Taste it.")),
        ("template", step(operation=Operation.link, relation="REQUIRES", head=oven)),
        ("template", step(operation=Operation.unlink, relation="ALLOWS", head=mixer)),
        (plan, step(operation=Operation.link, relation="EXPRESSES_GOAL", head=RecordRef(id=there["goal"]))),
        (of, step(operation=Operation.set_lifecycle, value="deprecated")),
        (of, _graph(op="add_module", module_key="cool", value="step.agent_task")),
        (of, _graph(op="remove_module", module_key="proof")),
        (of, _graph(op="set_module_type", module_key="mix", value="step.judge")),
        (of, _graph(op="set_config", module_key="bake", field_name="heat", value="240")),
        (of, _graph(op="add_cable", module_key="mix", head_key="bake")),
        (of, _graph(op="remove_cable", module_key="mix", head_key="proof")),
        (plan, _part(op="add_part", part="review_points", values={"statement": "Is it done?"})),
        (plan, _part(op="set_part", part="steps", key="bake", values={"purpose": "Bake it dark."})),
        (plan, _part(op="remove_part", part="steps", key="proof")),
    ]


async def test_a_change_of_every_kind_taken_back_is_as_if_it_had_not_been(office: Office) -> None:
    there = await _bakery(office)
    before = await _told(office, there)
    author, curator = await office.viewer(principal_id="prin_author"), await office.viewer()
    proposals, steps = office.services[Proposals], _steps(there)
    for of, step in steps:
        made = await propose(office, there[of], (step,), kind=KIND, viewer=author)
        replay = await replayed(office, made)
        review = ReviewInput(proposal_id=made, decision=ReviewDecision.approve, acknowledged_replay_id=replay)
        await proposals.review(curator, review)
        await proposals.apply(curator, made)
        assert await _told(office, there) != before, step
        await proposals.roll_back(curator, made, None)
        assert await _told(office, there) == before, step
    assert {one.operation for _, one in steps} == {*Operation}
    assert _operations(steps, Operation.patch_graph) == {one.value for one in GRAPH_OPERATIONS} - {"enable_module"}
    assert _operations(steps, Operation.patch_blueprint) == {one.value for one in PartOp}


def _operations(steps: list[tuple[str, ProposalStep]], kind: Operation) -> set[str]:
    values: list[Any] = [one.value for _, one in steps if one.operation is kind]
    return {one[0]["op"] for one in values}
