"""Whether prompts say what they must: instructions in the graph, and what was told of prompts that are kept."""

from collections.abc import Callable, Iterator, Sequence

from graph_schema.knowledge.prompt_words import PromptGap
from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone, PortfolioIssue
from service.learning.assessments.found import Found, Rule
from service.learning.assessments.portfolio_facts import Portfolio
from service.learning.assessments.prompt_facts import KeptPrompt, Prompts
from service.memory.views.words import counted, listed

_S, _T = FindingSeverity, FindingTone
_BREAKS = frozenset(
    {PromptGap.unsafe_side_effect_instruction, PromptGap.downstream_incompatibility, PromptGap.judge_unscorable}
)
"""Gaps by which something goes wrong, whatever model reads the prompt."""
Told = Callable[[str], str]


def lacking(prompts: Prompts, about: str, named: Told) -> Iterator[Found]:
    """Instructions of modules, by what they lack and not by their words. `about`: what shows it."""
    for one in prompts.instructions:
        kinds = [*dict.fromkeys(each.finding_kind for each in one.gaps)]
        yield Found(
            statement=f"The instruction of {named(one.module_key)} has gaps: {in_words(kinds)}.",
            evidence=(about,),
            severity=_S.major if _BREAKS & {*kinds} else _S.minor,
            better=" ".join(dict.fromkeys(each.suggested_fix for each in one.gaps)),
            module_key=one.module_key,
        )


def in_words(kinds: Sequence[str]) -> str:
    return listed([str(one).replace("_", " ") for one in kinds], len(kinds))


def not_read(prompts: Prompts) -> Iterator[Found]:
    for one in prompts.kept:
        if one.failed:
            better = "Say in the prompt which form comes back, and test a candidate that does (promptCheck)."
            yield _of(one, f"What stands behind {one.name} could not read its result", one.failed, _S.major, better)


def found_weak(prompts: Prompts) -> Iterator[Found]:
    for one in prompts.kept:
        if one.weak:
            yield _of(one, f"{one.name} was found weak", one.weak, _S.minor, "Look at what it lacks (promptCheck).")


def _of(one: KeptPrompt, said: str, signals: Sequence[str], severity: FindingSeverity, better: str) -> Found:
    return Found(
        statement=f"{said}: {counted(len(signals), 'time')}.",
        evidence=(one.id, *signals),
        severity=severity,
        better=better,
        module_key=one.module_key,
    )


def known_gaps(prompts: Prompts) -> Iterator[Found]:
    """What its last check found, where the instruction itself was not looked at here."""
    seen = {one.module_key for one in prompts.instructions}
    for one in prompts.kept:
        if one.gaps and one.check and (one.module_key is None or one.module_key not in seen):
            yield Found(
                statement=f"When it was last checked, {one.name} had gaps: {in_words(one.gaps)}.",
                evidence=(one.id, one.check),
                better="See what is suggested there, or have it checked again.",
                module_key=one.module_key,
            )


def better_known(prompts: Prompts) -> Iterator[Found]:
    for one in prompts.kept:
        if one.won:
            yield Found(
                statement=f"A candidate for {one.name} won {counted(len(one.won), 'test')}, and is not in use.",
                evidence=(one.id, *one.won),
                tone=_T.observation,
                severity=_S.note,
                better="Propose it (proposePrompt), or say why not.",
                module_key=one.module_key,
            )


_P = FindingKind.prompt_quality
KEPT: tuple[Rule[Prompts], ...] = (
    Rule("result_not_read", 1, _P, not_read),
    Rule("prompt_found_weak", 1, _P, found_weak),
    Rule("prompt_has_known_gaps", 1, _P, known_gaps),
    Rule("better_prompt_known", 1, _P, better_known),
)
"""What is found of kept prompts, wherever they are looked at."""


def across(about: Portfolio) -> Iterator[Found]:
    """Of all prompts together: what was told against them, one finding a reason."""
    reasons: Sequence[tuple[str, str, Callable[[KeptPrompt], Sequence[str]], FindingSeverity]] = (
        ("gives what could not be read behind it", "give what could not be read behind them",
         lambda one: one.failed, _S.major),
        ("was found weak", "were found weak", lambda one: one.weak, _S.minor),
        ("has gaps that are known", "have gaps that are known",
         lambda one: (one.check,) if one.gaps and one.check else (), _S.minor),
    )  # fmt: skip
    for single, several, shown, severity in reasons:
        found = [one for one in about.prompts if shown(one)]
        if found:
            names = listed([f"{one.name} of {one.home_name}" for one in found], 8)
            yield Found(
                statement=f"{counted(len(found), f'prompt {single}', f'prompts {several}')}: {names}.",
                evidence=(*(one.id for one in found), *(each for one in found for each in shown(one))),
                issue=PortfolioIssue.prompt_quality,
                severity=severity,
                better="Begin with the one that runs most: see what it lacks (promptCheck), and test a candidate.",
            )
