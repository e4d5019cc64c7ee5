"""Looking something up in the documents: the exact section first, cited. A query."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from embeddings.tokens import CAUTIOUS
from graph_schema.knowledge.words import ResourceKind
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.knowledge.lookup.budget import Allowance, WithheldCards, WithheldReason
from service.knowledge.lookup.profile import Education
from service.knowledge.lookup.ranking import ranked, score
from service.knowledge.lookup.turn import Turn
from service.knowledge.specs import cypher
from service.knowledge.specs.sections import own_sections
from service.views import Id, Linked
from service.words import spoken, stems

MOST_SECTIONS = 2_000
MOST_ASKED = 400


class SpecObjectKind(StrEnum):
    """What the section is expected to define."""

    module = "module"
    port = "port"
    config = "config"
    validation = "validation"
    route = "route"
    storage = "storage"
    capability = "capability"
    procedure = "procedure"
    pattern = "pattern"
    policy = "policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecCitation:
    """A section that answers, with where it stands."""

    citation: Annotated[str, "How to cite it: the document, and the section in it."]
    document_title: Annotated[str, "What people call the document."]
    path: Annotated[str, "The headings that lead to it."]
    body: Annotated[str, "What it says."]
    body_hash: Annotated[str, "Hash of what it says: a later reader can tell whether it still does."]
    exact: Annotated[bool, "Whether its heading is what was asked for."]
    score: Annotated[float, "How much of the question it has, from 0 to 1."]
    tokens: Annotated[int, "Tokens of its text."]
    section_id: Annotated[Id | None, "The section's record. Null for our own documents."] = None
    section: ClassVar = Linked("section_id", "The section.", "SpecSection")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecAnswer:
    """What the documents say."""

    sections: Annotated[tuple[SpecCitation, ...], "The exact one first, then by how much of the question they have."]
    withheld: Annotated[tuple[WithheldCards, ...], "What fits and is not given, by reason."]
    tokens: Annotated[int, "Tokens of all that this request was given so far."]


@dataclass(frozen=True, slots=True)
class _Known:
    """A section, from wherever it is."""

    citation: str
    title: str
    heading: str
    path: str
    body: str
    body_hash: str
    owner: str | None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class SpecQuestion:
    """What is looked up: a heading or words, of one part of the system, where something of a kind is defined."""

    query: str
    owner: str | None = None
    kind: SpecObjectKind | None = None


class SpecLookup:
    def __init__(self, database: Database, education: Education) -> None:
        self._database = database
        self._education = education

    async def look_up(self, viewer: Viewer, turn: Turn, asked: SpecQuestion, first: int) -> SpecAnswer:
        if not stems(asked.query) or len(asked.query) > MOST_ASKED:
            raise InputInvalid("query", f"it has words, and at most {MOST_ASKED} characters")
        row = await self._database.read_one(
            cypher.SECTIONS, owner=asked.owner, most=MOST_SECTIONS, audiences=viewer.audiences
        )
        registered = [
            _Known(
                f"{one['document_key']}#{one['anchor']}", one["document_title"], one["name"], one["path"], one["body"],
                one["body_hash"], one.get("owner"), one["id"],
            )
            for one in (row["found"] if row else ())
        ]  # fmt: skip
        # Beside the event loop: the words of long documents are many.
        found = await asyncio.to_thread(best, [*registered, *_own(asked.owner)], asked.query, asked.kind, first)
        if turn.allowance is None:
            turn.allowance = Allowance((await self._education.now(viewer)).profile)
        return _given(turn.allowance, found)


def best(known: Iterable[_Known], query: str, kind: SpecObjectKind | None, first: int) -> list[SpecCitation]:
    """Exact headings first, then by words. The kind that is expected is one more word of the question."""
    asked = f"{query} {kind.value}" if kind else query
    some = [*known]
    exact = [one for one in some if is_exact(query, one.heading, one.path)]
    others = [one for one in some if one not in exact]
    told = ranked(asked, others, lambda one: (one.heading, f"{one.path} {one.body}"), first)
    order = sorted(
        ((one, score(asked, one.heading, f"{one.path} {one.body}")) for one in exact), key=lambda one: -one[1]
    )
    return [_citation(one, points, exact=one in exact) for one, points in [*order, *told][:first]]


def is_exact(query: str, heading: str, path: str) -> bool:
    """The heading as a whole, or the headings that lead to it, whatever stands between them."""
    wanted = spoken(query)
    return wanted in (spoken(heading), spoken(path)) or spoken(heading.replace("`", "")) == wanted


def _citation(one: _Known, points: float, *, exact: bool) -> SpecCitation:
    return SpecCitation(
        citation=one.citation,
        document_title=one.title,
        path=one.path,
        body=one.body,
        body_hash=one.body_hash,
        exact=exact,
        score=min(1.0, points),
        tokens=CAUTIOUS.count(one.body),
        section_id=one.id,
    )


def _own(owner: str | None) -> list[_Known]:
    return [
        _Known(one.citation, one.document.title, one.heading, one.path, one.body, one.body_hash, one.document.owner)
        for one in own_sections()
        if owner in (None, one.document.owner)
    ]


def _given(allowance: Allowance, found: list[SpecCitation]) -> SpecAnswer:
    given: list[SpecCitation] = []
    why: WithheldReason | None = None
    if ResourceKind.spec_reference not in allowance.profile.allowed_resource_kinds:
        why = WithheldReason.kind_not_allowed
    for one in found:
        why = why or allowance.spend(("spec_reference", one.citation), one.tokens)
        if why is not None:
            break
        given.append(one)
    left = len(found) - len(given)
    withheld = (WithheldCards(reason=why, count=left),) if why else ()
    return SpecAnswer(sections=tuple(given), withheld=withheld, tokens=allowance.tokens)
