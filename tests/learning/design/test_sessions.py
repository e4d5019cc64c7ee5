"""Design sessions on the real server: what is looked up, asked, proposed, and how they end."""

from typing import Any

import pytest

from graph_schema.learning.design_words import (
    ConsideredAs,
    DesignOutcome,
    DesignSlot,
    QuestionVerdict,
)
from graph_schema.library.words import Complexity
from service.errors import TaskloreError
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.learning.design.answer import DesignReadiness
from service.learning.design.inputs import AskedQuestion, QuestionFeedback, SuggestionVerdict
from service.learning.design.slots import SlotSource
from tests.learning.studio import Studio, answer, blueprint, graph, known, ref
from tests.learning.world import added, propose, replayed

pytestmark = pytest.mark.slow

LAB = "Compare the soil samples of the Orchard Trial against last season and write a lab report"


async def lab(studio: Studio) -> dict[str, str]:
    """A small laboratory: a trial, a template, a preference, a capability, a goal."""
    everywhere: dict[str, Any] = {"global": True}
    made = {
        "matter": await studio.new("Entity", kind="matter", name="Orchard Trial"),
        "template": await studio.new(
            "Template",
            name="Soil comparison",
            description="Compares soil samples with those of an earlier season and writes a lab report.",
            task_type="sample_comparison",
            domain_tags=["agronomy"],
            trigger_phrases=["compare soil samples", "soil samples against last season", LAB],
            expected_inputs=["sample table"],
            default_output_archetypes=["lab report"],
        ),
        "preference": await studio.new(
            "Preference",
            name="Deeper second look",
            statement="For complex comparisons, consider a second pass that looks deeper at outliers.",
            **everywhere,
        ),
        "capability": await studio.new(
            "Capability", name="Lab database", capability_kind="connector", summary="Soil samples by season."
        ),
    }
    made["goal"] = await studio.new(
        "Goal", name="Sound yields", goal_type="task_outcome_goal", goal_statement="Yields do not fall."
    )
    await studio.link(made["goal"], "CONCERNS", made["matter"])
    await studio.embed()
    return made


async def test_a_session_begins_with_all_that_the_graph_knows(studio: Studio) -> None:
    there = await lab(studio)
    begun = await studio.started(LAB, await studio.agent())
    session = await studio.stored(begun.result["id"])
    assert session["matter_ids"] == [there["matter"]]
    assert session["inferred_task_type"] == "sample_comparison"
    assert session["context_class_key"] == "sample_comparison/draft/agronomy"
    assert await studio.heads(session["id"], "ABOUT") == {there["matter"]}
    assert await studio.heads(session["id"], "SEARCHED") == {begun.result["match"]}
    started = {"task.agent.design_session.started", "task.agent.design_started"}
    assert started <= await studio.events(session["id"])
    assert "task.agent.template_matches.updated" in await studio.events(begun.result["match"])
    found = await studio.where(session["id"])
    roles = {one.id: one.role for one in found.considered}
    assert roles[there["template"]] is ConsideredAs.template
    assert roles[there["preference"]] is ConsideredAs.preference
    assert roles[there["goal"]] is ConsideredAs.goal
    by = {one.slot: one.by for one in found.slots if one.filled}
    assert by[DesignSlot.expected_outputs] is SlotSource.template
    assert by[DesignSlot.optional_steps] is SlotSource.preference
    assert by[DesignSlot.work_context] is SlotSource.request
    assert found.readiness is DesignReadiness.ready_to_propose
    assert found.next_question
    assert found.next_question.slot is DesignSlot.artifact_memory_preferences
    skipped = {one.slot for one in found.not_worth_asking}
    assert DesignSlot.source_materials in skipped


