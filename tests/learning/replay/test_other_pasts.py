"""Replays of what is no match: suggestions, runs, how far artifacts went, wishes, and what a preflight found."""

from typing import Any

import pytest

from graph_schema.context.words import ExpansionBasis
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.library.words import CapabilityState
from graph_schema.memory.words import IntakeLevel
from service.commands import RecordRef
from service.context.expansion import ExpandCapabilitiesInput, Expansions
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.learning.proposals.inputs import ProposalStep
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.graphs import GraphInput, ModuleInput
from service.memory.promotion import Promotions
from service.memory.promotion.rules import Wish
from service.memory.reporting.commands import Reporting
from service.routing.decision.keep import KeptModes
from service.routing.decision.request import TaskModeRequest
from tests.learning.world import added, propose, replayed
from tests.routing.office import Office, ago

pytestmark = pytest.mark.slow
DEEP = "Do a deep review of this complaint against the exhibits with a report and an issue matrix"
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}


def _set(field: str, value: Any) -> tuple[ProposalStep, ...]:
    return (ProposalStep(operation=Operation.set_value, field=field, value=value),)


async def _cases(office: Office, proposal: str) -> dict[str, dict[str, Any]]:
    """Cases of a replay by the decision that each is about."""
    rows = await office.database.read(
        "MATCH (:Replay {id: $id})-[:HAS_CASE]->(c:ReplayCase)-[:REDECIDES]->(n:Record) RETURN n.id AS id, c {.*} AS c",
        id=await replayed(office, proposal),
    )
    return {row["id"]: row["c"] for row in rows}


async def _ran(office: Office, run: str, *events: dict[str, Any]) -> None:
    shared = {"run": {"source": "exec", "key": run}, "policy": POLICY}
    given = [
        {**shared, "event_id": f"{run} {number}", "occurred_at": ago(1), **one} for number, one in enumerate(events)
    ]
    answers = await office.services[Reporting].report(await office.viewer(), given)
    assert {one.outcome.value for one in answers} == {"accepted"}, answers


async def _decided(office: Office, text: str = DEEP) -> dict[str, Any]:
    kept = await office.services[KeptModes].keep(await office.viewer(), TaskModeRequest(text=text))
    return await office.stored(kept.result["id"])


async def test_a_decision_is_decided_again_from_what_it_keeps_whatever_the_library_became(office: Office) -> None:
    template = await office.new("Template", name="Complaint Evaluation", trigger_phrases=["review of this complaint"])
    other = await office.new("Template", name="Docket Watch", trigger_phrases=["watch the docket"])
    await office.embed()
    decision = await _decided(office)
    assert decision["selected_mode"] == "suggest_existing_saved_task", decision["selected_mode"]
    await office.say(decision=RecordRef(id=decision["id"]), matched_templates=(RecordRef(id=template),))
    await office.save("Template", template, trigger_phrases=["something else"], description="Of leases.")
    await office.become(other, "archived")
    await office.embed()
    steps = (ProposalStep(operation=Operation.set_lifecycle, value="deprecated"),)
    made = await propose(office, template, steps, kind=ProposalKind.task_template_update)
    cases = await _cases(office, made)
    assert [*cases] == [decision["id"]], "the comparison that it rests on is replayed with it"
    case = cases[decision["id"]]
    assert (case["case_kind"], case["drift"], case["verdict"]) == ("mode_decision", False, "wrong")
    assert case["recorded"] == case["today"] != case["candidate"], case
    words = await propose(office, template, added("known_limitations", "No subleases."))
    assert (await _cases(office, words))[decision["id"]]["result"] == "same"
    replay = await office.database.read_one("MATCH (r:Replay) RETURN max(r.control_tried) AS tried")
    assert replay
    assert replay["tried"] == 1


