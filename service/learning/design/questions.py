"""Which question is worth asking next. Learned from what became of earlier ones, smoothed, with its counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from graph_schema.learning.design_words import DesignSlot
from service.learning.design.slots import PROMPTS, SlotState
from service.learning.design.statements import asks_less
from service.words import stems

VERSION = "question-utility 2"
WORTH_ASKING = 0.5
"""A question is asked that is more likely than not to change the design. What nothing works without is asked always."""

TELLING = frozenset(
    {
        DesignSlot.expected_outputs,
        DesignSlot.optional_steps,
        DesignSlot.artifact_memory_preferences,
        DesignSlot.side_effects_allowed,
        DesignSlot.review_tolerance,
    }
)
"""Slots whose questions are known to tell something before anything was learned; of others the opposite is assumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionUtility:
    """What is known of asking about a slot."""

    slot: Annotated[DesignSlot, "What is asked about."]
    score: Annotated[float, "How likely an answer changes the design, smoothed: two of three or one of three at first."]
    asked: Annotated[int, "How often it was asked, of what you may see."]
    helpful: Annotated[int, "How often it was called helpful."]
    annoying: Annotated[int, "How often it was called annoying."]
    changed_design: Annotated[int, "How often the answer changed the design."]
    counted_for: Annotated[str, "What was counted: the class of context, the type of task, or nothing yet."]
    rules: Annotated[str, "Name and version of the rules."] = VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class NextQuestion:
    """The question that is worth asking now. How to ask it is for whoever talks to the user."""

    slot: Annotated[DesignSlot, "What to ask about."]
    prompt: Annotated[str, "What is to be found out, in a plain sentence."]
    why: Annotated[str, "Why it matters."]
    required: Annotated[bool, "Whether nothing can be proposed without it."]
    utility: Annotated[QuestionUtility, "What is known of asking it."]
    examples: Annotated[tuple[str, ...], "How it was asked when that helped."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedQuestion:
    """An open slot that is not worth a question."""

    slot: Annotated[DesignSlot, "What is left open."]
    because: Annotated[str, "Why it is not asked."]
    utility: Annotated[QuestionUtility, "What is known of asking it."]


Counts = Mapping[tuple[str, str], Mapping[str, Any]]


def counts_of(rows: Sequence[Mapping[str, Any]]) -> Counts:
    return {(row["of"], row["slot"]): row for row in rows}


def utility(slot: DesignSlot, counts: Counts, context_class: str, task_type: str | None) -> QuestionUtility:
    """Of the class of context; where nothing was settled there, of the type of task."""
    row, of = _row(slot, counts)
    told = {"class": context_class, "type": task_type or "", "": "nothing yet"}[of]
    return QuestionUtility(
        slot=slot,
        score=score(slot, row["useful"], row["useless"]) if row else score(slot, 0, 0),
        asked=row["asked"] if row else 0,
        helpful=row["helpful"] if row else 0,
        annoying=row["annoying"] if row else 0,
        changed_design=row["changed"] if row else 0,
        counted_for=told,
    )


def score(slot: DesignSlot, useful: int, useless: int) -> float:
    known, unknown = (2, 1) if slot in TELLING else (1, 2)
    return round((useful + known) / (useful + useless + known + unknown), 4)


def _row(slot: DesignSlot, counts: Counts) -> tuple[Mapping[str, Any] | None, str]:
    for of in ("class", "type"):
        row = counts.get((of, slot.value))
        if row and row["useful"] + row["useless"]:
            return row, of
    return None, ""


def next_question(
    states: Sequence[SlotState],
    counts: Counts,
    context_class: str,
    task_type: str | None,
    *,
    waiting: frozenset[DesignSlot] = frozenset(),
    unasked: Mapping[DesignSlot, str] = MappingProxyType({}),
) -> tuple[NextQuestion | None, tuple[SkippedQuestion, ...]]:
    """The one question to ask, and the open slots that are not worth one. `waiting` were asked, without an answer;
    `unasked` the user does not want to be asked about, in their words: what nothing works without is asked all the
    same."""
    opened = [one for one in states if one.open and one.slot not in waiting]
    known = {one.slot: utility(one.slot, counts, context_class, task_type) for one in opened}
    worth = [
        one for one in opened if one.required or (one.slot not in unasked and known[one.slot].score >= WORTH_ASKING)
    ]
    skipped = tuple(_skipped(one, known[one.slot], unasked.get(one.slot)) for one in opened if one not in worth)
    if not worth:
        return None, skipped
    best = max(worth, key=lambda one: (one.required, known[one.slot].score, -opened.index(one)))
    row, _ = _row(best.slot, counts)
    found = NextQuestion(
        slot=best.slot,
        prompt=PROMPTS[best.slot],
        why=best.why,
        required=best.required,
        utility=known[best.slot],
        examples=tuple(row["examples"]) if row else (),
    )
    return found, skipped


def unasked_slots(statements: Iterable[str]) -> dict[DesignSlot, str]:
    """Slots that the user does not want to be asked about, with the words that say so: those that the words name, else
    all of them."""
    found: dict[DesignSlot, str] = {}
    for quote in statements:
        less, about = asks_less(quote)
        if less:
            named = [slot for slot, words in _NAMED.items() if stems(about) & words]
            found |= dict.fromkeys(named or ([] if about else DesignSlot), quote)
    return found


_NAMED: Mapping[DesignSlot, frozenset[str]] = {
    slot: stems(words)
    for slot, words in {
        DesignSlot.task_goal: "goal purpose aim",
        DesignSlot.source_materials: "source sources material input inputs",
        DesignSlot.expected_outputs: "output outputs format result results",
        DesignSlot.success_criteria: "criteria quality success",
        DesignSlot.required_steps: "required step steps",
        DesignSlot.optional_steps: "optional second pass red team deeper",
        DesignSlot.review_tolerance: "review reviews reviewing approval",
        DesignSlot.autonomy_tolerance: "autonomy automatic alone",
        DesignSlot.side_effects_allowed: "side effect effects send sending",
        DesignSlot.capability_needs: "tool tools capability capabilities connector model models",
        DesignSlot.artifact_memory_preferences: "keep keeping save saving saved store memory archive findable",
        DesignSlot.budget_latency_preferences: "budget cost costs price time latency",
    }.items()
}
"""Words by which people speak of a slot."""


def _skipped(one: SlotState, known: QuestionUtility, unasked: str | None) -> SkippedQuestion:
    if unasked:
        return SkippedQuestion(slot=one.slot, because=f"The user does not want to be asked: “{unasked}”", utility=known)
    told = (
        f"Asked {known.asked} times for {known.counted_for}: it changed {known.changed_design} designs, "
        f"and annoyed {known.annoying} times."
        if known.asked
        else "Such questions seldom change a design, and nothing else was learned yet."
    )
    return SkippedQuestion(slot=one.slot, because=told, utility=known)