async def _talked(studio: Studio, there: dict[str, str], session: str) -> str:
    """A question, its answer, and a sentence about how such tasks are liked. Returns the statement."""
    agent = await studio.agent()
    slot = DesignSlot.artifact_memory_preferences
    asked = await studio.tell(
        session, agent, questions=(AskedQuestion(slot=slot, text="Should the report be kept as a work product?"),)
    )
    assert (await studio.where(session)).next_question is None, "one question waits for its answer"
    told = await studio.tell(
        session,
        agent,
        answers=(answer(slot, "keep the report as a work product", verdict=QuestionVerdict.helpful),),
        said=("When comparing samples, I usually want outliers in a table of their own.",),
        suggestions=(SuggestionVerdict(record=ref(there["template"]), accepted=True),),
        looked_up=(ref(there["capability"]),),
    )
    question = await studio.stored(asked["questions"][0])
    assert (question["changed_design"], question["verdict"]) == (True, "helpful")
    [statement] = told["statements"]
    said = await studio.stored(statement)
    assert said["quote"] == "When comparing samples, I usually want outliers in a table of their own."
    assert (said["lifecycle_state"], said["condition"]) == ("candidate", "comparing samples")
    return statement


async def _proposed(studio: Studio, session: str) -> str:
    """A blueprint and a graph that pass their checks. Returns the blueprint."""
    proposed = await studio.tell(
        session,
        await studio.agent(),
        plan=blueprint(outputs=["lab report"], steps={"compare": {}}, values={"artifact_policy": "doc72_reference"}),
        flow=graph(("read", "source.documents"), ("compare", "step.agent_task"), ("write", "step.agent_task")),
        rationale="The template, with its three steps.",
    )
    assert proposed["errors"] == []
    advised = {one.split(":")[0] for one in proposed["findings"]}
    assert "warning.second_pass_deepening_recommended" in advised
    found = await studio.where(session)
    assert found.readiness is DesignReadiness.proposed
    assert found.complexity
    assert (found.complexity.modules_count, found.complexity.overall_complexity) == (3, Complexity.medium)
    assert (await studio.stored(proposed["blueprint"]))["lifecycle_state"] == "draft"
    assert await studio.heads(session, "DRAFTED_GRAPH") == {proposed["graph"]}
    assert "task.agent.graph.proposed" in await studio.events(proposed["graph"])
    assert "task.agent.blueprint.proposed" in await studio.events(proposed["blueprint"])
    return proposed["blueprint"]


async def _examined(studio: Studio, session: str) -> str:
    """The graph that is proposed, of types that the catalogue knows, examined as it is, and named."""
    await studio.type("source.documents", "source")
    await studio.type("step.agent_task")
    agent = await studio.agent()
    flow = graph(("read", "source.documents"), ("compare", "step.agent_task"), ("write", "step.agent_task"))
    kept = await studio.services[KeptPreflights].keep(agent, Subject(None, flow), PreflightRequest())
    await studio.tell(session, await studio.agent(), preflight_report_ref=kept.result["id"])
    assert (await studio.bundle(session)).preflight_ids == (kept.result["id"],)
    return kept.result["id"]


async def _saved_with_an_edit(studio: Studio, there: dict[str, str], session: str, plan: str) -> dict[str, Any]:
    """The task as the agent made it, with a second pass that the user put in."""
    decision = await studio.decision(matter_ids=[there["matter"]])
    made = await studio.track(
        await studio.agent(),
        name="Soil of the orchard",
        creation_mode="task_agent_proposed",
        session=ref(session),
        decision=ref(decision),
    )
    task = made["task"]
    assert (await studio.stored(task))["lifecycle_state"] == "draft"
    assert await studio.heads(task, "HAS_BLUEPRINT") == {plan}
    deeper = ("second pass: look deeper at outliers", "step.agent_task")
    flow = graph(("read", "source.documents"), ("compare", "step.agent_task"), deeper, ("write", "step.agent_task"))
    await studio.draw(task, flow)
    ended = await studio.tell(session, saved=ref(task))
    assert ended["outcome"] == DesignOutcome.saved_with_user_edits
    assert "task.agent.design_completed" in await studio.events(session)
    return {"task": task, "receipt": made["id"], "edit_trace": ended["edit_trace"]}


