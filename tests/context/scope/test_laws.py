"""Laws of scopes: order does not matter, other matters add nothing, a background run has no surface."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.context.words import BACKGROUND, LaunchSurface, SurfacePolicy, TriggerKind
from service.context.scope import TriggerEvidenceInput
from service.errors import TaskloreError
from tests.context.scope.conftest import Office, email, refs
from tests.laws import law

NAMES = ("Marex Financial", "Marex Global", "Marex", "Northgate", "Calder Holdings")
SUBJECTS = ("Marex Financial and Northgate", "Order in 26-cv-1", "News of Marex", "Calder Holdings v. Marex Global")
FEW = law(3)
_NUMBERS = itertools.count()

Worlds = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["organisation", "library"]), st.integers(0, 1)),
    min_size=1, max_size=4, unique_by=lambda one: one[0],
)  # fmt: skip


async def _world(office: Office, entities: list[tuple[str, str, int]]) -> list[str]:
    await office.database.run_alone("MATCH (n) WHERE n:Record OR n:Command OR n:Report DETACH DELETE n")
    matters = [await office.entity(f"Case {one}", "matter", keys=[f"26-cv-{one}"]) for one in (1, 2)]
    for name, kind, matter in entities:
        await office.entity(name, kind, matter_ids=[matters[matter]])
    return matters


async def _bindings(office: Office, subject: str, matters: tuple[str, ...] = ()) -> dict[str, Any]:
    run = await office.run(f"law-{next(_NUMBERS)}", matters)
    await office.open(run, trigger=email(subject))
    return await office.bound(run)


@pytest.mark.slow
@FEW
@given(entities=Worlds, subject=st.sampled_from(SUBJECTS), order=st.randoms(use_true_random=False))
async def test_the_order_of_storing_does_not_matter(
    office: Office, entities: list[tuple[str, str, int]], subject: str, order: Any
) -> None:
    await _world(office, entities)
    found = await _bindings(office, subject)
    order.shuffle(entities)
    await _world(office, entities)
    assert await _bindings(office, subject) == found


@pytest.mark.slow
@FEW
@given(entities=Worlds, added=st.sampled_from(NAMES), subject=st.sampled_from(SUBJECTS))
async def test_a_record_of_another_matter_adds_no_binding(
    office: Office, entities: list[tuple[str, str, int]], added: str, subject: str
) -> None:
    matters = await _world(office, entities)
    before = await _bindings(office, subject, (matters[0],))
    other = await office.entity("Case 3", "matter", keys=["26-cv-3"])
    await office.entity(added, matter_ids=[other])
    after = await _bindings(office, subject, (matters[0],))
    assert {name for name, (_via, held) in after.items() if held == "bound"} <= {
        name for name, (_via, held) in before.items() if held == "bound"
    }


@pytest.mark.slow
@FEW
@given(surface=st.sampled_from(BACKGROUND), policy=st.none() | st.sampled_from(SurfacePolicy), claim=st.booleans())
async def test_a_background_run_never_has_a_surface(
    office: Office, surface: LaunchSurface, policy: SurfacePolicy | None, claim: bool
) -> None:
    chat = await office.save("SurfaceContext", name="Chat", surface_kind="chat")
    run = await office.run(f"law-{next(_NUMBERS)}")
    trigger = (
        TriggerEvidenceInput(TriggerKind.system_job, payload_ref="ref://p") if surface == "ec_system_job" else email()
    )
    claimed: dict[str, Any] = {"selected_surfaces": refs(chat)} if claim else {}
    try:
        await office.open(run, trigger=trigger, surface_context_policy=policy, **claimed)
    except TaskloreError:
        assert claim or policy is not None
    else:
        assert not claim
    rows = await office.database.read(
        "MATCH (:ScopeEnvelope {run_id: $run})-[:BINDS]->(s:SurfaceContext) RETURN count(s) AS n", run=run
    )
    assert rows == [{"n": 0}]


@pytest.mark.parametrize("mode", ["standard", "memory_incognito"])
async def test_recency_is_no_evidence(office: Office, mode: str) -> None:
    await office.save("SurfaceContext", name="Chat", surface_kind="chat", last_used_at="2026-11-16T00:00:00.000Z")
    await office.entity("Opened a moment ago", "document")
    run = await office.run(mode=mode)
    await office.open(run, trigger=TriggerEvidenceInput(TriggerKind.webhook, correlation_key="c"))
    assert await office.bound(run) == {}
