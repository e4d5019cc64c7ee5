"""Directives that real traces propose: what people kept accepting, or kept refusing, in a class of context.

A candidate waits for a person. It says on what evidence it stands, and what it is proposed to become.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from graph_schema.model.record import LifecycleState
from graph_schema.routing.decision_words import ExecutionMode
from graph_schema.routing.words import (
    AuthoritySource,
    ConfirmationPolicy,
    InvocationPolicy,
    RecommendedLifecycle,
    UserResponse,
    Verdict,
)
from service.commands import State, Work
from service.routing.invocations import cypher
from service.words import STOP_WORDS, spoken, stems

LOOKED_AT = 50
MOST_EVIDENCE = 20
MOST_PATTERNS = 10
MOST_PHRASES = 3
SHORTEST, LONGEST = 2, 6
LASTING = ("public", "internal")
"""Classes of data that may support something that lasts."""

_POLICIES = {
    ExecutionMode.run_existing_saved_task: InvocationPolicy.run_existing_task_after_confirmation,
    ExecutionMode.invoke_task_agent_for_design: InvocationPolicy.invoke_task_agent_for_design,
    ExecutionMode.invoke_task_agent_for_review: InvocationPolicy.invoke_task_agent_for_review,
}


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace as it supports a candidate. `directed`: a directive had matched it, so there is nothing to learn."""

    state: State
    target: str | None
    taught: bool = False
    directed: bool = False

    @property
    def said(self) -> str:
        return " ".join(str(self.state.properties.get("initial_user_text_summary") or "").split())

    @property
    def mode(self) -> ExecutionMode:
        return ExecutionMode(self.state.properties["selected_mode"])

    @property
    def response(self) -> UserResponse:
        return UserResponse(self.state.properties["user_response"])

    @property
    def edits(self) -> int:
        return int(self.state.properties.get("edit_count_after_acceptance") or 0)


async def propose(work: Work, trace: Trace, verdict: Verdict, target: State | None, often: int) -> State | None:
    """A candidate from this trace and those before it, if enough agree and none was proposed from them before."""
    if trace.state.properties["data_class"] not in LASTING:
        return None
    alike = [trace, *await _alike(work, trace.state, verdict)]
    agreeing = [one for one in alike if _agrees(one, verdict, target)][:MOST_EVIDENCE]
    if len(agreeing) < often or any(one.taught for one in agreeing):
        return None
    values = candidate(agreeing, verdict, target, often)
    if values is None:
        return None
    kind = work.registry.types["InvocationDirective"]
    made = work.create(kind, values, [one.state for one in agreeing])
    if target is not None and verdict is Verdict.acceptance:
        work.link(made, "TARGETS", target)
    for one in agreeing:
        work.link(made, "LEARNED_FROM", one.state)
    return made


async def _alike(work: Work, trace: State, verdict: Verdict) -> list[Trace]:
    rows = await work.transaction.run(
        cypher.ALIKE,
        id=trace.id,
        context_class=trace.properties["context_class"],
        verdict=verdict.value,
        until=trace.properties["responded_at"],
        classes=LASTING,
        most=LOOKED_AT,
        audiences=work.viewer.audiences,
    )
    kind = work.registry.types["InvocationTrace"]
    return [
        Trace(State(kind, tuple(row["labels"]), row["properties"]), row["target"], row["taught"], row["directed"])
        for row in rows
    ]


def _agrees(one: Trace, verdict: Verdict, target: State | None) -> bool:
    """Acceptances agree on what was accepted; refusals on the class. What says nothing in words teaches none."""
    if not one.said or one.directed:
        return False
    return verdict is Verdict.refusal or (target is not None and one.target == target.id)