async def test_a_whole_design_from_questions_to_an_edited_task(studio: Studio) -> None:
    there = await lab(studio)
    session = await studio.start(LAB, await studio.agent())
    statement = await _talked(studio, there, session)
    plan = await _proposed(studio, session)
    examined = await _examined(studio, session)
    assert await studio.heads(session, "PREFLIGHTED") == {examined}
    saved = await _saved_with_an_edit(studio, there, session, plan)
    trace = await studio.trace(saved["edit_trace"])
    assert "task.proposal_edit.trace_recorded" in await studio.events(saved["edit_trace"])
    assert [one.value for one in trace.edit_kinds] == ["module_added", "second_pass_deepening_added"]
    [signal] = trace.interpreted_learning_signals
    assert signal.signal_kind == "second_pass_deepening_accepted"
    assert signal.subject == "complex_analysis_second_pass_deepening"
    assert signal.recommended_update_kind == "pattern_card_update"
    assert "omitted the preferred deepening" in signal.summary
    bundle = await studio.bundle(session)
    assert bundle.outcome is DesignOutcome.saved_with_user_edits
    assert bundle.selected_template_ids == (there["template"],)
    assert bundle.matter_or_project_ids == (there["matter"],)
    assert [one.id for one in bundle.extracted_user_preferences] == [statement]
    assert bundle.saved_ids == (saved["task"],)
    assert bundle.receipt_ids == (saved["receipt"],)
    assert set(bundle.extracted_design_learning_signal_ids) >= {signal.signal_id}
    judged = await _judged(studio, session, there["template"])
    assert judged == {("template_selected", True), ("saved_with_user_edits", False)}
    made = await propose(studio, there["template"], added("trigger_phrases", "soil of a season"))
    rows = await studio.database.read(
        "MATCH (:Replay {id: $id})-[:HAS_CASE]->(c:ReplayCase) RETURN c.case_kind AS kind, c.verdict AS verdict, "
        "c.judged_by AS by, c.result AS result",
        id=await replayed(studio, made),
    )
    assert [(row["kind"], row["verdict"], row["by"], row["result"]) for row in rows] == [
        ("match", "right", "Somebody took Soil comparison.", "same")
    ]
    queued = await studio.database.read(
        "MATCH (x:Extraction)-[:EXTRACTS_FROM]->(n:DesignSession) RETURN n.id AS id, x.reason AS reason"
    )
    assert [(row["id"], row["reason"]) for row in queued] == [(session, "design_session_edited")]
    with pytest.raises(TaskloreError) as refused:
        await studio.tell(session, said=("I always want tables.",))
    assert refused.value.code == "design_session_ended"


async def _judged(studio: Studio, session: str, template: str) -> set[tuple[str, bool]]:
    """What the session's signals say of the search behind it, and whether they name the template."""
    rows = await studio.database.read(
        "MATCH (d:DesignSession {id: $id})-[:SEARCHED]->(m:MatchDecision)<-[:SEEN_ON]-(s:Signal)-[:SEEN_ON]->(d) "
        "RETURN coalesce(s.signal_kind, s.result) AS said, "
        "EXISTS { (s)-[:SEEN_ON]->(:Template {id: $template}) } AS of",
        id=session,
        template=template,
    )
    return {(row["said"], row["of"]) for row in rows}


