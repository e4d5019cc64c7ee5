"""Not seen means not there: tools, what their calls come to, and what is recommended about them."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, MARK, OF_MATTER, marked_id, ref

OUTCOME = """mutation ($o: ToolOutcomeInput!) { reportToolOutcomes(outcomes: [$o]) {
    answers { outcome code message recordId } } }"""


def _named(label: str) -> list[str]:
    kind = REGISTRY.types[label]
    return [marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"]


async def test_a_hidden_tool_is_a_missing_one(stranger: Caller) -> None:
    health = "query ($t: RecordRefInput!) { toolHealth(tool: $t) { outcomes } }"
    evaluate = "mutation ($t: RecordRefInput!) { evaluateTools(tool: $t, dryRun: true) { expired } }"
    for document in (health, evaluate):
        for hidden in _named("Tool"):
            error = await stranger.refused(document, t=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    told = (await stranger.ask(health, t=ref(marked_id(REGISTRY.types["Tool"], BESIDES))))["toolHealth"]
    assert told["outcomes"] <= 1


async def test_a_report_answers_about_hidden_records_as_about_missing_ones(stranger: Caller) -> None:
    told = {"eventId": MARK, "source": MARK, "outcomeType": "success", "occurredAt": "2026-01-01T00:00:00Z"}
    for place, label in (("tool", "Tool"), ("ask", "Ask"), ("run", "Run")):
        for hidden in _named(label):
            given = {**told, "tool": ref(marked_id(REGISTRY.types["Tool"], BESIDES)), place: ref(hidden)}
            [answer] = (await stranger.ask(OUTCOME, o=given))["reportToolOutcomes"]["answers"]
            assert (answer["outcome"], answer["code"], answer["recordId"]) == ("rejected", "not_found", None)
            assert hidden in answer["message"]


async def test_a_hidden_recommendation_is_a_missing_one(stranger: Caller) -> None:
    decide = "mutation ($r: RecordRefInput!) { decideRecommendation(recommendation: $r, accept: true) { recordId } }"
    for hidden in _named("Recommendation"):
        error = await stranger.refused(decide, r=ref(hidden))
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_known_tools_are_those_that_may_be_seen(stranger: Caller) -> None:
    known = "query ($r: String) { knownTools(request: $r, first: 50, budget: 8000) { text tools { toolId name } } }"
    for request in (None, MARK, f"{MARK} Tool {OF_MATTER}"):
        found = (await stranger.ask(known, r=request))["knownTools"]
        assert not {one["toolId"] for one in found["tools"]} & {*HIDDEN}
        assert not [one for one in HIDDEN if one in found["text"]]


async def test_what_to_do_first_is_about_tools_that_may_be_seen(stranger: Caller) -> None:
    asked = (
        "{ toolPriorities(first: 500) { regenerate { toolId recommendationIds } repair { toolId recommendationIds } } }"
    )
    told = (await stranger.ask(asked))["toolPriorities"]
    ids = {
        each for one in (*told["regenerate"], *told["repair"]) for each in (one["toolId"], *one["recommendationIds"])
    }
    assert not ids & {*HIDDEN}
