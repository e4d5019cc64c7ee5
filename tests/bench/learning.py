"""Learning: reporting signals against a bare driver that writes the same nodes, links and events; and replaying a
proposal over a thousand kept matches against matching their requests once."""

import asyncio
import time
from itertools import count
from typing import Any, LiteralString

from embeddings import EmbeddingQueue
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import SignalType
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.commands import RecordRef
from service.graph.database import Transaction
from service.ids import new_id
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.replay.commands import Replays
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal
from service.matching.keep import KeptMatches
from service.matching.read import Matching
from service.matching.request import MatchRequest
from service.records import Records
from service.runtime.compose import services_alone
from service.runtime.runtime import load_embedder
from service.settings import load_settings
from tests.bench.matching import request_text
from tests.bench.report import Report
from tests.bench.setting import Setting

BATCH = 500
ROUNDS = 6
MATCHES = 1_000
TEMPLATES = 20
AT_ONCE = 8
# Nodes, links and events of one batch, as a bare driver would write them.
BARE: LiteralString = """
UNWIND $rows AS row
CREATE (n:Signal:Record) SET n = row.properties
CREATE (e:Event) SET e = row.event
WITH n
MATCH (t:Record {id: $template})
CREATE (n)-[:SEEN_ON]->(t)
"""


async def measure(setting: Setting, report: Report) -> None:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    queue = EmbeddingQueue(embedder)
    try:
        services = services_alone(setting.database, queue)
        viewer = await setting.viewer(setting.key)
        templates = [await _template(services, viewer, number) for number in range(TEMPLATES)]
        await embed_behind(setting.database, queue, 10_000)
        viewer = await setting.viewer(setting.key)
        await _signals(setting, services, viewer, templates[0], report)
        await _replay(services, viewer, templates[0], report)
    finally:
        await queue.aclose()


async def _template(services: Services, viewer: Viewer, number: int) -> str:
    values = {"name": f"Template {number}", "trigger_phrases": [request_text(number), request_text(number + 100)]}
    return (await services[Records].save(viewer, "Template", values)).result["id"]


async def _signals(setting: Setting, services: Services, viewer: Viewer, template: str, report: Report) -> None:
    numbers = count()
    reported: list[float] = []
    bare: list[float] = []
    for _ in range(ROUNDS):
        given = [_signal(next(numbers), template) for _ in range(BATCH)]
        began = time.perf_counter()
        await services[LearningSignals].report(viewer, given)
        reported.append(time.perf_counter() - began)
        rows = await _same(setting)
        began = time.perf_counter()
        await setting.database.write(_writing(rows, template))
        bare.append(time.perf_counter() - began)
    ours, theirs = BATCH / min(reported), BATCH / min(bare)
    note = f"{ours:,.0f} against {theirs:,.0f} signals a second, in batches of {BATCH}"
    report.add("reporting signals", ours / theirs, "of the bare write", bar=0.5, at_least=True, note=note)


def _signal(number: int, template: str) -> LearningSignal:
    return LearningSignal(
        source="bench",
        signal_id=str(number),
        signal_type=SignalType.user_action,
        payload={"action": "opened"},
        about=(RecordRef(id=template),),
        emitted_at="2026-01-01T00:00:00.000Z",
    )


async def _same(setting: Setting) -> list[dict[str, Any]]:
    """The last batch once more, under ids of its own."""
    rows = await setting.database.read(
        "MATCH (n:Signal {source: 'bench'}) WITH n ORDER BY n.created_at DESC LIMIT $batch "
        "MATCH (e:Event {about: n.id}) RETURN properties(n) AS properties, properties(e) AS event",
        batch=BATCH,
    )
    prefix = REGISTRY.types["Signal"].prefix
    found: list[dict[str, Any]] = []
    for row in rows:
        own = new_id(prefix)
        properties = {**row["properties"], "id": own, "source": "bare", "source_key": own}
        event = {**row["event"], "event_id": new_id("evt"), "about": own}
        found.append({"properties": properties, "event": {k: v for k, v in event.items() if k != "position"}})
    return found


def _writing(rows: list[dict[str, Any]], template: str) -> Any:
    async def work(transaction: Transaction) -> None:
        await transaction.run(BARE, rows=rows, template=template)

    return work


async def _replay(services: Services, viewer: Viewer, template: str, report: Report) -> None:
    requests = [MatchRequest(text=request_text(number)) for number in range(MATCHES)]
    for start in range(0, MATCHES, AT_ONCE):
        some = requests[start : start + AT_ONCE]
        await asyncio.gather(*(services[KeptMatches].keep(viewer, "Template", one) for one in some))
    began = time.perf_counter()
    for start in range(0, MATCHES, AT_ONCE):
        some = requests[start : start + AT_ONCE]
        await asyncio.gather(*(services[Matching].match(viewer, "Template", one) for one in some))
    matched = time.perf_counter() - began
    step = ProposalStep(operation=Operation.add_to_list, field="trigger_phrases", value=["watch the garden"])
    given = ProposalInput(
        proposal_kind=ProposalKind.template_semantic_card_update,
        target=RecordRef(id=template),
        steps=(step,),
        rationale="-",
    )
    proposal: str = (await services[Proposals].propose(viewer, given)).result["id"]
    began = time.perf_counter()
    outcome = await services[Replays].replay(viewer, proposal)
    replayed = time.perf_counter() - began
    row = await services.ground.database.read_one(
        "MATCH (r:Replay {id: $id}) RETURN r.looked_at AS looked_at", id=outcome.result["id"]
    )
    looked_at = row["looked_at"] if row else 0
    note = f"{replayed:.1f} s against {matched:.1f} s, {looked_at:,} cases in three lanes and a control, kept"
    report.add(f"replay of {MATCHES:,} matches", replayed / matched, "of matching once", bar=3.5, note=note)
