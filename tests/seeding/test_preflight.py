"""The sample world has a task that a preflight has something to say about."""

from service.graph.database import Database
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.runtime.compose import services_alone
from service.seeding.world import SOURCE
from tests.viewers import viewer_of

SAID = """Preflight result: warning
Ready:
- The graph can be run and does what its blueprint says.
- Everything that goes in is there: contracts.
- Available: Retrieve document pages.
- It usually costs $24.20, and rarely more than $30.08 (5 runs).
Warnings:
- send acts on the outside world (external_send), and nobody is asked before.
- research asks for PACER docket search, which its policy does not allow.
- What damages makes stays with its run, and 3 of 5 earlier ones were used again.
- It usually costs $24.20 to $30.08, and may cost $25.00.
Recommended fixes:
- [Add human review before send]
- [Allow PACER docket search for research]
- [Make what damages makes findable with summary]
- [Set the cost cap to $25.00]"""


async def test_the_example_of_a_preflight_comes_out_of_the_sample_world(told: Database) -> None:
    row = await told.read_one(
        "MATCH (t:Task {source: $source, source_key: 'task-damages-review'}) RETURN t.id AS id", source=SOURCE
    )
    assert row is not None
    asked = PreflightRequest(inputs=("contracts",))
    report = await services_alone(told)[Preflights].examine(await viewer_of(told), Subject(row["id"]), asked)
    assert report.text == SAID
