"""Which slots of a design matter, which are filled and by what. Tables and plain functions over facts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.learning.design_words import (
    AutonomyTolerance,
    ConsideredAs,
    DesignSlot,
    ReviewTolerance,
    SuggestionAnswer,
)
from graph_schema.library.words import OutputStakes
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from service.learning.creation.risk import risky
from service.learning.design.errors import SlotInvalid
from service.learning.design.facts import SessionFacts
from service.words import spoken

Slot = DesignSlot
VERSION = "design-slots 2"


class SlotSource(StrEnum):
    """What fills a slot."""

    request = "request"
    answer = "answer"
    blueprint = "blueprint"
    template = "template"
    preference = "preference"
    nothing = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotState:
    """One slot of a design: whether it matters, whether it is filled, and by what."""

    slot: Annotated[DesignSlot, "What it is about."]
    matters: Annotated[bool, "Whether it bears on this design."]
    required: Annotated[bool, "Whether nothing can be proposed without it."]
    filled: Annotated[bool, "Whether it is known."]
    by: Annotated[SlotSource, "What fills it."]
    values: Annotated[tuple[str, ...], "What is known. Filled with nothing: there is none."]
    why: Annotated[str, "Why it matters, or does not."]

    @property
    def open(self) -> bool:
        return self.matters and not self.filled


_TEXT = {Slot.task_goal, Slot.budget_latency_preferences, Slot.task_type}
_CHOICES: Mapping[Slot, type[StrEnum]] = {
    Slot.review_tolerance: ReviewTolerance,
    Slot.autonomy_tolerance: AutonomyTolerance,
}
_LONG = {Slot.success_criteria, Slot.required_steps, Slot.optional_steps, Slot.artifact_memory_preferences}
_FIELDS = {Slot.task_type: "inferred_task_type"}
MOST_VALUES = 50


def field_of(slot: DesignSlot) -> str | None:
    """Where a session keeps a slot. What the work is about are links."""
    return None if slot is Slot.work_context else _FIELDS.get(slot, slot.value)


def checked(slot: DesignSlot, values: Sequence[str], field: str) -> Any:
    """What a session keeps of these values, or why it does not."""
    said = [" ".join(one.split()) for one in values]
    if slot is Slot.work_context:
        raise SlotInvalid(field, slot, "what the work is about is told as records, with `about`, when a session starts")
    if any(not one for one in said):
        raise SlotInvalid(field, slot, "a value is empty")
    if len(said) > MOST_VALUES:
        raise SlotInvalid(field, slot, f"at most {MOST_VALUES} values are kept")
    if slot in _CHOICES:
        return _choice(slot, said, field)
    most = TEXT_LENGTH if slot in _LONG | _TEXT - {Slot.task_type} else NAME_LENGTH
    if any(len(one) > most for one in said):
        raise SlotInvalid(field, slot, f"a value has more than {most} characters")
    if slot not in _TEXT:
        return list(dict.fromkeys(said))
    if len(said) > 1:
        raise SlotInvalid(field, slot, "it takes one value")
    return said[0] if said else None


def _choice(slot: DesignSlot, said: Sequence[str], field: str) -> str | None:
    allowed = [one.value for one in _CHOICES[slot]]
    if len(said) > 1 or any(one not in allowed for one in said):
        raise SlotInvalid(field, slot, "it is a choice of one", allowed)
    return said[0] if said else None


def slots(facts: SessionFacts) -> tuple[SlotState, ...]:
    """All slots, in the order in which they weigh."""
    return tuple(_state(rule, facts) for rule in RULES)


def presumed(facts: SessionFacts, slot: DesignSlot) -> tuple[str, ...]:
    """What would be taken for a slot if nobody was asked."""
    return next(one.values for one in slots(facts) if one.slot is slot)


@dataclass(frozen=True, slots=True)
class SlotRule:
    """`matters` says why, or nothing; `elsewhere` what fills it when nobody has said it."""

    slot: DesignSlot
    prompt: str
    matters: Callable[[SessionFacts], str | None]
    why_not: str
    required: bool = False
    elsewhere: Callable[[SessionFacts], tuple[SlotSource, tuple[str, ...]]] | None = None


def _state(rule: SlotRule, facts: SessionFacts) -> SlotState:
    why = rule.matters(facts)
    by, values = _filled(rule, facts)
    return SlotState(
        slot=rule.slot,
        matters=why is not None,
        required=rule.required and why is not None,
        filled=by is not SlotSource.nothing,
        by=by,
        values=values,
        why=why or rule.why_not,
    )


def _filled(rule: SlotRule, facts: SessionFacts) -> tuple[SlotSource, tuple[str, ...]]:
    said = _said(rule.slot, facts)
    if facts.is_answered(rule.slot):
        return SlotSource.answer, said
    # The type of a task that nobody told is that of the template that fits.
    if facts.is_told(rule.slot) or (said and rule.slot is not Slot.task_type):
        return SlotSource.request, said
    return _first(rule.elsewhere(facts)) if rule.elsewhere else _NOTHING


def _said(slot: DesignSlot, facts: SessionFacts) -> tuple[str, ...]:
    if slot is Slot.work_context:
        return tuple(one["name"] for one in facts.row["about"] if one["kind"] == "Entity")
    value = facts.session.get(field_of(slot) or "")
    if value is None:
        return ()
    return (str(value),) if isinstance(value, str) else tuple(value)


_NOTHING: tuple[SlotSource, tuple[str, ...]] = (SlotSource.nothing, ())
Found = tuple[SlotSource, tuple[str, ...]]


def _first(*found: Found) -> Found:
    return next((one for one in found if one[1]), _NOTHING)


def _of_blueprint(facts: SessionFacts, part: str, name: str, side: str | None = None) -> Found:
    held = facts.content[part].values() if facts.content else ()
    told = [str(one.get(name) or "") for one in held if side is None or one.get("side") == side]
    return SlotSource.blueprint, tuple(one for one in told if one)


def _of_template(facts: SessionFacts, name: str) -> Found:
    value = (facts.basis or {}).get(name)
    return SlotSource.template, (str(value),) if isinstance(value, str) else tuple(value or ())


WORDS: Mapping[DesignSlot, tuple[str, ...]] = {
    Slot.optional_steps: ("second pass", "look deeper", "deepen", "red team", "red-team", "double-check", "verify"),
    Slot.review_tolerance: ("approve", "approval", "ask before", "sign off", "review before"),
    Slot.artifact_memory_preferences: ("findable", "work product", "save", "keep", "remember", "file it", "store"),
    Slot.success_criteria: ("must", "every claim", "no more than", "at most", "cite"),
}
"""Words by which a standing preference speaks to a slot."""


def speaks_to(slot: DesignSlot, statement: str) -> bool:
    said = f" {spoken(statement)} "
    return any(f" {spoken(word)}" in said for word in WORDS.get(slot, ()))


def _of_preferences(facts: SessionFacts, slot: DesignSlot) -> Found:
    roles = (ConsideredAs.preference, ConsideredAs.restriction)
    standing = [one for one in facts.considered(*roles) if one["response"] != SuggestionAnswer.rejected]
    told = [str(one["record"]["statement"]) for one in standing if one["record"].get("statement")]
    return SlotSource.preference, tuple(one for one in told if speaks_to(slot, one))


def _goal(facts: SessionFacts) -> Found:
    own = (facts.content or {}).get("fields", {}).get("business_or_personal_goal")
    # The request itself is what the user wants; whether it says it well enough is for whoever designs.
    return (SlotSource.blueprint, (own,)) if own else (SlotSource.request, (facts.session["user_initial_request"],))


def _always(why: str) -> Callable[[SessionFacts], str]:
    return lambda _facts: why


def _inputs(facts: SessionFacts) -> str | None:
    if _of_template(facts, "expected_inputs")[1]:
        return "The template works from something."
    given = _of_blueprint(facts, "contracts", "name", "input")[1]
    return "The blueprint takes something in." if given else None


_ACTS = re.compile(
    r"(?<!not )(?<!don t )(?<!never )(?<!without )\b(?:"
    r"(?:send|submit|publish|forward|post|resend|transmit|pay|refund|notify|invoice)(?:ing)?|"
    r"(?:e ?mail|mail|text|message|file|deliver|order|book)"
    r"(?= (?:it|them|him|her|this|these|each|all|everyone|everybody)\b)"
    r")(?! (?:me|us)\b)(?: \w+){1,5}"
)
"""What acts on others, with what follows it. Sent to oneself is not sent; `an email` is a thing."""


def outward_act(request: str) -> str | None:
    """The words of a request that ask for an act on the outside world."""
    found = _ACTS.search(spoken(request))
    return found.group() if found else None


def _asked_effect(facts: SessionFacts) -> str | None:
    """As far as the request tells. What is proposed tells it better."""
    proposed = facts.content is not None or facts.modules
    return None if proposed else outward_act(facts.session["user_initial_request"])


def _effects(facts: SessionFacts) -> str | None:
    if found := facts.side_effects:
        return f"The design would act on the outside world: {', '.join(found)}."
    said = _asked_effect(facts)
    return f"The request asks for an act on the outside world: “{said}”." if said else None


def _review(facts: SessionFacts) -> str | None:
    if risky(facts.side_effects):
        return f"It could do what cannot be undone: {', '.join(risky(facts.side_effects))}."
    if said := _asked_effect(facts):
        return f"Something leaves the house: “{said}”."
    return "Its outputs leave the house." if facts.stakes != OutputStakes.internal_advisory else None


def _autonomy(facts: SessionFacts) -> str | None:
    said = f" {spoken(facts.session['user_initial_request'])} "
    again = next((word for word in _RECURS if f" {word} " in said), None)
    if again:
        return f"It is to run again and again: {again}."
    return "It acts on the outside world." if risky(facts.side_effects) or _asked_effect(facts) else None


_RECURS = (
    "every",
    "each time",
    "whenever",
    "daily",
    "weekly",
    "monthly",
    "keep an eye",
    "monitor",
    "watch",
    "recurring",
)


def _steps(facts: SessionFacts) -> str | None:
    return None if facts.basis else "No template gives the steps."


def _optional(facts: SessionFacts) -> str | None:
    taught = _of_preferences(facts, Slot.optional_steps)[1]
    if taught:
        return f"There is a preference about it: {taught[0]}"
    shapes = facts.considered(ConsideredAs.pattern)
    return f"A shape fits that could be added: {shapes[0]['record']['name']}." if shapes else None


def _capabilities(facts: SessionFacts) -> str | None:
    down = facts.considered(ConsideredAs.unavailable_capability)
    if down:
        return f"Something that it would use cannot be reached: {down[0]['record']['name']}."
    return None


def _criteria(facts: SessionFacts) -> str | None:
    return "It is a complex task." if facts.is_complex else None


def _budget(facts: SessionFacts) -> str | None:
    return _criteria(facts)


def _type(facts: SessionFacts) -> Found:
    return _first(_of_fields(facts, "task_type"), _of_template(facts, "task_type"))


def _of_fields(facts: SessionFacts, name: str) -> Found:
    value = (facts.content or {}).get("fields", {}).get(name)
    return (SlotSource.blueprint, (str(value),)) if value else _NOTHING


RULES: tuple[SlotRule, ...] = (
    SlotRule(Slot.task_goal, "What is it to achieve?", _always("All else follows from it."), "", True, _goal),
    SlotRule(
        Slot.expected_outputs,
        "What should come out of it, and in which shape?",
        _always("The steps follow from what is to come out."),
        "",
        True,
        lambda facts: _first(
            _of_blueprint(facts, "contracts", "name", "output"),
            _of_template(facts, "default_output_archetypes"),
            _of_template(facts, "expected_outputs"),
        ),
    ),
    SlotRule(
        Slot.side_effects_allowed,
        "What may it do to the outside world, and what only after being asked?",
        _effects,
        "Nothing that is known of it acts on the outside world.",
        True,
    ),
    SlotRule(
        Slot.source_materials,
        "What should it work from?",
        _inputs,
        "Neither a template nor a blueprint says what it works from.",
        False,
        lambda facts: _of_blueprint(facts, "contracts", "name", "input"),
    ),
    SlotRule(
        Slot.required_steps,
        "Which steps must it have?",
        _steps,
        "The template gives the steps.",
        False,
        lambda facts: _of_blueprint(facts, "steps", "purpose"),
    ),
    SlotRule(
        Slot.optional_steps,
        "Should it have further steps, such as a second pass or a red team?",
        _optional,
        "Neither a preference nor a known shape speaks for further steps.",
        False,
        lambda facts: _of_preferences(facts, Slot.optional_steps),
    ),
    SlotRule(
        Slot.review_tolerance,
        "How much do you want to look at before it goes on?",
        _review,
        "Nothing that is known of it leaves the house.",
        False,
        lambda facts: _first(
            _of_blueprint(facts, "review_points", "statement"), _of_preferences(facts, Slot.review_tolerance)
        ),
    ),
    SlotRule(
        Slot.autonomy_tolerance,
        "How much may it do without asking?",
        _autonomy,
        "A person starts it and reads what comes out.",
    ),
    SlotRule(
        Slot.artifact_memory_preferences,
        "What of its results is to be kept, and where?",
        _always("What is not kept cannot be found again."),
        "",
        False,
        lambda facts: _first(
            _of_fields(facts, "artifact_policy"),
            _of_template(facts, "memory_artifact_policy_summary"),
            _of_preferences(facts, Slot.artifact_memory_preferences),
        ),
    ),
    SlotRule(
        Slot.capability_needs,
        "What should it use instead of what cannot be reached?",
        _capabilities,
        "All that it would use can be reached, as far as it is known.",
    ),
    SlotRule(
        Slot.success_criteria,
        "What must be true of a good result?",
        _criteria,
        "It is simple enough to be judged by looking at it.",
        False,
        lambda facts: _first(
            _of_blueprint(facts, "criteria", "statement"), _of_preferences(facts, Slot.success_criteria)
        ),
    ),
    SlotRule(
        Slot.work_context,
        "Which matter, project or people is it about?",
        _always("It says what may be looked at."),
        "",
    ),
    SlotRule(Slot.task_type, "What kind of task is it?", _always("Templates are found by it."), "", False, _type),
    SlotRule(
        Slot.budget_latency_preferences,
        "What may it cost, and how long may it take?",
        _budget,
        "It is small; nobody has asked about cost.",
    ),
)
"""The slots in the order in which they weigh: what changes the design most comes first."""

PROMPTS: Mapping[DesignSlot, str] = {one.slot: one.prompt for one in RULES}
