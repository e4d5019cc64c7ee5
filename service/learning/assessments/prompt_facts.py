"""What an assessment knows of prompts: gaps of instructions in a graph, and what was told of prompts that are kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graph_schema.knowledge.prompt_words import GapSeverity
from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.graph.database import Database
from service.knowledge.prompts.gaps.finding import PromptFinding
from service.knowledge.prompts.gaps.rules import findings
from service.knowledge.prompts.load import prompts_in
from service.knowledge.prompts.text import checked, language_of
from service.learning.assessments import cypher

MOST = 50
"""Instructions of one graph that are looked at."""
MOST_KEPT = 2_000
_READ = "English"
_TOLD = frozenset({GapSeverity.medium, GapSeverity.high})
Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Instruction:
    """The instruction of a module, by what it lacks. None of its words are here."""

    module_key: str
    gaps: tuple[PromptFinding, ...]


@dataclass(frozen=True, slots=True)
class KeptPrompt:
    """A prompt that is kept, and what was told of it: ids of signals, of the last check, of tests that somebody won."""

    id: str
    name: str
    home: str
    home_name: str
    module_key: str | None = None
    failed: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    check: str | None = None
    gaps: tuple[str, ...] = ()
    won: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompts:
    instructions: tuple[Instruction, ...] = ()
    kept: tuple[KeptPrompt, ...] = ()


NO_PROMPTS = Prompts()


def instructions_in(raw: Raw) -> tuple[Instruction, ...]:
    """What the instructions of a graph lack. One that is too long, or in another language, is not judged."""
    found = [Instruction(key, _gaps(text, place)) for key, place, text in [*prompts_in(raw)][:MOST]]
    return tuple(one for one in found if one.gaps)


def _gaps(text: str, place: Any) -> tuple[PromptFinding, ...]:
    try:
        checked(text)
    except TaskloreError:
        return ()
    return tuple(one for one in findings(text, place) if one.severity in _TOLD) if language_of(text) == _READ else ()


async def kept_prompts(database: Database, viewer: Viewer, homes: Iterable[str]) -> tuple[KeptPrompt, ...]:
    ids = sorted({*homes})
    if not ids:
        return ()
    row = await database.read_one(cypher.PROMPTS, homes=ids, most=MOST_KEPT, audiences=viewer.audiences)
    return tuple(sorted((_kept(one) for one in row["found"]), key=lambda one: one.id)) if row else ()


def _kept(row: Raw) -> KeptPrompt:
    plain: dict[str, Any] = {name: row[name] for name in ("id", "name", "home", "home_name", "module_key", "check")}
    lists: dict[str, Any] = {name: tuple(row[name] or ()) for name in ("failed", "weak", "gaps", "won")}
    return KeptPrompt(**plain, **lists)
