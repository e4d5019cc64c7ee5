"""What somebody changed of a prompt, by comparing its two texts. Pure; the texts are not kept."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from graph_schema.knowledge.prompt_words import PromptEditKind as Kind
from graph_schema.knowledge.prompt_words import PromptSurface
from graph_schema.knowledge.prompt_words import PromptUpdateKind as Update
from service.knowledge.prompts.gaps import acts, clashes, forms
from service.knowledge.prompts.gaps.reading import MATERIAL, Reading
from service.knowledge.prompts.place import Place
from service.knowledge.prompts.text import plain

RULES = "prompt_edits 1"

_DEEPER = re.compile(
    r"\b(?:look deeper|dig deeper|go deeper|second (?:look|pass)|go (?:over|through) (?:it|them) again|look again|"
    r"what (?:was|is|has been) missed|in more depth|more thorough(?:ly)?)\b",
    re.IGNORECASE,
)
_RED_TEAM = re.compile(
    r"\b(?:red[- ]team|devil's advocate|opposing counsel|attack|adversar\w+|hostile|counter[- ]?arguments?|poke holes|"
    r"weakest points?)\b",
    re.IGNORECASE,
)
_TONE = re.compile(
    r"\b(?:tone|friendly|formal(?:ly)?|informal(?:ly)?|polite(?:ly)?|warm|sharp|neutral|plain words|plain language|"
    r"professional voice|casual|firm|concise|crisp(?:ly)?|humou?r)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PromptEdit:
    """One kind of change, what it teaches, and what it recommends to change."""

    kind: Kind
    lesson: str
    update: Update


@dataclass(frozen=True, slots=True)
class _Sides:
    before: Reading
    after: Reading

    def gained(self, pattern: re.Pattern[str]) -> bool:
        """Whether sentences that are new say it, and it was not said before."""
        return any(pattern.search(one) for one in self.new) and not self.before.has(pattern)

    @property
    def new(self) -> list[str]:
        known = {one.text for one in self.before.sentences}
        return [one.text for one in self.after.sentences if one.text not in known]

    @property
    def gone(self) -> list[str]:
        known = {one.text for one in self.after.sentences}
        return [one.text for one in self.before.sentences if one.text not in known]

    def mended(self, rule: Callable[[Reading], Iterator[object]]) -> bool:
        """Whether the rule found something before, and finds nothing now."""
        return any(rule(self.before)) and not any(rule(self.after))


def _format(sides: _Sides) -> bool:
    before, after = forms.forms(sides.before), forms.forms(sides.after)
    return bool(before) and bool(after) and before.keys() != after.keys()


def _output(sides: _Sides) -> bool:
    return not forms.says_form(sides.before) and forms.says_form(sides.after)


def _tone(sides: _Sides) -> bool:
    words = [{one.group().lower() for one in _TONE.finditer(side.text)} for side in (sides.before, sides.after)]
    return words[0] != words[1] and bool(words[1])


def _question(sides: _Sides) -> bool:
    asked = any(clashes.ASK.search(one) or one.endswith("?") for one in sides.gone)
    return asked or (sides.gained(clashes.NO_QUESTIONS))


KINDS: Mapping[Kind, tuple[Callable[[_Sides], bool], str, Update]] = {
    Kind.added_output_contract: (
        _output,
        "The form of the result had to be said.",
        Update.prompt_design_guide_card_update,
    ),
    Kind.added_source_scope: (
        lambda one: one.gained(MATERIAL),
        "The material had to be named.",
        Update.prompt_design_guide_card_update,
    ),
    Kind.added_deeper_analysis_instruction: (
        lambda one: one.gained(_DEEPER),
        "A first pass was too shallow: a deeper look is wanted.",
        Update.user_preference_overlay,
    ),
    Kind.added_tool_policy: (
        lambda one: one.mended(acts.tool_policy) or (one.gained(acts.TOOLS) and not any(acts.tool_policy(one.after))),
        "It had to be said when tools are used.",
        Update.prompt_design_guide_card_update,
    ),
    Kind.added_red_team_instruction: (
        lambda one: one.gained(_RED_TEAM),
        "The result is to be attacked before it is used.",
        Update.template_prompt_update_proposal,
    ),
    Kind.tightened_rubric: (
        lambda one: one.mended(forms.judge),
        "The rubric could not be scored alike by two judges.",
        Update.prompt_design_guide_card_update,
    ),
    Kind.changed_tone: (_tone, "Another tone is wanted.", Update.user_preference_overlay),
    Kind.changed_format: (
        _format,
        "Another form of the result is wanted.",
        Update.module_preset_prompt_update_proposal,
    ),
    Kind.removed_overconstraint: (
        lambda one: one.mended(clashes.overconstrained),
        "It demanded what could not be met together.",
        Update.prompt_design_guide_card_update,
    ),
    Kind.removed_unwanted_question: (_question, "The question was not wanted.", Update.user_preference_overlay),
}


def edits(before: str, after: str, surface: PromptSurface) -> tuple[PromptEdit, ...]:
    """The kinds of change, in the order of their table. The same text twice shows none."""
    if before == after:
        return ()
    place = Place(surface=surface)
    sides = _Sides(Reading(plain(before), place), Reading(plain(after), place))
    return tuple(PromptEdit(kind, lesson, update) for kind, (is_so, lesson, update) in KINDS.items() if is_so(sides))
