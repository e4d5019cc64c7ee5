"""Kept matches, decided again from the facts that they keep: by today's rules, and with the change."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from embeddings import Vectors
from graph_schema.learning.proposal_words import CaseKind
from graph_schema.learning.words import DesignSignalKind
from graph_schema.library.words import DirectiveKind
from graph_schema.model.record import LifecycleState
from service import clock
from service.access.audience import Access
from service.access.viewer import Viewer
from service.capability import Ground
from service.graph.database import Database, Row
from service.learning.replay import cypher
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Patches, Target
from service.matching.answer import MatchAnswer
from service.matching.assets import Asset, Directive
from service.matching.errors import ModelNotCalibrated
from service.matching.frozen import WHOEVER_ASKED
from service.matching.kept import Kept, kept_of
from service.matching.request import asked

BATCH = 100
MATCHED = frozenset({"Template", "Preset", "Pattern"})
SELECTED, REJECTED = DesignSignalKind.template_selected.value, DesignSignalKind.template_rejected.value
JUDGING = [SELECTED, REJECTED]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What people did with what was found: what they took, and what they refused."""

    taken: frozenset[str]
    refused: frozenset[str]
    said: str | None

    def right(self, recommended: Sequence[str]) -> bool | None:
        if self.taken:
            return bool(self.taken.intersection(recommended))
        return self.refused.isdisjoint(recommended) if self.refused else None


def judgement(rows: Sequence[Mapping[str, Any]]) -> Judgement:
    """The last word on each asset counts."""
    last: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        last.setdefault(row["asset"], row)
    taken = {one: row for one, row in last.items() if row["kind"] == SELECTED}
    refused = {one: row for one, row in last.items() if row["kind"] == REJECTED}
    parts = [
        f"{word} {', '.join(sorted(row['name'] for row in found.values()))}"
        for word, found in (("took", taken), ("refused", refused))
        if found
    ]
    return Judgement(frozenset(taken), frozenset(refused), f"Somebody {' and '.join(parts)}." if parts else None)


class MatchReplays:
    def __init__(self, database: Database, ground: Ground) -> None:
        self._database = database
        self._ground = ground

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        """The newest matches that weighed what the change touches."""
        touched = [*target.steers] if target.kind.label == "Directive" else [target.id]
        found = await self._database.read(cypher.MATCHES, targets=touched, most=most, audiences=viewer.audiences)
        versions = {row["id"]: {one["id"]: one["version"] for one in row["weighed"]} for row in found}
        patches = Patches(target, self._ground)
        cases: list[Case] = []
        ids = [*versions]
        for start in range(0, len(ids), BATCH):
            rows = await self._database.read(
                cypher.KEPT_MATCHES, ids=ids[start : start + BATCH], judging=JUDGING, audiences=viewer.audiences
            )
            cases += await asyncio.gather(*(self._case(row, versions[row["kept"]["id"]], patches) for row in rows))
        return cases

    async def unweighed(self, viewer: Viewer, target: Target) -> int:
        if target.kind.label not in MATCHED:
            return 0
        row = await self._database.read_one(
            cypher.UNWEIGHED, kind=target.kind.label, id=target.id, audiences=viewer.audiences
        )
        return row["unweighed"] if row else 0

    async def _case(self, row: Row, versions: Mapping[str, int], patches: Patches) -> Case:
        judged, values = judgement(row["judged"]), row["kept"]
        try:
            kept = kept_of(row)
        except (ValueError, KeyError, TypeError):
            return Case(
                kind=CaseKind.match,
                id=values["id"],
                name=values["name"],
                at=values["matched_at"],
                access=Access.of(values),
                recorded=UNREADABLE,
                why=UNREADABLE.said,
            )
        case = Case(
            kind=CaseKind.match,
            id=kept.id,
            name=values["name"],
            at=kept.question.at,
            access=Access.of(values),
            recorded=_recorded(kept, judged),
            judged_by=judged.said,
        )
        if kept.withheld or kept.lacking:
            lacking = "weighed what you may not see" if kept.withheld else "keeps no facts of some of what it weighed"
            return replace(case, why=f"It {lacking}.")
        changed = await changed_asset(kept, versions, patches)
        if changed is None:
            return replace(case, why="What the record said at the time is not kept.")
        return _decided(case, kept, changed, judged, touched={*versions})


