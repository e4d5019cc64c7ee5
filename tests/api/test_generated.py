"""Documents made from the schema itself, over all its fields: whatever they ask, no error is masked."""

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case

from tests.api.conftest import Api

SCHEMA = schemathesis.graphql.from_path(Path(__file__).parents[2] / "resolvers" / "schema.graphql")
FIELDS = SCHEMA.exclude(name_regex=r"^Subscription\.")


@pytest.fixture
def reached(api: Api) -> Api:
    return api


@FIELDS.parametrize()
@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_error_is_masked(case: Case, reached: Api) -> None:
    headers = {"Authorization": f"Bearer {reached.keys['outsider']}"}
    response = case.call(base_url=f"{reached.service.url}/graphql", headers=headers, timeout=30)
    assert response.status_code in {200, 400}, response.text
    for error in response.json().get("errors", []):
        assert error["extensions"]["code"] != "internal", (case.body, error)
