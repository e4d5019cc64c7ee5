"""The typed tools: modules, settings, patterns, decisions, capabilities, models. Queries: they store nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.knowledge.words import (
    AuthorityLevel,
    CardFamily,
    DecisionFamily,
    MayAffect,
    PackState,
    PortDirection,
    PortKind,
)
from graph_schema.library.words import CrossModelApplicability, ModuleFamily, SourceKind
from graph_schema.model.record import HIDDEN_STATES
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.knowledge.errors import FieldUnknown, ModuleTypeUnknown
from service.knowledge.lookup import cypher
from service.knowledge.lookup.answer import LookupCard, made
from service.knowledge.lookup.budget import Allowance, WithheldCards
from service.knowledge.lookup.models import ModelNeed, advised, is_of
from service.knowledge.lookup.profile import Education
from service.knowledge.lookup.ranking import ranked
from service.knowledge.lookup.turn import Turn
from service.knowledge.pack.cards import CardContent, Sources, cards_of
from service.knowledge.pack.read import BEHIND, BLOCKING
from service.notices import Notice, notices_of
from service.views import Id, Linked

NO_PACK = "warning.knowledge_pack_missing"
MOST_TYPES = 1_000
MOST_ASSETS = 5_000
MOST_CARDS = 500
_F = CardFamily
WRITTEN = (
    *(_F.rationale_card, _F.config_rationale_card, _F.hint_card, _F.decision_card, _F.doctrine_card),
    *(_F.prompt_guide_card, _F.invocation_card, _F.worked_example),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeAnswer:
    """What a lookup found, as far as the education profile allows."""

    says: Annotated[str, "The answer in a sentence."]
    cards: Annotated[tuple[LookupCard, ...], "What it found, in the order of how well it fits."]
    withheld: Annotated[tuple[WithheldCards, ...], "What fits and is not given, by reason."]
    tokens: Annotated[int, "Tokens of all that this request was given so far."]
    pack_id: Annotated[Id | None, "The pack in use. Null when there is none: then only what is live is told."]
    notices: Annotated[tuple[Notice, ...], "Whether the pack is missing or behind."]
    pack: ClassVar = Linked("pack_id", "The pack in use.", "KnowledgePack")


@dataclass(frozen=True, slots=True)
class Held:
    """The pack in use, and its cards of the families that were asked for."""

    pack: Row | None
    cards: Sequence[Row]

    @property
    def behind(self) -> bool:
        return bool(self.pack and self.pack.get("blocking_drift"))

    def codes(self) -> list[str]:
        if self.pack is None:
            return [NO_PACK]
        return [BLOCKING] if self.behind else [BEHIND] if self.pack["pack_state"] == PackState.stale else []


class Lookups:
    def __init__(self, database: Database, education: Education) -> None:
        self._database = database
        self._education = education

    async def modules(
        self, viewer: Viewer, turn: Turn, text: str, wanted: "ModuleWish", first: int
    ) -> KnowledgeAnswer:  # fmt: skip
        """Module types that fit, each with what it takes and gives."""
        rows = [one for one in await self._types(viewer) if wanted.fits(one)]
        best = ranked(text, rows, lambda one: (one["name"], _all_text(one)), first)
        cards = [
            made(
                card, "Its words fit." if score else "It is in the catalogue.", score=score or None, record_id=row["id"]
            )
            for row, score in best
            for card in _canonical(row)
            if card.family is _F.module_card
        ]
        return await self._answer(viewer, turn, cards, await self._held(viewer, ()), _found(len(best), "module type"))

    async def module(self, viewer: Viewer, turn: Turn, module_type: str) -> KnowledgeAnswer:
        """All that is known of a module type: what it takes, gives and can be set to, and why it is there."""
        row = await self._type(viewer, module_type)
        held = await self._held(viewer, (_F.rationale_card, _F.config_rationale_card, _F.hint_card))
        live = [made(one, "It is in the catalogue.", record_id=row["id"]) for one in _canonical(row)]
        about = [one for one in held.cards if _is_about(one, module_type)]
        told = [*live, *_told(about, f"It is about {module_type}.")]
        return await self._answer(
            viewer, turn, told, held, f"{row['name']}: {row.get('purpose') or 'no purpose told.'}"
        )

    async def setting(self, viewer: Viewer, turn: Turn, module_type: str, name: str | None) -> KnowledgeAnswer:
        """What can be set of a module type, or one setting of it, and why one would."""
        row = await self._type(viewer, module_type)
        known = [one["field_name"] for one in row["fields"]]
        if name is not None and name not in known:
            raise FieldUnknown(module_type, name, known)
        fields = [one for one in row["fields"] if name in (None, one["field_name"])]
        held = await self._held(viewer, (_F.config_rationale_card,))
        live = [card for card in _canonical({**row, "fields": fields}) if card.family is _F.config_card]
        wanted = {f"{module_type}.{one['field_name']}" for one in fields}
        why = _told([one for one in held.cards if one["subject"] in wanted], "It says why one would set it.")
        told = [*(made(one, "It is in the catalogue.", record_id=row["id"]) for one in live), *why]
        return await self._answer(viewer, turn, told, held, _found(len(fields), "setting"))

    async def patterns(self, viewer: Viewer, turn: Turn, text: str, *, anti: bool, first: int) -> KnowledgeAnswer:
        row = await self._database.read_one(
            cypher.LIVE_PATTERNS, anti=anti, most=MOST_ASSETS, audiences=viewer.audiences
        )
        cards = _ranked_assets(text, row["found"] if row else (), first)
        told = _found(len(cards), "anti-pattern" if anti else "pattern")
        return await self._answer(viewer, turn, cards, await self._held(viewer, ()), told)

    async def decision(self, viewer: Viewer, turn: Turn, family: DecisionFamily, text: str) -> KnowledgeAnswer:
        """The cards for a decision: the family's own, then doctrine and hints that have words of the question."""
        held = await self._held(viewer, (_F.decision_card, _F.doctrine_card, _F.hint_card))
        own = [one for one in held.cards if (one["family"], one["subject"]) == (_F.decision_card, family.value)]
        question = text or " ".join(one["body"] for one in own)
        rest = [one for one in held.cards if one["family"] != _F.decision_card]
        told = [*_told(own, "It is the card of this decision."), *_worded(question, rest, MOST_CARDS)]
        return await self._answer(viewer, turn, told, held, own[0]["name"] if own else "There is no card for it.")

    async def guidance(
        self, viewer: Viewer, turn: Turn, text: str, families: Sequence[CardFamily], first: int
    ) -> KnowledgeAnswer:
        """Cards of these families that have words of a text, the weightiest first: for a design, for a prompt."""
        held = await self._held(viewer, tuple(families))
        cards = _worded(text, held.cards, first)
        return await self._answer(viewer, turn, cards, held, _found(len(cards), "card"))

    async def capabilities(self, viewer: Viewer, turn: Turn, need: str, first: int) -> KnowledgeAnswer:
        """What could serve a need, as it is reported now. What is down is told and stands last."""
        cards = _ranked_assets(need, await self._capabilities(viewer), first)
        cards.sort(key=lambda one: one.state not in (None, "up"))
        up = sum(one.state == "up" for one in cards)
        says = f"{_found(len(cards), 'capability', 'capabilities')[:-1]}, of which {up} can be used now."
        return await self._answer(viewer, turn, cards, await self._held(viewer, ()), says)

    async def models(self, viewer: Viewer, turn: Turn, need: ModelNeed) -> KnowledgeAnswer:
        """Which class of model the policy asks for, and which models there are of it."""
        advice = advised(need)
        held = await self._held(
            viewer,
            (_F.model_selection_card, _F.decision_card),
            [advice.model_class, DecisionFamily.model_selection.value],
        )
        rows = [
            one
            for one in await self._capabilities(viewer)
            if one["capability_kind"] == "model" and is_of(advice, one["name"], one.get("summary") or "")
        ]
        models = [_of_asset(one, f"It is said to be {advice.model_class}.", None) for one in rows]
        models.sort(key=lambda one: one.state not in (None, "up"))
        says = f"A {advice.model_class} model: {advice.because}" + (
            "" if rows else " None of that class is known here."
        )
        return await self._answer(viewer, turn, [*models, *_told(held.cards, "It is the policy's reason.")], held, says)

    async def _types(self, viewer: Viewer, types: list[str] | None = None) -> list[Row]:
        row = await self._database.read_one(cypher.LIVE_TYPES, types=types, most=MOST_TYPES, audiences=viewer.audiences)
        return list({one["module_type"]: one for one in reversed(row["found"] if row else [])}.values())[::-1]

    async def _type(self, viewer: Viewer, module_type: str) -> Row:
        found = await self._types(viewer, [module_type])
        if not found:
            raise ModuleTypeUnknown(module_type)
        return found[0]

    async def _capabilities(self, viewer: Viewer) -> list[Row]:
        row = await self._database.read_one(
            cypher.LIVE_CAPABILITIES, most=MOST_ASSETS, hidden_states=list(HIDDEN_STATES), audiences=viewer.audiences
        )
        return row["found"] if row else []

    async def _held(
        self, viewer: Viewer, families: Iterable[CardFamily], subjects: Sequence[str] | None = None
    ) -> Held:  # fmt: skip
        row = await self._database.read_one(
            cypher.PACK_CARDS,
            families=[one.value for one in families],
            subjects=list(subjects) if subjects is not None else None,
            most=MOST_CARDS,
            audiences=viewer.audiences,
        )
        return Held(row["pack"], row["cards"]) if row else Held(None, ())

    async def _answer(
        self, viewer: Viewer, turn: Turn, cards: Iterable[LookupCard], held: Held, says: str
    ) -> KnowledgeAnswer:
        if turn.allowance is None:
            turn.allowance = Allowance((await self._education.now(viewer)).profile)
        turn.allowance.behind = held.behind
        given, withheld = turn.allowance.take(cards)
        return KnowledgeAnswer(
            says=says,
            cards=given,
            withheld=withheld,
            tokens=turn.allowance.tokens,
            pack_id=held.pack["id"] if held.pack else None,
            notices=notices_of(held.codes()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleWish:
    """What a module must be able to do."""

    family: ModuleFamily | None = None
    accepts: PortKind | None = None
    gives: PortKind | None = None

    def fits(self, row: Row) -> bool:
        sides = {side: {one["port_kind"] for one in row["ports"] if one["direction"] == side} for side in PortDirection}
        return (
            self.family in (None, row["family"])
            and _has(sides[PortDirection.input], self.accepts)
            and _has(sides[PortDirection.output], self.gives)
        )


def _has(kinds: set[str], wanted: PortKind | None) -> bool:
    return wanted is None or wanted in kinds or PortKind.any in kinds


def _canonical(row: Row) -> list[CardContent]:
    """The cards of a module type, made from what it is now."""
    order = (_F.module_card, _F.port_card, _F.config_card)
    return sorted(cards_of(Sources(types=[row])), key=lambda one: order.index(one.family))


def _all_text(row: Row) -> str:
    ports = (one.get("description") or one["port_name"] for one in row["ports"])
    fields = (one["field_name"] for one in row["fields"])
    return " ".join((row["module_type"], *(card.body for card in _canonical(row)[:1]), *ports, *fields))


def _is_about(card: Row, module_type: str) -> bool:
    return (
        card["subject"] == module_type or card["subject"].startswith(f"{module_type}.") or module_type in card["body"]
    )


def _told(cards: Iterable[Row], because: str, score: float | None = None) -> Iterator[LookupCard]:
    """Cards of the pack, as it has them."""
    for one in cards:
        yield LookupCard(
            family=_F(one["family"]),
            subject=one["subject"],
            title=one["name"],
            body=one["body"],
            authority=SourceKind(one["authority"]),
            authority_level=AuthorityLevel(one["authority_level"]),
            may_affect=tuple(MayAffect(each) for each in one["may_affect"]),
            source_ref=one["source_ref"],
            live=False,
            because=because,
            score=score,
            card_id=one["id"],
        )


def _worded(text: str, cards: Iterable[Row], first: int) -> list[LookupCard]:
    """The weightiest first, then by how much of the question they have."""
    order = tuple(AuthorityLevel)
    best = ranked(text, cards, lambda one: (one["name"], one["body"]), first)
    told = [card for one, score in best for card in _told([one], "Its words fit.", score or None)]
    return sorted(told, key=lambda one: order.index(one.authority_level))


def _ranked_assets(text: str, rows: Iterable[Row], first: int) -> list[LookupCard]:
    best = ranked(text, rows, lambda one: (one["name"], _of_asset(one, "", None).body), first)
    return [
        _of_asset(row, f"{'Its words fit.' if score else 'It is there.'}{_models(row)}", score or None)
        for row, score in best
    ]


_APPLIES = {
    CrossModelApplicability.model_class_specific: "It holds for {}, and was not so with other classes of model.",
    CrossModelApplicability.cross_model_applicable: "It was seen with more than one class of model.",
    CrossModelApplicability.requires_validation: "It has to be validated for other classes of model than {}.",
}


def _models(row: Row) -> str:
    """Of a pattern: for which classes of model it holds."""
    applies = row.get("cross_model_applicability")
    if applies is None:
        return ""
    of = (row.get("model_class") or "those that it was seen with").replace("_", " ")
    return f" {_APPLIES[CrossModelApplicability(applies)].format(of)}"


def _of_asset(row: Row, because: str, score: float | None) -> LookupCard:
    told = {name: value for name, value in row.items() if not name.startswith(("state", "model_class", "cross_model"))}
    [content] = cards_of(Sources(assets=[told]))
    return made(content, because, score=score, record_id=row["id"], state=row.get("state"))


def _found(count: int, what: str, many: str | None = None) -> str:
    return f"{count} {what if count == 1 else many or what + 's'}." if count else f"No {what} fits."