async def test_a_directive_that_is_put_away_no_longer_asks_for_a_task(office: Office) -> None:
    template = await office.new("Template", name="Allergen Sheet", trigger_phrases=["allergen sheet of the menu"])
    told: dict[str, Any] = {"trigger_phrases": ["autumn menu drill"], "invocation_policy": "suggest_task"}
    directive = await office.new("InvocationDirective", name="Menu drill", **told)
    await office.link(directive, "TARGETS", template)
    await office.embed()
    decision = await _decided(office, "Do the autumn menu drill for Friday")
    assert await office.heads(decision["id"], "RESTED_ON") >= {directive}
    kind = ProposalKind.task_invocation_directive_update
    gone = (ProposalStep(operation=Operation.set_lifecycle, value="archived"),)
    case = (await _cases(office, await propose(office, directive, gone, kind=kind)))[decision["id"]]
    assert (case["drift"], case["result"]) == (False, "changed"), case
    quiet = await propose(office, directive, _set("invocation_policy", "do_not_suggest_task"), kind=kind)
    case = (await _cases(office, quiet))[decision["id"]]
    assert (case["result"], case["candidate"]) == ("changed", "It becomes direct chat."), case
    worded = await propose(office, directive, _set("trigger_phrases", ["winter drill"]), kind=kind)
    case = (await _cases(office, worded))[decision["id"]]
    assert (case["result"], "trigger_phrases would have compared" in case["reason"]) == ("could_not_be_replayed", True)


async def test_a_change_of_what_runs_do_lists_the_runs_that_took_the_path(office: Office) -> None:
    template = await office.new("Template", name="Docket watch", source="exec", source_key="docket")
    await _ran(office, "r1", {"kind": "run_started", "template_key": "docket"}, {"kind": "run_completed"})
    await _ran(
        office, "r2", {"kind": "run_started", "template_key": "docket"}, {"kind": "run_failed", "failure_code": "down"}
    )
    made = await propose(
        office, template, _set("connector_requirements", ["pacer"]), kind=ProposalKind.task_template_update
    )
    cases = [one for one in (await _cases(office, made)).values() if one["case_kind"] == "run"]
    assert sorted((one["result"], one["verdict"]) for one in cases) == [("changed", "right"), ("changed", "wrong")]
    assert all("not executed here" in one["reason"] for one in cases)
    words = await propose(office, template, _set("description", "Watches."), kind=ProposalKind.task_template_update)
    assert await _cases(office, words) == {}


async def test_how_far_artifacts_went_is_decided_again_by_the_policies_of_their_time(office: Office) -> None:
    policy = await office.new(
        "Policy", policy_kind="artifact", task_key="memo", valid_from=ago(30), final_output_default="run_only"
    )
    part = {"kind": "artifact_produced", "module_key": "m", "activation_seq": 1, "task_key": "memo"}
    final = {**part, "output_class": "final_output", "artifact_kind": "text_output"}
    await _ran(
        office,
        "r1",
        {"kind": "run_started", "task_key": "memo"},
        {**final, "artifact_key": "kept", "name": "Kept"},
        {**final, "artifact_key": "wanted", "name": "Wanted"},
        {**final, "artifact_key": "stated", "name": "Stated", "task_port_level": "doc72_reference"},
    )
    rows = await office.database.read("MATCH (a:Artifact) RETURN a.source_key AS key, a.id AS id")
    ids = {row["key"]: row["id"] for row in rows}
    wish = Wish(level=IntakeLevel.doc72_reference)
    await office.services[Promotions].promote(await office.viewer(), RecordRef(id=ids["wanted"]), wish)
    made = await propose(
        office,
        policy,
        _set("final_output_default", "doc72_reference"),
        kind=ProposalKind.artifact_policy_default_update,
    )
    cases = await _cases(office, made)
    told = {key: (cases[one]["case_kind"], cases[one]["result"], cases[one]["verdict"]) for key, one in ids.items()}
    assert told == {
        "kept": ("intake", "changed", "unknown"),
        "wanted": ("intake", "repaired", "wrong"),
        "stated": ("intake", "same", "unknown"),
    }
    assert cases[ids["wanted"]]["judged_by"] == "Somebody had it go to doc72_reference."
    assert not (await office.stored(made)).get("cannot_be_replayed")
    other = await office.new("Policy", policy_kind="cost", task_key="memo", max_cost_usd=2.0)
    cost = await propose(office, other, _set("max_cost_usd", 1.0), kind=ProposalKind.artifact_policy_default_update)
    assert await _cases(office, cost) == {}
    assert "Nothing that is kept" in (await office.stored(cost))["cannot_be_replayed"]


async def _wished(office: Office, capability: str) -> tuple[str, dict[str, Any]]:
    """The receipt of a wish, and what became of it."""
    wish = ExpandCapabilitiesInput(
        run=RecordRef(kind="Run", source="exec", key="r1"),
        module_key="B",
        activation_seq=1,
        detected_need="Look at the docket.",
        basis=ExpansionBasis.upstream_prompt_detected,
        capabilities=(RecordRef(id=capability),),
    )
    result = (await office.services[Expansions].expand(await office.viewer(), wish)).result
    return result["id"], result["outcomes"][0]


