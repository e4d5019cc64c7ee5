"""Events for tests: a run with everything in it, told in order."""

from typing import Any

POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
RUN: dict[str, str] = {"source": "exec", "key": "run-1"}
Event = dict[str, Any]


def at(second: int) -> str:
    return f"2026-01-01T10:{second // 60:02d}:{second % 60:02d}.000Z"


class Story:
    """Writes events one after another, a second apart."""

    def __init__(self, run: dict[str, str] | None = None, policy: dict[str, Any] | None = None, **common: Any) -> None:
        self.events: list[Event] = []
        self._common = {"run": run or RUN, "policy": policy or POLICY, **common}

    def tell(self, kind: str, **values: Any) -> "Story":
        place = len(self.events)
        name = f"{self._common['run'].get('key', 'x')}-e{place}"
        self.events.append({"event_id": name, "kind": kind, "occurred_at": at(place), **self._common, **values})
        return self


def step(module: str, seq: int = 1) -> Event:
    return {"module_key": module, "activation_seq": seq}


def whole_run(run: dict[str, str] | None = None, policy: dict[str, Any] | None = None) -> list[Event]:
    """A run with a loop, a wait, spans whose parents come later, artifacts, deliveries and what else there is."""
    story = Story(run, policy)
    key = (run or RUN)["key"]
    memo, draft = f"{key}-memo", f"{key}-draft"
    story.tell(
        "run_started",
        task_key="draft-complaint",
        task_name="Draft complaint",
        template_key="tpl-complaint",
        trigger_kind="manual",
        workflow_summary="Drafts a complaint.",
        about=[{"kind": "Entity", "source": "crm", "key": "marex", "name": "Marex"}],
    )
    story.tell("activation_started", **step("intake"), name="Source intake", module_type="agent",
               preset_key="preset-reader")  # fmt: skip
    story.tell("span", span_key="s2", span_kind="llm_call", status="running", parent_span_key="s1", **step("intake"))
    story.tell("span", span_key="s1", span_kind="module_activation", status="success", **step("intake"))
    story.tell("span", span_key="s2", span_kind="llm_call", status="success", cost_usd=0.1, **step("intake"))
    story.tell(
        "document_received", item={"kind": "Entity", "source": "dms", "key": "doc-1", "name": "Supply agreement"}
    )
    story.tell("artifact_consumed", item={"kind": "Entity", "source": "dms", "key": "doc-1"}, **step("intake"))
    story.tell("snapshot", snapshot_key="p1", snapshot_kind="prompt", prompt_hash="h", prompt_text_ref="ref://p",
               redaction_mode="redacted", **step("intake"))  # fmt: skip
    story.tell("activation_completed", **step("intake"), cost_usd=0.1, output_summary=["Two documents read"])
    story.tell("activation_started", **step("memo"), triggered_by=[step("intake")])
    story.tell("artifact_produced", artifact_key=memo, artifact_kind="document", name="Damages memo", port_name="out",
               output_class="intermediate_output", summary="Damages are high.",
               derived_from=[{"kind": "Entity", "source": "dms", "key": "doc-1"}], **step("memo"))  # fmt: skip
    story.tell("activation_completed", **step("memo"), cost_usd=0.2)
    story.tell("activation_waiting", **step("review"), waiting_reason="A person reads it.", gate_key="g1")
    story.tell("gate_opened", gate_key="g1", gate_kind="human_review", question="Good?", **step("review"))
    story.tell("gate_decided", gate_key="g1", status="approved", decided_by="will", **step("review"))
    story.tell("activation_resumed", **step("review"))
    story.tell("activation_completed", **step("review"), cost_usd=0.3)
    for turn in (1, 2, 3):
        story.tell("artifact_consumed", item={"kind": "Artifact", "key": memo}, **step("draft", turn))
        story.tell("activation_completed", **step("draft", turn), loop_iteration=turn, cost_usd=0.7)
    story.tell("artifact_produced", artifact_key=draft, artifact_kind="work_product", output_class="final_output",
               name="Complaint", summary="All.", derived_from=[{"key": memo}], **step("draft", 3))  # fmt: skip
    story.tell("delivery", idempotency_key="mail-1", delivery_kind="email", status="delivered", artifact_key=draft,
               delivered_to=["v@example.com"], **step("send"))  # fmt: skip
    story.tell("delivery", idempotency_key="mail-1", delivery_kind="email", status="failed", **step("send"))
    story.tell("delivery", idempotency_key="mail-1", delivery_kind="email", status="delivered", artifact_key=draft,
               delivered_to=["w@example.com"], **step("send"))  # fmt: skip
    story.tell("artifact_opened", artifact_key=draft)
    story.tell("artifact_cited", artifact_key=memo, citing_artifact_key=draft)
    story.tell("checkpoint", checkpoint_key="c1", storage_ref="ref://c", **step("draft", 3))
    story.tell("session", session_key="sess", session_kind="forked_session", continuation_status="available",
               **step("draft", 3))  # fmt: skip
    story.tell("intervention", intervention_key="i1", intervention_kind="pause_after_module",
               supported_by_runtime=True, applied=False, **step("draft", 3))  # fmt: skip
    story.tell("native_event", native_key="n1", native_event_kind="subagent_completed", native_event_ref="ref://n",
               mapping_status="mapped", span_key="s1")  # fmt: skip
    story.tell("evaluation_evidence", artifact_key=f"{key}-judge", evidence_kind="judge", score=0.8, verdict="good",
               evaluated_artifact_key=draft, **step("judge"))  # fmt: skip
    story.tell("activation_failed", **step("extra"), error_code="timeout", cost_usd=0.01)
    story.tell("activation_skipped", **step("never"), skip_reason="Not needed")
    story.tell("run_completed", quality_summary="Fine")
    return story.events
