"""Whoever reported of a run goes on with what is theirs in it, whatever becomes known of the run in between."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step

EMPTY = "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n"
MATTER = "CREATE (:Entity:Matter:Record {id: 'ent_m', name: 'M', kind: 'matter', audience: 'internal|ent_m'})"
OUTSIDER: dict[str, Any] = {"principal_id": "out", "matters": []}
MEMBER: dict[str, Any] = {"principal_id": "in", "matters": ["ent_m"]}
IN_MATTER = {**POLICY, "matter_ids": ["ent_m"]}
SECRET = {"kind": "Artifact", "source": "exec", "key": "secret"}

NAMES = """
MATCH (n:Record) WHERE n.source IS NOT NULL RETURN labels(n)[0] AS label, n.source AS source, n.source_key AS key
"""
LINKS = "MATCH (t:Record)-[r]->(h:Record) RETURN coalesce(t.source_key, t.name) + type(r) + coalesce(h.source_key, '')"

_OF_OWN = (
    Story()
    .tell("artifact_produced", artifact_key="a", artifact_kind="document", **step("m"))
    .tell("artifact_produced", artifact_key="b", artifact_kind="document", derived_from=[{"key": "a"}], **step("m"))
    .tell("evaluation_evidence", artifact_key="v", evidence_kind="judge", evaluated_artifact_key="a", **step("j"))
    .tell("artifact_opened", artifact_key="a")
    .tell("artifact_bookmarked", artifact_key="a")
    .tell("artifact_cited", artifact_key="a", citing_artifact_key="b")
    .tell("artifact_consumed", item={"key": "a"}, **step("n"))
    .tell("artifact_promoted", artifact_key="a", promoted_by="w", work_product_key="wp", work_product_name="Brief")
    .tell("delivery", idempotency_key="k", delivery_kind="email", status="failed", artifact_key="a", **step("m"))
    .tell("span", span_key="s", span_kind="tool_call", status="success", artifact_keys=["a"], tool_key="t")
    .tell("run_started", about=[{"kind": "Entity", "key": "e"}], goals=[{"kind": "Goal", "key": "g"}], task_key="tk")
    .tell("activation_completed", capabilities=[{"kind": "Capability", "key": "c"}], **step("m"))
    .tell("document_received", item={"kind": "Entity", "key": "d"})
    .events
)


def _anew(events: list[Event], turn: int) -> list[Event]:
    """The same, told anew: as other events, because whoever tells them has forgotten that they did."""
    return [{**one, "event_id": f"{one['event_id']}-{turn}"} for one in events]


async def _graph(executor: Executor) -> tuple[Counter[Any], Any]:
    names = await executor.database.read(NAMES)
    links = await executor.database.read(LINKS)
    return Counter(tuple(row.values()) for row in names), Counter(next(iter(row.values())) for row in links)


async def _begun(executor: Executor) -> None:
    """A graph in which somebody else has something in a matter that the outsider does not know of."""
    await executor.database.run_alone(EMPTY)
    await executor.database.run_alone(MATTER)
    secret = Story({"source": "exec", "key": "theirs"}, IN_MATTER)
    secret.tell("artifact_produced", artifact_key="secret", artifact_kind="document", **step("x"))
    assert await executor.told(secret.events, **MEMBER) == ["accepted"]


@pytest.mark.slow
@law(4, derandomize=True)
@given(data=st.data())
async def test_what_is_told_again_meets_its_own_whatever_became_known(executor: Executor, data: Any) -> None:
    await _begun(executor)
    assert set(await executor.told(_OF_OWN, **OUTSIDER)) == {"accepted"}
    made = {"artifact_key": "a", "artifact_kind": "document", "derived_from": [SECRET], **step("m")}
    turned = Story().tell("artifact_produced", **made).events
    about = Story().tell("run_started", about=[{"kind": "Entity", "source": "crm", "key": "client"}]).events
    await executor.database.run_alone(
        "CREATE (:Entity:Record {id: 'ent_c', name: 'C', kind: 'person', source: 'crm', source_key: 'client',"
        " realm: '', audience: 'internal|ent_m', data_class: 'internal', matter_ids: ['ent_m'],"
        " own_data_class: 'internal', own_matter_ids: ['ent_m'], stub: false, version: 1})"
    )
    made_known = data.draw(st.sampled_from([turned, about]))
    assert await executor.told(_anew(made_known, 0), **OUTSIDER) == ["accepted"]
    closed = await executor.one("Artifact", source_key="a")
    assert closed["matter_ids"] == ["ent_m"], "else the law says nothing"
    before = await _graph(executor)
    for turn in (1, 2, 3):
        again = data.draw(st.permutations(_OF_OWN))
        assert set(await executor.told(_anew(again, turn), **OUTSIDER)) == {"accepted"}
        assert await _graph(executor) == before


async def test_what_has_a_name_beside_something_hidden_is_met_again_too(executor: Executor) -> None:
    await _begun(executor)
    made = Story().tell("artifact_produced", artifact_key="secret", artifact_kind="document", **step("m")).events
    assert await executor.told(made, **OUTSIDER) == ["accepted"]
    about = Story().tell("artifact_consumed", item={"key": "x"}, **step("n")).events
    assert await executor.told(_anew(about, 0), **OUTSIDER) == ["accepted"]
    await executor.database.run_alone(
        "MATCH (n:Artifact {source_key: 'secret', realm: 'out'}) SET n.audience = 'internal|ent_m', "
        "n.matter_ids = ['ent_m']"
    )
    before = await _graph(executor)
    for turn in (1, 2):
        assert await executor.told(_anew(made, turn), **OUTSIDER) == ["accepted"]
        assert await executor.told(_anew(made, turn + 10), principal_id="out", matters=["ent_m"]) == ["accepted"]
        assert await _graph(executor) == before


async def test_a_name_that_is_theirs_already_is_refused_for_another_kind_and_loses_no_batch(executor: Executor) -> None:
    await _begun(executor)
    made = Story().tell("artifact_produced", artifact_key="secret", artifact_kind="document", **step("m")).events
    assert await executor.told(made, **OUTSIDER) == ["accepted"]
    await executor.database.run_alone(
        "MATCH (n:Artifact {source_key: 'secret', realm: 'out'}) SET n.audience = 'internal|ent_m', "
        "n.matter_ids = ['ent_m']"
    )
    other = Story().tell("run_started", goals=[{"kind": "Goal", "key": "secret"}]).tell("run_completed").events
    assert await executor.told(_anew(other, 1), **OUTSIDER) == ["wrong_kind", "accepted"]
