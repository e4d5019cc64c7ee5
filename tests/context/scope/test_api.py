"""Scopes through GraphQL."""

from typing import Any

import pytest

from resolvers.capability import Fields
from resolvers.context.scope import ScopeMutation, ScopeQuery
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.context.scope import RunScopes, Scopes
from tests.context.scope.conftest import Office
from tests.viewers import viewer_of

OPEN = """
mutation ($input: RunScopeInput!, $id: String) {
  openRunScope(input: $input, commandId: $id) {
    replayed warnings { code message }
    record { launchSurface binds { edges { via status node { ... on Node { name } } } } }
  }
}
"""
READ = """
query ($run: RecordRefInput!) {
  runScope(run: $run) {
    launchSurface surfaceContextPolicy warnings { code }
    resolvedScope { libraryRefs { name via evidence confidence } }
    emailScope { messageId subjectSummary } triggerScope { triggerKind confidence }
  }
}
"""


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(queries=(ScopeQuery,), mutations=(ScopeMutation,))])


async def _ask(office: Office, schema: ReadSchema, document: str, **variables: Any) -> Any:
    services = {Scopes: office.scopes, RunScopes: RunScopes(office.database)}
    context = Context(await viewer_of(office.database), office.database, "req_1", services)
    return await schema.execute(document, variable_values=variables, context_value=context)


@pytest.mark.slow
async def test_a_scope_is_opened_and_read(office: Office, schema: ReadSchema) -> None:
    await office.entity("Case file", "library", keys=["26-cv-1"])
    run = {"id": await office.run()}
    mail = {"account": "office@example.com", "messageId": "m", "subject": "Order in 26-cv-1"}
    given = {"run": run, "trigger": {"kind": "email", "email": mail}}
    told: list[Any] = []
    for _ in range(2):
        answer = await _ask(office, schema, OPEN, input=given, id="o")
        assert not answer.errors
        told.append(answer.data["openRunScope"])
    assert [one["replayed"] for one in told] == [False, True]
    [edge] = told[0]["record"]["binds"]["edges"]
    assert edge == {"via": "email_bound", "status": "bound", "node": {"name": "Case file"}}
    shown = (await _ask(office, schema, READ, run=run)).data["runScope"]
    [library] = shown["resolvedScope"]["libraryRefs"]
    assert library["evidence"] == "The trigger holds its key: “26-cv-1”."
    assert shown["surfaceContextPolicy"] == "not_applicable"
    assert shown["emailScope"] == {"messageId": "m", "subjectSummary": "Order in 26-cv-1"}
    refused = await _ask(office, schema, OPEN, input={"run": run})
    assert refused.errors[0].original_error.code == "run_scope_reused"
