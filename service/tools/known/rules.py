"""Which tools come first, and what is said of them. Pure.

A tool stands by how well it fits, by its standing, and by how lately it was used. What a record says is one line of
data. Entries are taken whole, in their order, as long as they fit: so a larger budget never loses one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from embeddings.tokens import Counter
from graph_schema.tools.words import RecommendationKind, ToolStanding, ToolWorld
from service import clock
from service.routing.opportunity.packet import one_line
from service.tools.health import ToolHealth
from service.views import Id, Linked

RANKER = "known-tools-v1"
WEIGHTS = {
    ToolStanding.reliable: 1.0,
    ToolStanding.unknown: 0.9,
    ToolStanding.unused: 0.8,
    ToolStanding.failing: 0.6,
    ToolStanding.demoted: 0.5,
}
RECENCY = 0.1
"""What recent use can add at most; it halves with every week."""

HALVES = timedelta(days=7)
SELF_CHECK = (
    "Before handing over, judge whether the result serves the request: if not, report low_utility, or "
    "wrong_tool_boundary with evidence."
)
_WEAK = (ToolStanding.demoted, ToolStanding.failing)
HEAD, FOOT = "<known_tools>", "</known_tools>"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMethod:
    """A method of a tool, with its contract."""

    key: Annotated[str, "The method, as callers call it."]
    purpose: Annotated[str, "What it is for."] = ""
    deliverable: Annotated[str | None, "What it hands back."] = None
    acceptance: Annotated[tuple[str, ...], "How one sees that what it hands back is good."] = ()
    world: Annotated[ToolWorld | None, "What it works on."] = None

    @property
    def self_check(self) -> Annotated[str | None, "What it is asked to do before handing over; the open world only."]:
        return SELF_CHECK if self.world is ToolWorld.open_world else None


@dataclass(frozen=True, slots=True)
class AcceptedAdvice:
    """A recommendation that somebody accepted."""

    id: Annotated[Id, "Id of the recommendation."]
    recommendation_kind: Annotated[RecommendationKind, "What to do."]
    method_key: Annotated[str | None, "The method, where it is about one."]
    rationale: Annotated[str, "Why."]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTool:
    """A tool as a builder is told of it."""

    tool_id: Annotated[Id, "Id of the tool."]
    name: Annotated[str, "What people call it."]
    summary: Annotated[str, "What it does."]
    fit: Annotated[float, "How well it fits the request, from 0 to 1; 1 without a request."]
    score: Annotated[float, "Fit, standing and recent use together: by this they are ordered."]
    methods: Annotated[tuple[KnownMethod, ...], "Its methods."]
    health: Annotated[ToolHealth | None, "What its recent calls come to; null when none is known."]
    recommendations: Annotated[tuple[AcceptedAdvice, ...], "What was accepted to be done about it."]
    text: Annotated[str, "The same for a prompt."]
    tool: ClassVar = Linked("tool_id", "The tool itself.", "Tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTools:
    """The block for a builder's prompt: tools, best first, as much as fits."""

    tools: Annotated[tuple[KnownTool, ...], "Those that fit the budget, best first."]
    text: Annotated[str, "The block; empty when not even the first fits."]
    tokens: Annotated[int, "What the block takes."]
    budget: Annotated[int, "What it may take."]
    left_out: Annotated[int, "Tools that did not fit."]
    tokenizer: Annotated[str, "How tokens were counted: by a model's own tokenizer, or by an estimate."]
    ranker: Annotated[str, "Name and version of the rules that order them."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """A tool with what is known of it, before it is ranked."""

    id: str
    name: str
    summary: str
    fit: float
    methods: tuple[KnownMethod, ...]
    health: ToolHealth
    accepted: tuple[AcceptedAdvice, ...] = ()


def ranked(found: Sequence[Shelved], at: datetime) -> list[KnownTool]:
    """Best first; of the same score in the order of their names."""
    known = [_known(one, at) for one in found]
    return sorted(known, key=lambda one: (-one.score, one.name, one.tool_id))


def fitting(tools: Sequence[KnownTool], budget: int, counter: Counter) -> KnownTools:
    """The longest prefix that fits."""
    taken: list[KnownTool] = []
    text = ""
    for one in tools:
        longer = _block([*taken, one])
        if counter.count(longer) > budget:
            break
        taken, text = [*taken, one], longer
    return KnownTools(
        tools=tuple(taken),
        text=text,
        tokens=counter.count(text) if text else 0,
        budget=budget,
        left_out=len(tools) - len(taken),
        tokenizer=counter.name,
        ranker=RANKER,
    )


def _block(tools: Sequence[KnownTool]) -> str:
    return "\n".join([HEAD, *(one.text for one in tools), FOOT])


def _known(one: Shelved, at: datetime) -> KnownTool:
    health = one.health if one.health.outcomes else None
    return KnownTool(
        tool_id=one.id,
        name=one.name,
        summary=one.summary,
        fit=round(one.fit, 4),
        score=round(one.fit * _weight(one.health, at), 4),
        methods=one.methods,
        health=health,
        recommendations=one.accepted,
        text="\n".join(_lines(one, health)),
    )


def _weight(health: ToolHealth, at: datetime) -> float:
    """What has never been called is not held to be worse for that than what was called long ago."""
    age = at - clock.parse(health.last_used_at) if health.last_used_at else None
    lately = 0.5 ** (age / HALVES) if age is not None else 0.0
    return WEIGHTS[health.standing] * (1 - RECENCY + RECENCY * lately)


def _lines(one: Shelved, health: ToolHealth | None) -> Iterator[str]:
    """A tool without calls has its name, summary and methods, and nothing else."""
    yield f"- {one_line(one.name)}: {one_line(one.summary)}".rstrip(": ")
    if one.methods:
        yield f"  methods: {', '.join(_method(method) for method in one.methods)}"
    if health is not None:
        yield f"  recent: {_counts(health)}; standing {health.standing.value}"
        weak = [one for one in health.methods if one.standing in _WEAK]
        if told := [f"{one_line(one.method_key)} ({one.standing.value})" for one in weak if one.method_key]:
            yield f"  weak methods: {', '.join(told)}"
        if health.cohesion_warning:
            yield f"  cohesion warning: referred on {', '.join(map(one_line, health.boundary_axes_top))}"
        if health.referral_overused:
            yield f"  refers too often: {health.referral_rate.count} of {health.referral_rate.of} calls"
    for advice in one.accepted:
        about = f" {one_line(advice.method_key)}" if advice.method_key else ""
        yield f"  accepted: {advice.recommendation_kind.value}{about} ({one_line(advice.rationale)})"
    judging = [method.key for method in one.methods if method.self_check]
    if judging:
        yield f"  {', '.join(map(one_line, judging))}: {SELF_CHECK}"


def _method(method: KnownMethod) -> str:
    return f"{one_line(method.key)} ({one_line(method.purpose)})" if method.purpose else one_line(method.key)


def _counts(health: ToolHealth) -> str:
    told = {
        "calls": health.outcomes,
        "wrong_tool_boundary": health.wrong_tool_boundary_recent,
        "low_utility": health.low_utility_recent,
        "asked again": health.user_corrections_recent,
        "failed": health.execution_errors,
    }
    return ", ".join(f"{count} {name}" for name, count in told.items() if count or name == "calls")