def candidate(traces: Sequence[Trace], verdict: Verdict, target: State | None, often: int) -> dict[str, Any] | None:
    """The values of the directive that these traces propose; none, where they have no words to tell it by."""
    said = [one.said for one in traces]
    phrases = [*common_phrases(said, often)][:MOST_PHRASES]
    patterns = list(dict.fromkeys(one[:TEXT_LENGTH] for one in said))[:MOST_PATTERNS]
    if not any(stems(one) for one in patterns):
        return None
    context_class = traces[0].state.properties["context_class"]
    accepted = verdict is Verdict.acceptance
    named = target.properties["name"] if target and accepted else "no suggestion"
    count = len(traces)
    return {
        "name": f"{phrases[0] if phrases else context_class}: {named}"[:NAME_LENGTH],
        "description": _description(context_class, named, accepted=accepted)[:TEXT_LENGTH],
        "trigger_phrases": phrases if accepted else [],
        "semantic_lookup_phrases": patterns,
        "invocation_policy": _policy(traces, accepted=accepted).value,
        "confirmation_policy": (
            ConfirmationPolicy.confirm_before_run if accepted else ConfirmationPolicy.never_auto_run
        ).value,
        "authority_source": (
            AuthoritySource.learned_from_acceptance if accepted else AuthoritySource.learned_from_rejection
        ).value,
        "confidence": round((count + 1) / (count + 2), 2),
        "lifecycle_state": LifecycleState.candidate.value,
        "context_class": context_class,
        "user_request_patterns": patterns,
        "acceptance_count": count if accepted else 0,
        "rejection_count": 0 if accepted else count,
        "edit_count_after_acceptance": sum(one.edits for one in traces),
        "recommended_lifecycle": _lifecycle(traces, accepted=accepted).value,
        "review_required": True,
        "evidence_summary": _evidence(traces, context_class, named, accepted=accepted)[:TEXT_LENGTH],
    }


def common_phrases(texts: Sequence[str], often: int) -> Iterator[str]:
    """Runs of words that so many texts share, longest first; a part of one that was told already is none."""
    shared: Counter[str] = Counter()
    for text in texts:
        shared.update({*_runs(spoken(text).split())})
    found: list[str] = []
    for run, count in sorted(shared.items(), key=lambda one: (-len(one[0].split()), -one[1], one[0])):
        if count >= often and not any(f" {run} " in f" {longer} " for longer in found):
            found.append(run)
            yield run


def _runs(words: Sequence[str]) -> Iterator[str]:
    """What could be a phrase: it begins and ends with a word that carries meaning."""
    for size in range(SHORTEST, LONGEST + 1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if run[0] not in STOP_WORDS and run[-1] not in STOP_WORDS:
                yield " ".join(run)


def _policy(traces: Iterable[Trace], *, accepted: bool) -> InvocationPolicy:
    if not accepted:
        return InvocationPolicy.do_not_suggest_task
    usual, _ = Counter(one.mode for one in traces).most_common(1)[0]
    return _POLICIES.get(usual, InvocationPolicy.suggest_task)


def _lifecycle(traces: Sequence[Trace], *, accepted: bool) -> RecommendedLifecycle:
    """What recurs by itself is a procedure; what people had to ask for themselves is missing from a template's card."""
    if not accepted:
        return RecommendedLifecycle.suppress_task_suggestion_rule
    if _most(one.mode is ExecutionMode.background_or_recurring_saved_task for one in traces):
        return RecommendedLifecycle.standing_procedure_candidate
    if _most(one.response is UserResponse.later_requested_task for one in traces):
        return RecommendedLifecycle.template_semantic_card_update
    return RecommendedLifecycle.memory_directive_candidate


def _most(holds: Iterable[bool]) -> bool:
    told = [*holds]
    return 2 * sum(told) > len(told)


def _description(context_class: str, named: str, *, accepted: bool) -> str:
    if accepted:
        return f"Requests of the class {context_class} were met with {named}, and that was welcome."
    return f"In the class {context_class} suggestions of saved tasks were not welcome."


def _evidence(traces: Sequence[Trace], context_class: str, named: str, *, accepted: bool) -> str:
    count, edits = len(traces), sum(one.edits > 0 for one in traces)
    said = ", ".join(f"“{one.said[:80]}”" for one in traces[:3])
    if accepted:
        return (
            f"{count} requests of the class {context_class} led to {named} and were accepted, {edits} of them with "
            f"edits afterwards: {said}."
        )
    return f"{count} suggestions of the class {context_class} were refused: {said}."