async def test_an_invalid_proposal_is_kept_with_what_is_wrong_until_the_agent_has_no_revision_left(
    studio: Studio,
) -> None:
    await studio.type("output.email", "output", "external_send")
    session = await studio.start(
        "Send a weekly digest of new papers to the group",
        agent := await studio.agent(),
        known=(known(DesignSlot.expected_outputs, "digest", "reading list"),),
    )
    assert (await studio.stored(session))["max_repair_iterations"] == 3
    flow = graph(("collect", "step.agent_task"), ("send", "output.email"))
    wrong = blueprint(outputs=["digest"], steps={"send": {"suggested_module_type": "output.fax"}})
    told = await studio.tell(session, agent, plan=wrong, flow=flow)
    codes = {one.split(":")[0] for one in told["errors"]}
    assert codes == {
        "validation.blueprint_missing_required_output",
        "validation.blueprint_graph_mismatch",
        "validation.blueprint_side_effect_undeclared",
    }
    assert any(one.startswith("warning.human_gate_recommended") for one in told["findings"])
    found = await studio.where(session)
    assert found.readiness is DesignReadiness.needs_repair
    assert found.next_question
    assert found.next_question.slot is DesignSlot.side_effects_allowed
    for _ in range(3):
        await studio.tell(session, agent, plan=wrong)
    found = await studio.where(session)
    assert found.readiness is DesignReadiness.unresolved
    assert {one.code for one in found.unresolved} == codes
    with pytest.raises(TaskloreError) as refused:
        await studio.tell(session, agent, plan=wrong)
    assert refused.value.code == "design_repair_limit"
    with pytest.raises(TaskloreError) as refused:
        await studio.track(
            agent,
            name="Digest",
            creation_mode="task_agent_proposed",
            session=ref(session),
            decision=ref(await studio.decision()),
        )
    assert refused.value.code == "validation.graph_proposal_not_preflighted"
    right = blueprint(outputs=["digest", "reading list"], side_effects=["external_send"], review_points=["May it go?"])
    assert (await studio.tell(session, plan=right))["errors"] == []
    assert (await studio.where(session)).readiness is DesignReadiness.needs_answer
    await studio.tell(session, answers=(answer(DesignSlot.side_effects_allowed),))
    assert [one.code for one in (await studio.where(session)).findings] == ["design_side_effect_not_allowed"]
    await studio.tell(session, answers=(answer(DesignSlot.side_effects_allowed, "external_send"),))
    assert (await studio.where(session)).readiness is DesignReadiness.proposed


async def test_questions_that_annoyed_are_not_asked_again_and_those_that_helped_are(studio: Studio) -> None:
    told: dict[str, Any] = {"context_class": "menu/plan/kitchen", "known": (known(DesignSlot.task_type, "menu"),)}
    keep, steps = DesignSlot.artifact_memory_preferences, DesignSlot.required_steps
    for number in range(3):
        session = await studio.start("Plan the menu of a wedding", user_request_ref=f"chat://{number}", **told)
        asked = await studio.tell(
            session,
            questions=(
                AskedQuestion(slot=keep, text="Shall I file the menu?"),
                AskedQuestion(slot=steps, text="Which courses must it have?"),
            ),
        )
        await studio.tell(
            session,
            question_feedback=(QuestionFeedback(question=asked["questions"][0], verdict=QuestionVerdict.annoying),),
            answers=(answer(steps, "soup", "fish", verdict=QuestionVerdict.helpful),),
        )
    session = await studio.start(
        "Plan the menu of a funeral",
        **told,
    )
    await studio.tell(session, answers=(answer(DesignSlot.expected_outputs, "menu"),))
    found = await studio.where(session)
    assert found.next_question
    assert found.next_question.slot is steps
    assert found.next_question.examples[0] == "Which courses must it have?"
    assert found.next_question.utility.score == 0.6667
    left = {one.slot: one for one in found.not_worth_asking}
    assert left[keep].utility.annoying == 3
    stranger = await studio.viewer(principal_id="prin_other", matters=())
    assert (await studio.where(session, stranger)).next_question == found.next_question


