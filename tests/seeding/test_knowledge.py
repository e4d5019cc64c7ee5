"""The sample world has a knowledge pack in use, which says what it lacks."""

from graph_schema.knowledge.words import PackReadiness, PackState, PackUse
from service.graph.database import Database
from service.knowledge.lookup.read import Lookups, ModuleWish
from service.knowledge.lookup.turn import Turn
from service.knowledge.pack.read import KnowledgePacks
from service.knowledge.pack.readiness import AGENT_RUN
from service.runtime.compose import services_alone
from tests.viewers import viewer_of


async def test_the_pack_of_the_sample_world_is_in_use_and_lacks_a_run_by_an_agent(told: Database) -> None:
    services, viewer = services_alone(told), await viewer_of(told)
    status = await services[KnowledgePacks].status(viewer)
    assert (status.pack_state, status.drift) == (PackState.active, ())
    assert status.readiness_state is PackReadiness.eval_suite_passing
    assert status.missing_required_cards == (AGENT_RUN,)
    assert PackUse.task_design_draft_only in status.activated_for
    assert PackUse.task_design_production not in status.activated_for
    found = await services[Lookups].modules(viewer, Turn(), "wait for a signal", ModuleWish(), 1)
    assert [one.subject for one in found.cards] == ["utility.hold"]
