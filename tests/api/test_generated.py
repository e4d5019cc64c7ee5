"""Documents made from the schema itself, over all its fields: whatever they ask, no error is masked."""

from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from schemathesis.graphql import nodes

from tests.api.conftest import Api
from tests.api.schema import SCHEMA_FILE, root_fields
from tests.laws import UNHEEDED, law

_LOADERS: Any = schemathesis.graphql

# A moment, or words that are none.
_MOMENTS = st.sampled_from(["2026-01-31T09:30:00.000Z", "2026-01-31", "yesterday", ""])
_LOADERS.scalar("Timestamp", _MOMENTS.map(nodes.String))

FIELDS = [(root, name) for root in ("Query", "Mutation") for name in root_fields(root)]


@cache
def _schema() -> Any:
    """Made when the first test wants it: to read it takes seconds, and every process collects this file."""
    return _LOADERS.from_path(SCHEMA_FILE)


@pytest.mark.parametrize(("root", "name"), FIELDS)
@law(
    3,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[*UNHEEDED, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_no_error_is_masked(root: str, name: str, data: st.DataObject, api: Api) -> None:
    case: Any = data.draw(_schema()[root][name].as_strategy())
    headers = {"Authorization": f"Bearer {api.keys['outsider']}"}
    response = case.call(base_url=f"{api.service.url}/graphql", headers=headers, timeout=30)
    assert response.status_code in {200, 400}, response.text
    for error in response.json().get("errors", []):
        assert error["extensions"]["code"] != "internal", (case.body, error)
