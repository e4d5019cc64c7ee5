"""Questions about packets, each answered by one statement, two where named runs are looked up first."""

from collections.abc import Sequence
from dataclasses import replace

from service.access.viewer import Viewer
from service.commands import RecordRef, check_activation
from service.commands.errors import InputInvalid, RecordMissing
from service.context.inspection import cypher
from service.context.inspection.bleed import BleedQuestion, ContextBleed, bleed
from service.context.inspection.diff import PacketDiff, diff
from service.context.inspection.errors import PacketMissing
from service.context.inspection.inputs import PacketRefInput
from service.context.inspection.kept import Row, kept_of
from service.context.inspection.replay import PacketReplay, not_kept, replay
from service.context.inspection.why import PacketWhy, WhyOutcome, answer
from service.graph.database import Database


class Inspection:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def why_excluded(
        self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int, record: RecordRef
    ) -> PacketWhy:
        found = await self._why(viewer, run, module_key, activation_seq, record)
        return _but(found, "It was not kept out. ") if _given(found) else found

    async def why_injected(
        self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int, record: RecordRef
    ) -> PacketWhy:
        found = await self._why(viewer, run, module_key, activation_seq, record)
        return found if _given(found) else _but(found, "It was not given. ")

    async def _why(
        self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int, record: RecordRef
    ) -> PacketWhy:
        run.check("run", "Run")
        check_activation(activation_seq)
        record.check("record")
        row = await self._database.read_one(
            cypher.QUESTION,
            audiences=viewer.audiences,
            run={"id": run.id, "source": run.source, "key": run.key},
            record={"id": record.id, "source": record.source, "key": record.key},
            module_key=module_key,
            activation_seq=activation_seq,
        )
        if row is None:
            raise RecordMissing(run, "run")
        if row["packet"] is None:
            raise PacketMissing(run, module_key, activation_seq)
        if row["record"] is None:
            raise RecordMissing(record, "record")
        return answer(row)

    async def packet_id(self, viewer: Viewer, packet: PacketRefInput, field: str) -> str:
        """The id of the packet that is named, by itself or by its activation. `field`: where it is named."""
        by_step = (packet.run, packet.module_key, packet.activation_seq)
        if packet.id is not None and all(one is None for one in by_step):
            return packet.id
        if packet.id is not None or packet.run is None or packet.module_key is None or packet.activation_seq is None:
            raise InputInvalid(field, "a packet is named by its id alone, or by run, module_key and activation_seq")
        return await self._of_step(viewer, packet.run, packet.module_key, packet.activation_seq)

    async def _of_step(self, viewer: Viewer, run: RecordRef, module_key: str, activation_seq: int) -> str:
        """The id of the packet that was made for an activation."""
        run.check("run", "Run")
        check_activation(activation_seq)
        row = await self._database.read_one(
            cypher.OF_STEP,
            audiences=viewer.audiences,
            run={"id": run.id, "source": run.source, "key": run.key},
            module_key=module_key,
            activation_seq=activation_seq,
        )
        if row is None:
            raise RecordMissing(run, "run")
        if row["id"] is None:
            raise PacketMissing(run, module_key, activation_seq)
        return row["id"]

    async def diff(self, viewer: Viewer, a: str, b: str) -> PacketDiff:
        found = await self._kept(viewer, [a, b])
        for field, one in (("a", a), ("b", b)):
            if one not in found:
                raise RecordMissing(RecordRef(id=one), field)
        return diff(kept_of(found[a]), kept_of(found[b]))

    async def replay(self, viewer: Viewer, packet_id: str) -> PacketReplay:
        found = await self._kept(viewer, [packet_id])
        if packet_id not in found:
            raise RecordMissing(RecordRef(id=packet_id), "packet")
        packet: Row = found[packet_id]["packet"]
        if packet["inputs"] is None:
            return not_kept(found[packet_id])
        return replay(kept_of(found[packet_id]))

    async def bleed(self, viewer: Viewer, question: BleedQuestion) -> ContextBleed:
        question.check()
        await self._check_runs(viewer, question)
        statement = cypher.BLEED_OF_RUNS if question.runs else cypher.BLEED_OF_SPAN
        rows = await self._database.read(statement, audiences=viewer.audiences, asked=question.asked())
        return bleed(rows, question.first)

    async def _check_runs(self, viewer: Viewer, question: BleedQuestion) -> None:
        if not question.runs:
            return
        row = await self._database.read_one(cypher.SEEN_RUNS, audiences=viewer.audiences, runs=question.refs())
        seen = {*row["seen"]} if row else set[str]()
        for one in question.runs:
            if str(one) not in seen:
                raise RecordMissing(one, "runs")

    async def _kept(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Row]:
        row = await self._database.read_one(cypher.KEPT, audiences=viewer.audiences, ids=list(ids))
        return {one["packet"]["id"]: one for one in (row["found"] if row else ())}


def _given(found: PacketWhy) -> bool:
    """Whether the module got it, for itself or with a whole: what a whole kept out has the code of that."""
    with_whole = found.outcome is WhyOutcome.covered_by_container and found.code is None
    return found.outcome is WhyOutcome.injected or with_whole


def _but(found: PacketWhy, said: str) -> PacketWhy:
    return replace(found, sentence=said + found.sentence)
