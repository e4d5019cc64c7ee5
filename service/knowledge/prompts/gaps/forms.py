"""In which form the result comes: whether the next can read it, whether a judge can score. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from graph_schema.knowledge.prompt_words import GapSeverity, OutputForm, PromptGap, PromptSurface
from service.knowledge.prompts.gaps.finding import PromptFinding, PromptQuote
from service.knowledge.prompts.gaps.reading import Reading, quoted
from service.knowledge.prompts.gaps.words import pattern
from service.knowledge.prompts.place import Place, PromptConsumer
from service.knowledge.prompts.text import words

FORMS = {one: pattern(f"form_{one}") for one in OutputForm}
_SIZED = pattern("sized")
_INPUT = pattern("input")
_READS, _LOADS = pattern("reads"), pattern("loads")
_PARSED = frozenset({OutputForm.json, OutputForm.csv, OutputForm.yaml, OutputForm.xml})


def forms(read: Reading) -> dict[OutputForm, tuple[PromptQuote, ...]]:
    """The forms that a prompt names for its result, with the words."""
    inputs = [(one.start, one.end) for each in (_INPUT, _READS, _LOADS) for one in read.quotes(each)]
    found = {form: read.quotes(pattern) for form, pattern in FORMS.items()}
    told = {form: tuple(one for one in some if not _inside(one, inputs)) for form, some in found.items()}
    return {form: some for form, some in told.items() if some}


def _inside(one: PromptQuote, spans: list[tuple[int, int]]) -> bool:
    return any(start <= one.start and one.end <= end for start, end in spans)


def place_as_told(text: str, place: Place) -> Place:
    """Where it lives, with what the prompt itself says of who reads its result."""
    forms = [OutputForm(one["form"].lower()) for each in (_READS, _LOADS) for one in each.finditer(text)]
    behind = (PromptConsumer(name="what stands behind it", reads=one) for one in forms if one not in place.needed)
    return replace(place, downstream=(*place.downstream, *behind))


def says_form(read: Reading) -> bool:
    return bool(forms(read)) or read.has(_SIZED)


def output_contract(read: Reading) -> Iterator[PromptFinding]:
    if read.place.surface is PromptSurface.overlay or not (read.tasks or read.place.is_contract) or says_form(read):
        return
    parsed = [*read.place.needed.items()]
    reader = f" {parsed[0][1]} reads {parsed[0][0]}." if parsed else ""
    yield PromptFinding(
        finding_kind=PromptGap.missing_output_contract,
        severity=GapSeverity.high if parsed else GapSeverity.medium,
        explanation=f"Nothing says in which form the result comes back; it will be another one each time.{reader}",
        shown_by=quoted([read.task]),
        missing=("the form of the result", "its parts and their order", "how long it is at most"),
        suggested_fix="Say what comes back: the form, its parts, and how long at most.",
        rule="output_contract",
    )


def downstream(read: Reading) -> Iterator[PromptFinding]:
    """What is asked for cannot be read by what stands behind it."""
    asked = forms(read)
    for form, reader in read.place.needed.items():
        fits = form in asked or (form not in _PARSED and asked.keys() & {form})
        others = {one: some for one, some in asked.items() if one is not form}
        if fits or not others:
            continue
        yield PromptFinding(
            finding_kind=PromptGap.downstream_incompatibility,
            severity=GapSeverity.high,
            explanation=f"It asks for {' and '.join(others)}, and {reader} reads {form}: it cannot take the result.",
            shown_by=tuple(one for some in others.values() for one in some),
            missing=(f"the {form} that {reader} reads",),
            suggested_fix=f"Ask for {form} with the fields that {reader} takes, and for nothing around it.",
            rule="downstream",
        )
        return


def named_outputs(read: Reading) -> Iterator[PromptFinding]:
    """Modules behind it take apart outputs that the prompt does not name."""
    text = " ".join(words(read.text))
    unnamed = [one for one in read.place.named_outputs if " ".join(words(one.replace("_", " "))) not in text]
    if not unnamed:
        return
    yield PromptFinding(
        finding_kind=PromptGap.downstream_incompatibility,
        severity=GapSeverity.high,
        explanation=f"What stands behind it takes {', '.join(unnamed)}, and the prompt does not name them.",
        shown_by=(),
        missing=tuple(f"the output {one}" for one in unnamed),
        suggested_fix=f"Say that the result has the parts {', '.join(read.place.named_outputs)}, under these names.",
        rule="named_outputs",
    )


_SCALE = pattern("scale")
_ANCHOR = pattern("anchor")
_BINARY = pattern("binary")
_COUNTED = pattern("counted")
_VOIDED = pattern("voided")


def judge(read: Reading) -> Iterator[PromptFinding]:
    """A rubric that two judges would not score alike."""
    if not read.place.is_rubric:
        return
    marked = _VOIDED.sub(" ", read.bare)
    scale, anchors = read.quotes(_SCALE), len(_ANCHOR.findall(marked))
    if _COUNTED.search(marked) or (scale and anchors >= (1 if _BINARY.search(read.text) else 2)):
        return
    yield PromptFinding(
        finding_kind=PromptGap.judge_unscorable,
        severity=GapSeverity.high,
        explanation="Two judges would not come to the same score: "
        + ("nothing says what earns which mark." if scale else "there is no scale."),
        shown_by=scale or quoted([read.task]),
        missing=(
            *(() if scale else ("a scale",)),
            "criteria, one thing each",
            "what earns each mark, in words that can be checked",
        ),
        suggested_fix="Name the criteria, and say for each what earns the highest and the lowest mark.",
        rule="judge",
    )