@pytest.mark.parametrize("outcome", ["abandoned", "restarted", "rejected"])
async def test_a_session_can_end_without_a_task(studio: Studio, outcome: str) -> None:
    session = await studio.start("Sort the archive of the choir")
    ended = await studio.tell(session, outcome=DesignOutcome(outcome), outcome_reason="Not now.")
    assert ended["outcome"] == outcome
    assert (await studio.where(session)).readiness is DesignReadiness.ended


async def test_bad_input_is_refused_with_its_field(studio: Studio) -> None:
    session = await studio.start("Sort the archive of the choir")
    template = await studio.new("Template", name="Elsewhere")
    slot = DesignSlot

    async def refused(**given: Any) -> tuple[str, str | None]:
        with pytest.raises(TaskloreError) as error:
            await studio.tell(session, **given)
        assert error.value.remedy
        return error.value.code, error.value.field

    assert await refused(answers=(answer(slot.review_tolerance, "sometimes"),)) == ("invalid_input", "answers")
    assert await refused(answers=(answer(slot.work_context, "the choir"),)) == ("invalid_input", "answers")
    assert await refused(answers=(answer(slot.task_goal, "one", "two"),)) == ("invalid_input", "answers")
    assert await refused(answers=(answer(slot.task_goal, "x", question="qst_missing"),)) == ("not_found", "answers")
    assert await refused(suggestions=(SuggestionVerdict(accepted=True),)) == ("invalid_input", "suggestions")
    wrong = SuggestionVerdict(accepted=True, record=ref(template))
    assert await refused(suggestions=(wrong,)) == ("invalid_input", "suggestions")
    assert await refused(looked_up=(ref("tpl_missing"),)) == ("not_found", "looked_up")
    assert await refused(outcome=DesignOutcome.saved_as_is) == ("invalid_input", "saved")
    task = await studio.new("Task", name="Bare")
    assert await refused(saved=ref(task)) == ("nothing_proposed", "session")
    assert await refused(saved=ref(task), outcome=DesignOutcome.rejected) == ("invalid_input", "outcome")
    for text in ("", "  ", "x" * 2_001):
        with pytest.raises(TaskloreError) as error:
            await studio.start(text)
        assert (error.value.code, error.value.field) == ("invalid_input", "text")
    with pytest.raises(TaskloreError) as error:
        await studio.start("Plan", adapts=ref("tpl_missing"))
    assert (error.value.code, error.value.field) == ("not_found", "adapts")
    with pytest.raises(TaskloreError) as error:
        await studio.start("Plan", adapts=ref(template), blank=True)
    assert error.value.field == "adapts"


async def test_a_session_that_adapts_a_template_takes_it_as_its_proposal(studio: Studio) -> None:
    template = await studio.new("Template", name="Harvest plan", task_type="harvest_planning")
    flow = graph(("read", "source.documents"), ("plan", "step.agent_task"))
    await studio.draw(template, flow)
    session = await studio.start("Make the harvest plan for this year", adapts=ref(template))
    found = await studio.where(session)
    assert found.task_type == "harvest_planning"
    task = await studio.new("Task", name="Harvest")
    await studio.link(task, "INSTANTIATES", template)
    await studio.draw(task, flow)
    ended = await studio.tell(session, saved=ref(task))
    assert ended["outcome"] == "saved_as_is"
    assert ended["edit_trace"] is None
    assert await studio.heads(session, "LED_TO") == {task}
    assert (await studio.bundle(session)).selected_template_ids == (template,)


async def test_what_the_user_accepts_of_their_words_becomes_a_preference(studio: Studio) -> None:
    pacer = await studio.new(
        "Capability", name="PACER", capability_kind="connector", summary="Court dockets and PACER."
    )
    await studio.embed()
    session = await studio.start("Look into the PACER docket. Don't use PACER unless docket history matters.")
    [heard] = (await studio.where(session)).statements
    assert (heard.polarity, heard.condition) == ("forbid", "unless docket history matters")
    assert heard.bears_on_ids == (pacer,)
    with pytest.raises(TaskloreError) as refused:
        await studio.become(heard.id, "active", await studio.agent())
    assert refused.value.code == "approval_required"
    await studio.become(heard.id, "active")
    [heard] = (await studio.where(session)).statements
    [preference] = heard.made_into_ids
    stored = await studio.stored(preference)
    assert stored["statement"] == "Don't use PACER unless docket history matters."
    assert await studio.heads(preference, "APPLIES_TO") == {pacer}
    await studio.become(heard.id, "rejected")
    await studio.become(heard.id, "active")
    assert (await studio.where(session)).statements[0].made_into_ids == (preference,)


