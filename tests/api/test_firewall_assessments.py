"""Not seen means not there: assessments, datasets, and what they are made from."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import CLASSED, OF_MATTER, marked_id, ref

ASKED = {
    "mutation ($r: RecordRefInput!) { assessRun(run: $r) { recordId } }": "Run",
    "mutation ($r: RecordRefInput!) { assessTask(task: $r) { recordId } }": "Task",
    "mutation ($r: RecordRefInput!) { assessPortfolio(scope: selected_tasks, tasks: [$r]) { recordId } }": "Task",
    'mutation ($r: RecordRefInput!) { attachAssessorNote(assessment: $r, note: {assessor: "a", text: "b"}) '
    "{ recordId } }": "Assessment",
    "mutation ($r: RecordRefInput!) { freezeEvalDataset(dataset: $r) { recordId } }": "EvalDataset",
    'mutation ($r: RecordRefInput!) { addEvalExamples(dataset: $r, examples: [{exampleKey: "a", inputHash: "b"}]) '
    "{ recordId } }": "EvalDataset",
    'mutation ($r: RecordRefInput!) { recordEvalScores(dataset: $r, candidate: "c", scores: [{exampleKey: "a", '
    'scorer: "s", scorerKind: judge, score: 1}]) { recordId } }': "EvalDataset",
    'mutation ($r: RecordRefInput!) { createEvalDataset(input: {name: "d", datasetSource: manual, template: $r}) '
    "{ recordId } }": "Template",
    'mutation ($r: RecordRefInput!) { drawEvalDataset(input: {name: "d", datasetSource: production_trace, '
    "template: $r}) { recordId } }": "Template",
    "mutation ($r: RecordRefInput!) { proposeAction(action: $r) { recordId } }": "AssessmentAction",
    "query ($r: RecordRefInput!) { replayLearningReport(report: $r) { outcome } }": "KeptReport",
    "query ($r: RecordRefInput!) { goalLearning(goal: $r) { name } }": "Goal",
    "query ($r: RecordRefInput!) { evalResults(dataset: $r) { exampleCount } }": "EvalDataset",
}


async def test_what_is_hidden_is_assessed_and_scored_as_what_is_missing(stranger: Caller) -> None:
    for document, label in ASKED.items():
        for number in (CLASSED, OF_MATTER):
            hidden = marked_id(REGISTRY.types[label], number)
            error = await stranger.refused(document, r=ref(hidden))
            told = (error["code"], error["message"])
            assert told == ("not_found", f"There is no record {hidden} that you can see."), document


async def test_a_report_and_what_signals_come_to_count_what_may_be_seen(stranger: Caller) -> None:
    report = (await stranger.ask("{ learningReport { ledgers { findings { record { id } evidenceIds } } "
                                 "recommendedUpdates { proposalId } } }"))["learningReport"]  # fmt: skip
    told = str(report)
    for label in ("Signal", "Proposal", "Template", "Run", "SuggestionFeedback"):
        for number in (CLASSED, OF_MATTER):
            assert marked_id(REGISTRY.types[label], number) not in told
    outputs = (await stranger.ask("{ outputArchetypes { runs items { artifactIds } } }"))["outputArchetypes"]
    for number in (CLASSED, OF_MATTER):
        assert marked_id(REGISTRY.types["Artifact"], number) not in str(outputs)
    found = (await stranger.ask("{ designAggregates { items { recordId } } }"))["designAggregates"]
    assert found["items"] == []