async def test_a_wish_for_a_capability_is_decided_again_by_the_policies_that_held(office: Office) -> None:
    pacer, mail = [await office.new("Capability", name=one, capability_kind="tool") for one in ("PACER", "Mail")]
    held: dict[str, Any] = {"policy_kind": "capability", "task_key": "research", "valid_from": ago(30)}
    policy = await office.new("Policy", name="Research", **held)
    await office.link(policy, "DENIES", mail)
    step = {"module_key": "B", "activation_seq": 1, "task_key": "research"}
    await _ran(office, "r1", {"kind": "run_started", "task_key": "research"}, {"kind": "activation_started", **step})
    (asked, outcome), (refused, _) = [await _wished(office, one) for one in (pacer, mail)]
    decided = {"kind": "gate_decided", "gate_key": outcome["gate_key"], "status": "approved", "decided_by": "will"}
    told = {"event_id": "g", "occurred_at": ago(0), "run": {"source": "exec", "key": "r1"}, **step}
    [answer] = await office.services[Reporting].report(await office.viewer(), [{**told, **decided}])
    assert answer.outcome.value == "accepted", answer
    kind = ProposalKind.artifact_policy_default_update
    strict = await propose(office, policy, _set("capabilities_outside_allowlist_require_approval", False), kind=kind)
    cases = await _cases(office, strict)
    assert (cases[asked]["case_kind"], cases[asked]["result"], cases[asked]["verdict"]) == (
        "expansion",
        "regressed",
        "right",
    )
    assert cases[asked]["recorded"] == cases[asked]["today"] == "PACER waits for a person."
    assert (cases[asked]["candidate"], cases[refused]["result"]) == ("PACER is refused.", "same")
    assert not (await office.stored(strict)).get("cannot_be_replayed")
    link = ProposalStep(operation=Operation.link, relation="ALLOWS", head=RecordRef(id=pacer))
    allowed = (await _cases(office, await propose(office, policy, (link,), kind=kind)))[asked]
    assert (allowed["result"], allowed["candidate"]) == ("changed", "PACER is added.")
    unlink = ProposalStep(operation=Operation.unlink, relation="DENIES", head=RecordRef(id=mail))
    lifted = (await _cases(office, await propose(office, policy, (unlink,), kind=kind)))[refused]
    assert (lifted["recorded"], lifted["candidate"]) == ("Mail is refused.", "Mail waits for a person.")
    # Of a policy that had no say in it there is no case.
    other = await office.new("Policy", None, name="Other", **{**held, "task_key": "other"})
    assert await _cases(office, await propose(office, other, _set("max_added_capabilities", 1), kind=kind)) == {}


async def test_a_kept_preflight_tells_what_a_change_of_capabilities_would_have_brought(office: Office) -> None:
    library = office.services[Library]
    down = await office.new("Capability", name="pacer.search", capability_kind="tool")
    other = await office.new("Capability", name="mail.send", capability_kind="tool")
    state = StateReport(CapabilityState.down, as_of=ago(1), generation=1)
    await library.report_capability_state(await office.viewer(), RecordRef(id=down), state)
    template = await office.new("Template", name="Docket watch")
    await office.link(template, "REQUIRES", down)
    graph = GraphInput([ModuleInput("watch", "model_node")], [])
    await library.save_graph(await office.viewer(), RecordRef(id=template), graph)
    kept = await office.services[KeptPreflights].keep(await office.viewer(), Subject(template), PreflightRequest())
    preflight = kept.result["id"]
    unlink = (ProposalStep(operation=Operation.unlink, relation="REQUIRES", head=RecordRef(id=down)),)
    made = await propose(office, template, unlink, kind=ProposalKind.task_template_update)
    case = (await _cases(office, made))[preflight]
    assert (case["case_kind"], case["result"], case["drift"]) == ("preflight", "changed", False)
    assert "capability_required_unavailable" in case["today"]
    assert "capability_required_unavailable" not in case["candidate"]
    link = (ProposalStep(operation=Operation.link, relation="REQUIRES", head=RecordRef(id=other)),)
    unknown = await propose(office, template, link, kind=ProposalKind.task_template_update)
    lacking = (await _cases(office, unknown))[preflight]
    assert (lacking["result"], other in lacking["reason"]) == ("could_not_be_replayed", True)