async def test_who_does_not_want_to_be_asked_is_asked_little_now_and_later(studio: Studio) -> None:
    told: dict[str, Any] = {"known": (known(DesignSlot.expected_outputs, "menu"),)}
    asked = await studio.where(await studio.start("Plan the menu of a wedding", **told))
    assert asked.next_question
    wish = "Please stop asking me so many questions."
    session = await studio.start(f"Plan the menu of a christening. {wish}", user_request_ref="chat://2", **told)
    found = await studio.where(session)
    assert found.next_question is None
    assert any(wish in one.because for one in found.not_worth_asking)
    [heard] = found.statements
    assert heard.statement_kind == "task_agent_instruction_candidate"
    assert [one.id for one in (await studio.bundle(session)).extracted_instruction_candidates] == [heard.id]
    await studio.become(heard.id, "active")
    await studio.embed()
    later = await studio.where(await studio.start("Plan the menu of a funeral", user_request_ref="chat://3", **told))
    assert later.next_question is None
    bare = await studio.where(await studio.start("Plan the menu of a fair", user_request_ref="chat://4"))
    assert bare.next_question
    assert bare.next_question.required


async def test_suggestions_in_words_are_kept_and_can_be_taken_back(studio: Studio) -> None:
    session = await studio.start("Translate the minutes")
    await studio.tell(session, suggestions=(SuggestionVerdict(text="Add a glossary", accepted=True),))
    await studio.tell(session, suggestions=(SuggestionVerdict(text="Add a glossary", accepted=False),))
    stored = await studio.stored(session)
    assert (stored["accepted_suggestions"], stored["rejected_suggestions"]) == ([], ["Add a glossary"])
    await studio.tell(session, outcome=DesignOutcome.abandoned)
    queued = await studio.database.read("MATCH (x:Extraction) RETURN x.about_id AS id, x.reason AS reason")
    assert [(row["id"], row["reason"]) for row in queued] == [(session, "design_session_edited")]


async def test_nothing_of_another_matter_is_told(studio: Studio) -> None:
    there = await lab(studio)
    session = await studio.start(LAB)
    stranger = await studio.viewer(principal_id="prin_other", matters=())
    for asking in (studio.where, studio.bundle):
        with pytest.raises(TaskloreError) as refused:
            await asking(session, stranger)
        assert refused.value.code == "not_found"
    member = await studio.viewer(principal_id="prin_member", matters=[there["matter"]])
    assert (await studio.where(session, member)).session_id == session
    outside = await studio.start("Compare soil samples", stranger)
    assert there["matter"] not in (await studio.stored(outside))["matter_ids"]


async def test_of_what_does_not_fit_neither_type_nor_goals_are_taken(studio: Studio) -> None:
    there = await lab(studio)
    await studio.link(there["template"], "SERVES_GOAL", there["goal"])
    wanted = (
        "Every Friday find the ovens of our bakeries that drift, draft a repair order and email it to the technician"
    )
    begun = await studio.started(wanted)
    found = await studio.where(begun.result["id"])
    assert found.task_type is None
    assert not [one for one in found.considered if one.role is ConsideredAs.goal]
    effects = next(one for one in found.slots if one.slot is DesignSlot.side_effects_allowed)
    assert (effects.matters, effects.filled) == (True, False)
    assert "email it to the technician" in effects.why
