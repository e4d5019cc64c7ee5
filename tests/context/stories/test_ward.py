"""A hospital ward: a letter at discharge, begun by the system that knows who leaves."""

from typing import Any

import pytest

from tests.context.stories.house import Expected, House, at_hour, held
from tests.memory.stories import POLICY, Story, step

pytestmark = pytest.mark.slow
EVER: dict[str, Any] = {"global": True}
LETTER = {
    "instruction": "Write the discharge letter for the general practitioner, with the warfarin dosing plan.",
    "output_contract": "A letter of one page.",
}
POSTER = "Wash your hands before and after touching a patient's bed."
VIEW = """query ($id: ID!, $of: RecordRefInput!) {
  run(id: $id) {
    header { delivered lines }
    status { oneLineStatus currentWorkSummary nextWorkSummary nextModuleKeys }
    deliverables { undeliveredOutputs { name } failedDeliveries { status } }
    steps { rows { moduleLabel status } }
    anomalies { items { code } } }
  impact(of: $of) { sentence }
}"""


async def _ward(house: House) -> None:
    await house.entities("matter", "Okafor", keys=["adm-771"])
    await house.entities("matter", "Lindqvist", keys=["adm-802"])
    await house.entities("library", "Formulary", "Nursing school")
    await house.entities("folder", "Anticoagulants")
    await house.entities("source_set", "Okafor's chart", **house.of("Okafor"))
    await house.entities("document", "Operation report", "Blood results", **house.of("Okafor"))
    await house.entities("document", "Warfarin dosing guide", summary="How to dose warfarin, and the letter's plan.")
    await house.entities("document", "Hand hygiene poster", summary=POSTER)
    await house.entities("document", "Rota", summary="Who works when.")
    await house.links("PART_OF", "Formulary", "Anticoagulants", "Hand hygiene poster")
    await house.link("Warfarin dosing guide", "PART_OF", "Anticoagulants")
    await house.links("PART_OF", "Okafor's chart", "Operation report", "Blood results")
    await house.save("Task", "Discharge letter", source="exec", source_key="discharge", task_type="discharge_letter")
    await house.links("SCOPED_TO", "Formulary", "Discharge letter")
    await house.save("SurfaceContext", "Rota planning", surface_kind="chat")
    await house.link("Rota planning", "SHOWS", "Rota")


async def _rules(house: House) -> None:
    await house.save("Restriction", "No diagnosis by mail", statement="Never put a diagnosis in an email.", **EVER)
    await house.save("Restriction", "Initials only", statement="Name staff by their initials.")
    await house.link("Initials only", "APPLIES_TO", "Operation report")
    await house.save("Restriction", "Next of kin", statement="His sister is not to be told.")
    await house.link("Next of kin", "APPLIES_TO", "Okafor")
    await house.save("Restriction", "Penicillin", statement="She must have no penicillin.", **house.of("Lindqvist"))
    await house.save("Preference", "Plain words", statement="Say it plainly.", task_types=["discharge_letter"])
    await house.save("Preference", "Short handovers", statement="Five lines.", task_types=["handover"])
    await house.save("Procedure", "After a fall", statement="Call the ward sister.", trigger_kinds=["email"])
    await house.save("Memory", "He calls back in the evening", statement="After seven.", **house.of("Okafor"))
    await house.save("Memory", "Coffee machine", statement="The coffee machine on floor two leaks.")
    await house.save("Capability", "Chart reader", capability_kind="tool")
    await house.save("Capability", "Fax", capability_kind="connector")
    policy = {"policy_kind": "capability", "task_key": "discharge", "valid_from": "2020-01-01T00:00:00.000Z"}
    await house.save("Policy", "Tools of the ward", **policy)
    await house.link("Tools of the ward", "REQUIRES", "Chart reader")
    await house.link("Tools of the ward", "DENIES", "Fax")


async def _before(house: House) -> None:
    """What ran before: for each patient, and one that nobody is to remember."""
    for key, who, mode in (
        ("Okafor in May", "Okafor", "standard"),
        ("Lindqvist in May", "Lindqvist", "standard"),
        ("A private one", "Okafor", "memory_incognito"),
    ):
        story = Story({"source": "exec", "key": key}, {**POLICY, **house.of(who), "memory_mode": mode})
        story.tell("run_started", task_key="discharge", name=key).tell("run_completed")
        await house.report(at_hour(story, 8))


def _story(house: House, key: str = "letter-1") -> Story:
    story = Story({"source": "exec", "key": key}, {**POLICY, **house.of("Okafor")})
    story.tell("run_started", task_key="discharge", task_name="Discharge letter", trigger_kind="webhook")
    return story.tell("activation_started", **step("write"), module_type="step.agent_task")


