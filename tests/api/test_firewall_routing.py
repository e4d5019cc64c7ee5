"""Not seen means not there: what is taught and learned about requests, and the Task Agent."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, MARK, OF_MATTER, marked_id, ref

FEEDBACK = "suggestionKind: task_suggested, userResponse: rejected"
TRACE = "selectedMode: direct_chat, taskOpportunityLevel: low"
CLASS = f'userRequestRef: "{MARK}", contextClass: "{MARK} class"'
KEYED = f'userRequestRef: "{MARK}", contextClassKey: "{MARK} class"'


def _commands() -> dict[str, str]:
    """Documents that name one record, and the label of what they name."""
    feedback = "mutation ($r: RecordRefInput!) { recordSuggestionFeedback(input: {%s, %s}) { recordId } }"
    trace = "mutation ($r: RecordRefInput!) { recordInvocation(input: {%s}) { recordId } }"
    signal = (
        "mutation ($r: RecordRefInput!) { recordInvocationSignal(input: {signalKind: task_overused, %s}) { recordId } }"
    )
    fallback = """mutation ($r: RecordRefInput!) { recordModelFallback(input: {taskAgentRequestId: "x",
        primaryModelRef: "a", fallbackModelRef: "b", fallbackReason: timeout, proposals: [$r]}) { recordId } }"""
    return {
        feedback % (FEEDBACK, "decision: $r"): "ModeDecision",
        feedback % (f"{FEEDBACK}, {KEYED}", "matchedTemplates: [$r]"): "Template",
        feedback % (f"{FEEDBACK}, {KEYED}", "matchedInvocationDirectives: [$r]"): "InvocationDirective",
        trace % "decision: $r": "ModeDecision",
        trace % "trace: $r": "InvocationTrace",
        trace % f"{TRACE}, {CLASS}, matchedTaskTemplates: [$r]": "Template",
        trace % f"{TRACE}, {CLASS}, matchedModulePresets: [$r]": "Preset",
        trace % f"{TRACE}, {CLASS}, matchedDirectives: [$r]": "InvocationDirective",
        trace % f"{TRACE}, {CLASS}, resultingTask: $r": "Task",
        trace % f"{TRACE}, {CLASS}, resultingRun: $r": "Run",
        trace % f"{TRACE}, {CLASS}, taskAgentConsult: $r": "Consult",
        signal % "trace: $r": "InvocationTrace",
        signal % "decision: $r": "ModeDecision",
        fallback: "Template",
    }


async def test_commands_of_routing_answer_about_hidden_records_as_about_missing_ones(stranger: Caller) -> None:
    for query, label in _commands().items():
        kind = REGISTRY.types[label]
        for hidden in (marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_what_holds_for_a_class_is_told_from_what_may_be_seen(stranger: Caller) -> None:
    state = "query ($c: String!) { routingState(contextClass: $c) { known refusals evidenceIds why } }"
    lift = "mutation ($c: String!) { liftSuppression(contextClass: $c) { tallies } }"
    assert (await stranger.ask(state, c=f"{MARK}{BESIDES}"))["routingState"]["known"]
    told = [(await stranger.ask(state, c=f"{MARK}{one}"))["routingState"] for one in (CLASSED, OF_MATTER, 9)]
    assert told == [told[-1]] * 3
    for hidden in (CLASSED, OF_MATTER, 9):
        error = await stranger.refused(lift, c=f"{MARK}{hidden}")
        assert error["code"] == "not_found"


async def test_directives_and_the_task_agent_are_told_from_what_may_be_seen(stranger: Caller) -> None:
    match = "query ($t: String!) { matchInvocationDirectives(text: $t) { id targets { id } } }"
    agent = "{ taskAgent { available recordIds records { id } } }"
    for text in (MARK, f"{MARK} InvocationDirective {OF_MATTER}", "deep complaint review"):
        found = (await stranger.ask(match, t=text))["matchInvocationDirectives"]
        assert not {one["id"] for one in found} & {*HIDDEN}
    assert found
    told = (await stranger.ask(agent))["taskAgent"]
    assert told["recordIds"] == [one["id"] for one in told["records"]]
    assert not {*told["recordIds"]} & {*HIDDEN}
