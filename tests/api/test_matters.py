"""Wherever a matter is named by its id, it is named by what its owner calls it, too."""

from typing import Any

import pytest
from graphql import GraphQLInputObjectType

from tests.api.conftest import Api, Caller
from tests.api.schema import committed_schema

MAREX = [{"source": "sample", "key": "marex"}]
HAPPENED: dict[str, Any] = {"selectedMode": "direct_chat", "taskOpportunityLevel": "none", "contextClass": "a/b"}
COMMANDS: dict[str, tuple[str, dict[str, Any]]] = {
    "saveGoal": ("GoalInput", {"name": "G", "goalType": "output_quality_goal", "goalStatement": "Won."}),
    "saveBlueprint": ("BlueprintInput", {"name": "B", "businessOrPersonalGoal": "Win.", "taskType": "review"}),
    "recordInvocation": ("InvocationInput", {"userRequestRef": "chat://1", **HAPPENED}),
    "startDesignSession": ("DesignRequest", {"text": "Review the complaint every week"}),
    "trackTask": ("TrackedTaskInput", {"name": "T", "creationMode": "scratch_draft_not_run",
                                       "userVisibleDescription": "A task.", "reasonForTaskMode": "Asked for."}),
}  # fmt: skip


def test_every_input_that_takes_ids_of_matters_takes_their_names() -> None:
    inputs = [one for one in committed_schema().type_map.values() if isinstance(one, GraphQLInputObjectType)]
    taking = {one.name for one in inputs if "matterIds" in one.fields and not one.name.endswith("Filter")}
    assert len(taking) > len(COMMANDS)
    assert taking - {one.name for one in inputs if "matters" in one.fields} == REPORTED


REPORTED = {"AgentEventInput", "AskInput", "ToolOutcomeInput"}
"""Lines of a report that a tool or a surface sends: they have the access of what they are about."""


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_matter_is_found_by_its_name_and_a_hidden_one_is_a_missing_one(
    name: str, api: Api, marex: Caller, outsider: Caller
) -> None:
    kind, given = COMMANDS[name]
    argument = "request" if kind == "DesignRequest" else "input"
    document = f"mutation ($given: {kind}!) {{ {name}({argument}: $given) {{ recordId }} }}"
    told = await marex.ask(document, given={**given, "matters": MAREX})
    rows = await api.database.read("MATCH (n:Record {id: $id}) RETURN n.matter_ids AS ids", id=told[name]["recordId"])
    assert rows[0]["ids"] == [api.matters["Marex"]]
    hidden = await outsider.refused(document, given={**given, "matters": MAREX})
    missing = await outsider.refused(document, given={**given, "matters": [{"source": "sample", "key": "nobody"}]})
    assert hidden["code"] == missing["code"]
    assert hidden["message"].replace("marex", "nobody") == missing["message"]