async def test_a_letter_is_written_from_what_is_known_of_this_patient(house: House) -> None:
    await _ward(house)
    await _rules(house)
    await _before(house)
    await house.embed()
    story = _story(house)
    story.tell("artifact_produced", artifact_key="draft", artifact_kind="document", name="Draft letter",
               output_class="intermediate_output", summary="The letter.", **step("write"))  # fmt: skip
    story.tell("activation_started", **step("check"), module_type="step.judge", triggered_by=[step("write")])
    run = await house.report(story.events)
    event = {
        "kind": "webhook",
        "correlation_key": "adm-771",
        "payload_summary": "Discharged today; the bed goes to Lindqvist.",
    }
    warned = await house.open(run, trigger=event, select=house.refs("Okafor's chart"))
    assert warned == ["warning.task_module_context_trigger_scope_low_confidence"]
    packet = await house.packet(run, "write", config=LETTER)
    always = {"No diagnosis by mail", "Initials only", "Next of kin"}
    held(
        packet,
        Expected(
            given=frozenset(
                {*always, "Okafor", "Okafor's chart", "Formulary", "Warfarin dosing guide", "Plain words",
                 "He calls back in the evening", "Chart reader", "Okafor in May", "webhook trigger of letter-1"}
            ),
            kept_out={
                "Lindqvist": "requires_user_selection",
                "Hand hygiene poster": "low_relevance",
                "Short handovers": "wrong_task_type",
                "After a fall": "wrong_trigger_scope",
                "Coffee machine": "low_relevance",
                "Fax": "module_config_denied",
                "Rota planning": "surface_context_not_applicable",
                "Rota": "active_context_recency_only",
            },
            unseen=frozenset({"Penicillin", "Lindqvist in May", "A private one", "Nursing school"}),
        ),
    )  # fmt: skip
    assert "Blood results" in packet["markdown"]

    # The judge gets what it is to judge, and not as something of another run.
    ports = [{"port": "candidate", "summary": "The letter.", "refs": [{"source": "exec", "key": "draft"}]}]
    judged = await house.packet(run, "check", ports=ports, config={"dimensions": ["Is it plain?"]})
    held(
        judged,
        Expected(
            given=frozenset({*always, "Okafor", "Okafor's chart", "Formulary", "Chart reader", "Draft letter"}),
            kept_out={"Plain words": "profile_excludes_component", "Okafor in May": "profile_excludes_component"},
        ),
    )
    assert "Earlier runs" not in judged["markdown"]


async def test_a_letter_that_failed_and_was_sent_again_has_gone_out_once(house: House) -> None:
    await house.entities("matter", "Okafor")
    await house.save("Task", "Discharge letter", source="exec", source_key="discharge")
    modules = [
        {"moduleKey": one, "moduleType": "step.agent_task", "name": name}
        for one, name in (
            ("write", "Write the letter"),
            ("send", "Send it"),
            ("file", "File it"),
            ("bed", "Free the bed"),
        )
    ]
    cables = [{"tail": "write", "head": "send"}, {"tail": "send", "head": "file"}, {"tail": "send", "head": "bed"}]
    await house.ask("mutation ($o: RecordRefInput!, $g: TaskGraphInput!) { saveGraph(of: $o, graph: $g) { recordId } }",
                    o=house.ref("Discharge letter"), g={"modules": modules, "cables": cables})  # fmt: skip
    story = _story(house)
    for key, name in (("letter", "Letter"), ("old", "Letter with a mistake"), ("leaflet", "Leaflet")):
        story.tell("artifact_produced", artifact_key=key, artifact_kind="document", name=name,
                   output_class="final_output", **step("write"))  # fmt: skip
    story.tell("activation_completed", **step("write"))
    story.tell("activation_started", **step("send"))
    sent: dict[str, Any] = {"idempotency_key": "gp", "delivery_kind": "email", **step("send")}
    story.tell("delivery", status="draft_only", artifact_key="old", **sent)
    story.tell("delivery", status="failed", artifact_key="old", **sent)
    story.tell("delivery", status="delivered", artifact_key="letter", delivered_to=["gp@example.org"], **sent)
    run = await house.report(reversed(story.events))
    # The leaflet goes out by another run.
    other = Story({"source": "exec", "key": "post"}, {**POLICY, **house.of("Okafor")}).tell("run_started")
    other.tell("delivery", status="delivered", artifact_key="leaflet", delivery_kind="file_save", idempotency_key="p",
               **step("post"))  # fmt: skip
    await house.report(other.events)
    told = await house.ask(VIEW, id=run, of={"kind": "Artifact", "source": "exec", "key": "letter"})
    seen = told["run"]
    assert seen["header"]["delivered"] == ["Letter emailed to gp@example.org"]
    assert seen["deliverables"] == {"undeliveredOutputs": [{"name": "Letter with a mistake"}], "failedDeliveries": []}
    assert seen["anomalies"]["items"] == []
    assert [row["moduleLabel"] for row in seen["steps"]["rows"]] == ["Write the letter", "Send it"]
    assert seen["status"]["currentWorkSummary"] == "Send it is running."
    assert seen["status"]["nextModuleKeys"] == ["bed", "file"]
    assert "1 delivery has gone out" in told["impact"]["sentence"]
    old = await house.ask(VIEW, id=run, of={"kind": "Artifact", "source": "exec", "key": "old"})
    assert old["impact"]["sentence"].startswith("Nothing is on record that you can see")
