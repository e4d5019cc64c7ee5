"""What is looked up when a design begins: what it is about, what can be reused, what can be used, what holds."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.knowledge.words import CardFamily
from graph_schema.learning.design_words import ConsideredAs as As
from graph_schema.learning.design_words import DesignSlot
from graph_schema.library.words import MatchOutcome
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import TEXT_LENGTH
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.output.ddl import NAMES_INDEX
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.context.agent_pack import AgentContextPack, AgentPackRequest, AgentPacks
from service.context.matters import within
from service.context.scope.evidence import Texts, matches, queries
from service.graph.database import Database, Row
from service.knowledge.lookup.read import KnowledgeAnswer, Lookups
from service.knowledge.lookup.turn import Turn
from service.learning.design import cypher
from service.learning.design.guidance import FAMILIES
from service.learning.design.inputs import DesignRequest
from service.matching.answer import MatchAnswer, ReuseAnswer
from service.matching.keep import Keeping, KeptMatches
from service.matching.read import Matching
from service.matching.request import MatchRequest
from service.notices import Notice
from service.routing.decision.context_class import context_class
from service.routing.decision.read import verb_of
from service.routing.words import Words, said

MOST_NAMED = 20
MOST_GOALS = 10
MOST_LOSERS = 3
MOST_OF_A_KIND = 20
MOST_CARDS = 10
DEPTH = 500
_ROLES = {
    "Template": As.template,
    "Preset": As.preset,
    "Pattern": As.pattern,
    "Case": As.case,
    "Blueprint": As.blueprint,
    "Segment": As.segment,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that was looked at: as what, at which place, and why."""

    id: str
    role: As
    rank: int
    score: float | None = None
    because: str | None = None
    version: int | None = None

    def link(self) -> dict[str, Any]:
        told = {"role": self.role.value, "rank": self.rank, "score": self.score, "because": self.because}
        return {name: value for name, value in {**told, "record_version": self.version}.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Found:
    """All that a design begins with."""

    about: tuple[RecordRef, ...]
    keeping: Keeping | None
    """The search for reuse; none where nothing could be compared."""
    considered: tuple[Candidate, ...]
    task_type: str | None
    domain: str | None
    context_class: str
    notices: tuple[Notice, ...]


class Looking:
    def __init__(  # noqa: PLR0917 - what is asked, one after another
        self,
        database: Database,
        matching: Matching,
        kept: KeptMatches,
        packs: AgentPacks,
        lookups: Lookups,
        words: Words,
    ) -> None:
        self._database = database
        self._matching = matching
        self._kept = kept
        self._packs = packs
        self._lookups = lookups
        self._words = words

    async def found(self, viewer: Viewer, request: DesignRequest) -> Found:
        what = said(request.text, self._words)
        about = await self._about(viewer, request)
        ids = tuple(one["id"] for one in about)
        inside = within(viewer, {matter for one in about for matter in one["matter_ids"]}.union(request.matter_ids))
        wanted = _wanted(request, what.core or request.text, ids)
        named = tuple(RecordRef(id=one) for one in ids)
        asked = AgentPackRequest(
            text=request.text, entrypoint=Entrypoint.design_task, about=named, task_type=wanted.task_type
        )
        keeping, reuse, pack, guidance = await asyncio.gather(
            self._kept.prepare(inside, "Template", wanted),
            self._matching.reuse(inside, wanted),
            self._packs.pack(viewer, asked),
            self._lookups.guidance(viewer, Turn(), request.text, FAMILIES, MOST_CARDS),
        )
        template = await self._template(inside, request, keeping.found)
        considered = [*_reused(keeping.found, reuse), *_of_pack(pack), *_guiding(guidance)]
        considered += await self._goals(inside, ids, [template["id"]] if template else [])
        task_type = wanted.task_type or (template or {}).get("task_type")
        domains = [request.domain] if request.domain else (template or {}).get("domain_tags") or []
        archetypes = (template or {}).get("document_archetypes") or ()
        return Found(
            about=named,
            keeping=keeping,
            considered=tuple(_once(considered)),
            task_type=task_type,
            domain=next(iter(domains), None),
            context_class=request.context_class
            or context_class(task_type, archetypes, verb_of(what, self._words), domains),
            notices=(*reuse.warnings, *keeping.found.warnings),
        )

    async def _about(self, viewer: Viewer, request: DesignRequest) -> list[Mapping[str, Any]]:
        """What the caller names, and what the text names whole."""
        texts = Texts(said=(request.text,))
        [row] = await self._database.read(
            cypher.NAMED,
            queries=queries(texts),
            names_index=NAMES_INDEX,
            depth=DEPTH,
            hidden_states=list(HIDDEN_STATES),
            audiences=viewer.audiences,
        )
        named = matches(texts, row["exact"])
        meant = [*named.keys, *named.names][:MOST_NAMED]
        given = await self._given(viewer, request.about)
        return list({one["id"]: one for one in (*given, *(each.record for each in meant))}.values())

    async def _given(self, viewer: Viewer, refs: Sequence[RecordRef]) -> list[Row]:
        asked = [{"place": place, "id": one.id, "source": one.source, "key": one.key} for place, one in enumerate(refs)]
        rows = await self._database.read(cypher.GIVEN, refs=asked, audiences=viewer.audiences)
        found = {row["place"]: row["record"] for row in rows}
        missing = next((one for place, one in enumerate(refs) if place not in found), None)
        if missing is not None:
            raise RecordMissing(missing, "about")
        return list(found.values())

    async def _template(self, viewer: Viewer, request: DesignRequest, found: MatchAnswer) -> Row | None:
        """The template that says what the work is: one that is adapted, or fits. One to be asked about does not."""
        fits = found.recommended if found.outcome is MatchOutcome.match else ()
        ref = request.adapts or next((RecordRef(id=one.id) for one in fits), None)
        if ref is None:
            return None
        row = await self._database.read_one(
            cypher.TEMPLATE, id=ref.id, source=ref.source, key=ref.key, audiences=viewer.audiences
        )
        return row["template"] if row else None

    async def _goals(self, viewer: Viewer, about: Sequence[str], templates: Sequence[str]) -> list[Candidate]:
        rows = await self._database.read(
            cypher.GOALS,
            about=list(about),
            templates=list(templates),
            hidden_states=list(HIDDEN_STATES),
            most=MOST_GOALS,
            audiences=viewer.audiences,
        )
        return [
            Candidate(row["id"], As.goal, rank, because="It is a goal of what the work is about, or of the template.")
            for rank, row in enumerate(rows, 1)
        ]


def _wanted(request: DesignRequest, text: str, about: tuple[str, ...]) -> MatchRequest:
    known = {one.slot: one.values for one in request.known}
    return MatchRequest(
        text=text,
        task_type=next(iter(known.get(DesignSlot.task_type, ())), None),
        inputs=known.get(DesignSlot.source_materials) or None,
        outputs=known.get(DesignSlot.expected_outputs) or None,
        capabilities=request.capabilities or None,
        denied_capabilities=request.denied_capabilities,
        entities=about or None,
        blank=request.blank,
    )


def _reused(templates: MatchAnswer, reuse: ReuseAnswer) -> Iterator[Candidate]:
    """What can be used again; of templates also the best that lost, with why."""
    yield from _recommended(templates)
    lost = [one for one in templates.losers if not one.candidate.vetoed][:MOST_LOSERS]
    for rank, one in enumerate(lost, len(templates.recommended) + 1):
        score = one.candidate.scores.overall_score
        yield Candidate(one.candidate.id, As.template, rank, score, _short(one.message), one.candidate.version)
    for section in reuse.sections:
        if section.kind != "Template":
            yield from _recommended(section)


def _recommended(found: MatchAnswer) -> Iterator[Candidate]:
    for rank, one in enumerate(found.recommended, 1):
        yield Candidate(
            one.id, _ROLES[found.kind], rank, one.scores.overall_score, _short(one.explanation), one.version
        )


def _of_pack(pack: AgentContextPack) -> Iterator[Candidate]:
    able, held = pack.capability_context, pack.constraints
    listed = (
        (As.capability, (*able.available_capability_refs, *able.unreported_capability_refs)),
        (As.unavailable_capability, able.unavailable_capability_refs),
        (As.denied_capability, able.policy_blocked_capability_refs),
        (As.preference, held.memory_directive_refs),
        (As.restriction, held.security_policy_refs),
        (As.policy, held.artifact_policy_refs),
        (As.directive, pack.relevant_task_invocation_directives),
        (As.goal, pack.work_context.goal_refs),
    )
    for role, cards in listed:
        for rank, one in enumerate(cards[:MOST_OF_A_KIND], 1):
            yield Candidate(one.id, role, rank, one.score, _short(one.detail) or None)


def _guiding(guidance: KnowledgeAnswer) -> Iterator[Candidate]:
    """Doctrine and other cards that have words of the request, as far as the education profile lets them out."""
    cards = [one for one in guidance.cards if one.card_id and one.score]
    for role, some in (
        (As.doctrine, [one for one in cards if one.family is CardFamily.doctrine_card]),
        (As.card, [one for one in cards if one.family is not CardFamily.doctrine_card]),
    ):
        for rank, one in enumerate(some, 1):
            yield Candidate(str(one.card_id), role, rank, because=one.because)


def _once(found: Iterable[Candidate]) -> list[Candidate]:
    """A record is looked at as one thing: the first that it is."""
    return list({one.id: one for one in reversed([*found])}.values())[::-1]


def _short(text: str) -> str:
    return text if len(text) <= TEXT_LENGTH else f"{text[: TEXT_LENGTH - 1]}…"
