"""A run as an executor reports it: a complaint that was drafted, attacked and revised, with much to be said of it."""

from typing import Any

from service.memory.reporting.commands import Reporting
from tests.memory.stories import POLICY, Event, Story, step
from tests.routing.office import Office

MEMO, DRAFT, FINAL, REPORT, VERDICT = "memo", "draft-text", "final", "red-report", "verdict"


def drafted(key: str = "run-1", policy: dict[str, Any] | None = None, **more: Any) -> list[Event]:
    """The drafter lacks the memo, PACER is not used, the red team judges without sources, and the end is not saved."""
    story = Story({"source": "exec", "key": key}, {**POLICY, **(policy or {})})
    names = {one: f"{key}-{one}" for one in (MEMO, DRAFT, FINAL, REPORT, VERDICT)}
    story.tell("run_started", task_key="task-draft", task_name="Draft complaint", template_key="tpl-draft", **more)
    story.tell(
        "snapshot", snapshot_key="caps", snapshot_kind="capability", mounted_capabilities=["cap-read", "cap-pacer"]
    )
    story.tell("activation_started", **step("analyse"), name="Analyse damages", module_type="agent")
    story.tell("artifact_consumed", item={"kind": "Entity", "source": "exec", "key": "ledger"}, **step("analyse"))
    story.tell("span", span_key="s1", span_kind="llm_call", status="success", cost_usd=0.2, **step("analyse"))
    story.tell("artifact_produced", artifact_key=names[MEMO], artifact_kind="document", name="Damages memo",
               output_class="intermediate_output", derived_from=[{"kind": "Entity", "source": "exec", "key": "ledger"}],
               **step("analyse"))  # fmt: skip
    story.tell("activation_completed", **step("analyse"), capabilities=[{"key": "cap-read", "calls": 3, "errors": 0}])
    story.tell("activation_started", **step("draft"), name="Draft the complaint", triggered_by=[step("analyse")])
    story.tell("artifact_consumed", item={"kind": "Entity", "source": "exec", "key": "ledger"}, **step("draft"))
    story.tell("artifact_produced", artifact_key=names[DRAFT], artifact_kind="document", name="Complaint draft",
               output_class="intermediate_output", derived_from=[{"kind": "Entity", "source": "exec", "key": "ledger"}],
               **step("draft"))  # fmt: skip
    story.tell("activation_completed", **step("draft"))
    story.tell("activation_started", **step("red-team"), name="Red-team the draft", triggered_by=[step("draft")])
    story.tell("artifact_consumed", item={"kind": "Artifact", "key": names[DRAFT]}, **step("red-team"))
    story.tell("artifact_produced", artifact_key=names[REPORT], artifact_kind="red_team_report", name="Red-team report",
               output_class="intermediate_output", key_points=["No scienter pleaded", "Count two is weak"],
               derived_from=[{"key": names[DRAFT]}], **step("red-team"))  # fmt: skip
    story.tell("evaluation_evidence", artifact_key=names[VERDICT], evidence_kind="judge", name="Verdict on the draft",
               evaluated_artifact_key=names[DRAFT], score=0.42, verdict="revise", **step("red-team"))  # fmt: skip
    story.tell("activation_completed", **step("red-team"))
    story.tell("activation_started", **step("revise"), name="Revise", triggered_by=[step("red-team")])
    for one in (DRAFT, REPORT):
        story.tell("artifact_consumed", item={"kind": "Artifact", "key": names[one]}, **step("revise"))
    story.tell("artifact_produced", artifact_key=names[FINAL], artifact_kind="document", name="Final complaint",
               output_class="final_output", derived_from=[{"key": names[DRAFT]}], **step("revise"))  # fmt: skip
    story.tell("activation_completed", **step("revise"))
    story.tell("artifact_opened", artifact_key=names[MEMO])
    story.tell("artifact_cited", artifact_key=names[MEMO], citing_artifact_key=names[FINAL])
    story.tell("run_completed")
    return story.events


async def reported(office: Office, events: list[Event]) -> str:
    """The id of the run that these events are of."""
    answers = await Reporting(office.database, office.services.ground.registry, lambda _new: None).report(
        await office.viewer(), events
    )
    refused = [one for one in answers if one.code]
    assert not refused, refused
    key = events[0]["run"]["key"]
    row = await office.database.read_one("MATCH (n:Run {source_key: $key}) RETURN n.id AS id", key=key)
    assert row
    return row["id"]
