"""A rewrite by structure: every sentence stays where it is, and what is missing is added behind, marked. Pure.

Nobody's words are changed here. What only the author can know stands in angle brackets.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.knowledge.prompt_words import PromptGap
from service.knowledge.prompts.gaps.finding import PromptFinding
from service.knowledge.prompts.gaps.forms import place_as_told
from service.knowledge.prompts.place import Place
from service.knowledge.prompts.text import hash_of, sentences

MARK = "[added]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptAddition:
    """Something that the rewrite adds."""

    because: Annotated[PromptGap, "The gap that it closes."]
    section: Annotated[str, "The heading that it stands under."]
    text: Annotated[str, "What is added. What only the author knows stands in angle brackets."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRewrite:
    """The prompt with what it lacks. Nothing is changed or left out, and nothing holds until somebody takes it."""

    text: Annotated[str, "The whole, with marked additions."]
    prompt_hash: Annotated[str, "Hash of it."]
    kept_sentences: Annotated[int, "Sentences of the prompt, all of which are kept."]
    additions: Annotated[tuple[PromptAddition, ...], "What was added, and why."]
    open_slots: Annotated[int, "Places in angle brackets that the author has to fill."]

    @property
    def changed_elements_summary(self) -> Annotated[tuple[str, ...], "What changed, an entry each."]:
        return tuple(f"{one.section}: added because of {one.because}" for one in self.additions)


def rewrite(text: str, place: Place, found: Sequence[PromptFinding]) -> PromptRewrite | None:
    """None where nothing is missing: then there is nothing to rewrite."""
    additions = tuple(_additions(place_as_told(text, place), found))
    if not additions:
        return None
    blocks = [text.rstrip(), *(f"{one.section} {MARK}\n{one.text}" for one in additions)]
    whole = "\n\n".join(blocks)
    return PromptRewrite(
        text=whole,
        prompt_hash=hash_of(whole),
        kept_sentences=len(sentences(text)),
        additions=additions,
        open_slots=sum(one.text.count("<") for one in additions),
    )


def _additions(place: Place, found: Sequence[PromptFinding]) -> Iterator[PromptAddition]:
    told: set[str] = set()
    for one in found:
        section, words = ADDED[one.finding_kind]
        addition = words(place, one)
        if addition not in told:
            told.add(addition)
            yield PromptAddition(because=one.finding_kind, section=section, text=addition)


def _goal(_: Place, __: PromptFinding) -> str:
    return "Your task is to <what is to be done>, so that <who> can <decide or do what>."


def _sources(_: Place, __: PromptFinding) -> str:
    return "Work only from <the documents, records or sites>. Use nothing else, and do not answer from memory."


def _output(place: Place, _: PromptFinding) -> str:
    needed = [*place.needed.items()]
    if needed:
        form, reader = needed[0]
        fields = f": {place.contract}" if place.contract else " with the fields <names>"
        return f"Return {form.value.upper()}{fields}, which {reader} reads. No text before or after it."
    if place.named_outputs:
        return f"Return these parts, each under its name: {', '.join(place.named_outputs)}."
    return "Return <a table, a list, a page> with <its parts, in their order>, at most <how long>."


def _tools(place: Place, _: PromptFinding) -> str:
    named = place.capabilities or ("<tool>",)
    lines = [f"Use {one} only for <what>, at most <how often> times." for one in named]
    return " ".join([*lines, "If a tool fails, say so; do not make up its answer."])


def _evidence(_: Place, __: PromptFinding) -> str:
    return "Give the place behind each finding (document and page, paragraph or line), and quote where words matter."


def _uncertainty(_: Place, __: PromptFinding) -> str:
    return (
        "Where the material does not tell, write “not stated” and what would settle it. Where it can be read in two "
        "ways, give both. Do not guess."
    )


def _criteria(_: Place, one: PromptFinding) -> str:
    return f"By {_words(one)} this is meant: <what a reader can check: what has to be in it, how long, for whom>."


def _words(one: PromptFinding) -> str:
    return "; ".join(f"“{each.text}”" for each in one.shown_by[:4])


def _downstream(place: Place, one: PromptFinding) -> str:
    return f"{_output(place, one)} This holds where another form is named above."


def _clash(_: Place, one: PromptFinding) -> str:
    return f"Where these cannot all be met, <which> comes first: {_words(one)}."


def _open(_: Place, __: PromptFinding) -> str:
    return "It has to contain <what>, for <whom>. <What> does not belong to it. Stop when <what is reached>."


def _unsafe(_: Place, one: PromptFinding) -> str:
    return (
        f"Before this is done ({_words(one)}): prepare a draft or a list, show it to <whom>, and wait for a yes. Touch "
        "only <what>."
    )


def _judge(_: Place, __: PromptFinding) -> str:
    return (
        "Score each criterion by itself. <Criterion>: 5 when <what can be checked>, 3 when <what>, 1 when <what>. Give "
        "the passage that decided each score."
    )


ADDED: Mapping[PromptGap, tuple[str, Callable[[Place, PromptFinding], str]]] = {
    PromptGap.missing_goal: ("Goal", _goal),
    PromptGap.missing_source_scope: ("Sources", _sources),
    PromptGap.missing_output_contract: ("Output", _output),
    PromptGap.missing_tool_policy: ("Tools", _tools),
    PromptGap.missing_evidence_policy: ("Evidence", _evidence),
    PromptGap.missing_uncertainty_policy: ("When it is not clear", _uncertainty),
    PromptGap.ambiguous_success_criteria: ("What good means", _criteria),
    PromptGap.downstream_incompatibility: ("Output", _downstream),
    PromptGap.overconstrained: ("What comes first", _clash),
    PromptGap.underconstrained: ("Scope", _open),
    PromptGap.unsafe_side_effect_instruction: ("Before anything is done", _unsafe),
    PromptGap.judge_unscorable: ("Scale", _judge),
}