@dataclass(frozen=True, slots=True)
class Changed:
    """What the change makes of an asset, and which asset it is about."""

    on: Any
    id: str


async def changed_asset(kept: Kept, versions: Mapping[str, int], patches: Patches) -> Changed | None:
    """None: what the record said at the version that was weighed is not kept."""
    if patches.target.kind.label == "Directive":
        return _steered(kept, patches.target)
    patch = await patches.of(versions[patches.target.id])
    if patch is None:
        return None
    question = asked(kept.question.request, clock.parse(kept.question.at), WHOEVER_ASKED)
    vector: Vectors | None = None
    if patch.shift is not None and question.compared:
        vector = np.asarray(await patches.ground.embeddings.embed_query(question.compared), dtype=np.float32)

    def on(asset: Asset) -> Asset:
        return patch.on(asset, vector, question.stems)

    return Changed(on, patches.target.id)


def _steered(kept: Kept, target: Target) -> Changed | None:
    """A directive bears on the assets that it steers."""
    contents = target.contents(target.version)
    if contents is None:
        return None
    after = contents[1].values

    def on(asset: Asset) -> Asset:
        others = tuple(one for one in asset.directives if one.id != target.id)
        if after["lifecycle_state"] != LifecycleState.active.value:
            return replace(asset, directives=others)
        known = next((one for one in asset.directives if one.id == target.id), None)
        made = Directive(
            target.id,
            DirectiveKind(after["directive_kind"]),
            after["phrase_or_condition"],
            after.get("confidence", 1.0),
            LifecycleState.active,
            known.limited_to if known else None,
        )
        return replace(asset, directives=(*others, made))

    first = next((one for one in target.steers if one in kept.facts), "")
    return Changed(on, first)


def _decided(case: Case, kept: Kept, changed: Changed, judged: Judgement, *, touched: set[str]) -> Case:
    facts = kept.facts
    try:
        today = kept.question.answer([*facts.values()])
        candidate = kept.question.answer([changed.on(one) if id_ in touched else one for id_, one in facts.items()])
        control = _control(kept, changed, touched)
    except ModelNotCalibrated as error:
        return replace(case, why=f"The ranker of today refuses it: {error.message}")
    lanes = [_lane(one, judged) if one else None for one in (today, candidate, control)]
    done = replace(case, today=lanes[0], candidate=lanes[1], control=lanes[2])
    return replace(done, why=_why(done))


def _control(kept: Kept, changed: Changed, touched: set[str]) -> MatchAnswer | None:
    """The same change of another asset: the next one by id, so that it is the same each time."""
    others = sorted(one for one in kept.facts if one not in touched)
    if not others:
        return None
    chosen = next((one for one in others if one > changed.id), others[0])
    return kept.question.answer([changed.on(one) if id_ == chosen else one for id_, one in kept.facts.items()])


def _recorded(kept: Kept, judged: Judgement) -> Lane:
    names = {one["id"]: one["name"] for one in kept.told["weighed"]}
    ids = tuple(kept.told["recommended"])
    said = _said(kept.told["outcome"], [names[one] for one in ids if one in names], kept.told["confidence"])
    return Lane((kept.told["outcome"], ids, kept.values["recommended_action"]), said, judged.right(ids))


def _lane(answer: MatchAnswer, judged: Judgement) -> Lane:
    ids = tuple(one.id for one in answer.recommended)
    key = (answer.outcome.value, ids, answer.recommended_action.value)
    said = _said(answer.outcome.value, [one.name for one in answer.recommended], answer.confidence)
    return Lane(key, said, judged.right(ids))


def _said(outcome: str, names: Sequence[str], confidence: float) -> str:
    return f"{outcome}: {', '.join(names)} ({confidence:.0%})" if names else f"{outcome} ({confidence:.0%})"


def _why(case: Case) -> str:
    if case.today is None or case.candidate is None:
        return case.why
    if case.today.key == case.candidate.key:
        return "The change makes no difference to it."
    return f"Without it: {case.today.said}. With it: {case.candidate.said}."
