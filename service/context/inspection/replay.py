"""Whether a packet comes out the same when it is made again from what it keeps, by the rules of today."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from service.context.inspection.kept import Kept, Row
from service.context.packets.errors import BudgetTooSmall
from service.context.packets.rules import RULES, Decided, decide
from service.replay import ReplayDifference, ReplayOutcome
from service.views import Id

SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketReplay:
    """A packet, made again from what it keeps."""

    packet_id: Annotated[Id, "The packet."]
    outcome: Annotated[ReplayOutcome, "What came of it."]
    sentence: Annotated[str, "The same in a sentence."]
    rules_then: Annotated[str, "The rules that made the packet."]
    rules_now: Annotated[str, "The rules of today."]
    content_hash_then: Annotated[str, "Hash of what the packet held and kept out."]
    content_hash_now: Annotated[str | None, "The same, made again; null where it cannot be."]
    withheld: Annotated[bool, "Whether it has receipts of records that you may not see."]
    erased: Annotated[int, "Receipts whose records were erased since."]
    differences: Annotated[tuple[ReplayDifference, ...], f"The first {SHOWN} of what comes out otherwise."]


def not_kept(row: Row) -> PacketReplay:
    """Of a packet without what was asked: it never was kept, or it went with something that was erased."""
    packet, withheld = row["packet"], row["withheld"]
    if not row["receipts"] and not withheld:
        told = "Of an ephemeral test only the hash and the counts are kept, so there is nothing to replay."
        return _replay(packet, ReplayOutcome.not_kept, told)
    whole = sum(one["facts"] is not None for one in row["receipts"])
    told = "It cannot be replayed: what came in with it was erased since, and so is what was asked."
    erased = packet["considered_count"] - whole - withheld
    return _replay(packet, ReplayOutcome.not_in_full, told, withheld=bool(withheld), erased=erased)


def replay(kept: Kept) -> PacketReplay:
    packet = kept.packet
    if kept.withheld or kept.erased:
        lacking = {"withheld": bool(kept.withheld), "erased": kept.erased}
        return _replay(packet, ReplayOutcome.not_in_full, _lacking(kept), **lacking)
    try:
        decided = decide(kept.facts, kept.ground)
    except BudgetTooSmall as error:
        return _replay(packet, ReplayOutcome.different, f"The rules of today refuse it: {error.message}")
    again, rules = decided.content_hash(), _rules(packet["rules"])
    if again == packet["content_hash"]:
        told = f"Made again from what it keeps, it is identical; the rules are {rules}."
        return _replay(packet, ReplayOutcome.identical, told, content_hash_now=again)
    found = tuple(_differences(kept, decided))
    told = f"{len(found):,} of {len(kept.receipts):,} records come out otherwise; the rules are {rules}."
    return _replay(packet, ReplayOutcome.different, told, content_hash_now=again, differences=found[:SHOWN])


def _replay(packet: Row, outcome: ReplayOutcome, sentence: str, **more: Any) -> PacketReplay:
    silent: dict[str, Any] = {"content_hash_now": None, "withheld": False, "erased": 0, "differences": ()}
    return PacketReplay(
        packet_id=packet["id"],
        outcome=outcome,
        sentence=sentence,
        rules_then=packet["rules"],
        rules_now=RULES,
        content_hash_then=packet["content_hash"],
        **{**silent, **more},
    )


def _lacking(kept: Kept) -> str:
    hidden = "some of its receipts are about records that you may not see" if kept.withheld else ""
    gone = f"{kept.erased:,} of its receipts are about records that were erased since" if kept.erased else ""
    return f"It cannot be replayed in full by you: {' and '.join(one for one in (hidden, gone) if one)}."


def _rules(then: str) -> str:
    return f"the same, {RULES}" if then == RULES else f"{RULES} and were {then}"


def _differences(kept: Kept, decided: Decided) -> Iterator[ReplayDifference]:
    now = {one.id: f"injected at place {rank}" for rank, one in enumerate(decided.taken, 1)}
    now |= {x.facts.id: f"kept out: {x.refusal.reason} ({x.refusal.stage})" for x in decided.excluded}
    for one in kept.receipts.values():
        then = f"injected at place {one.rank}" if one.injected else f"kept out: {one.reason} ({one.stage})"
        if then != now[one.id]:
            yield ReplayDifference(record_id=one.id, name=one.name, then=then, now=now[one.id])
