"""A decision as it is told: signals and vetoes with their evidence, what is meant, and what could be said. Pure."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import orjson

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.decision_words import ConsultPolicy as Consult
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.decision_words import TaskSignal as Signal
from graph_schema.routing.words import AutoConsult, ConfirmationPolicy, VisibleReceipts
from service.matching.answer import MatchAnswer, MatchCandidate
from service.matching.assets import Purpose
from service.notices import Notice
from service.routing.decision.answer import (
    HeldSignal,
    HeldVeto,
    Meant,
    MeantRecord,
    RoutingRanker,
    TaskModeDecision,
)
from service.routing.decision.decide import SUGGESTS, Verdict, consult
from service.routing.decision.fits import NAME, VERSION
from service.routing.decision.grounds import Grounds, best
from service.routing.decision.request import TaskModeRequest, attached
from service.routing.decision.saying import AGENTS, SILENT, Scenery, chips, intent, say
from service.routing.decision.sources import Found
from service.routing.decision.table import LevelFrom
from service.routing.decision.vetoes import RULES_OUT
from service.routing.evidence.inputs import uncovered
from service.routing.evidence.kinds import RECURS, SIGNALS, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.scene import Target

SHOWN = 5
_INTENT = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that a decision is told from."""

    request: TaskModeRequest
    found: Found
    grounds: Grounds
    verdict: Verdict
    context_class: str
    about: Purpose | None
    runs: Sequence[Target]
    outputs: Sequence[Target]
    missing: Sequence[Notice]
    at: str

    @property
    def request_ref(self) -> str:
        digest = hashlib.sha256(self.request.text.encode("utf-8", "surrogatepass")).hexdigest()
        return self.request.user_request_ref or f"sha256:{digest[:32]}"


def told(story: Story) -> TaskModeDecision:
    verdict, found = story.verdict, story.found
    templates, presets, tasks = _templates(story), _presets(story), _tasks(story)
    runs, outputs = _runs(story.runs), _outputs(story.outputs)
    scenery = _scenery(story, templates, tasks, runs, outputs)
    loud = verdict.level not in SILENT and not _chip_alone(story)
    decision = TaskModeDecision(
        decision_id="",
        user_request_ref=story.request_ref,
        resolved_intent_summary=intent(scenery, _shortened(found.what.instruction)),
        selected_mode=verdict.mode,
        task_opportunity_level=verdict.level,
        task_agent_consult_policy=_consult(story),
        task_fit_score=verdict.fits.task,
        direct_answer_fit_score=verdict.fits.direct,
        existing_template_match_score=found.templates.any_fits if found.templates else None,
        positive_task_signals=tuple(_signals(story.grounds)),
        task_veto_signals=tuple(_vetoes(verdict)),
        matched_invocation_directives=_directives(story),
        matched_task_templates=templates,
        matched_module_presets=presets,
        opportunity_packet_ref=None,
        should_inject_task_packet=loud,
        should_inject_knowledge_cards=loud and story.request.task_agent_active and _may_look_up(story),
        visible_to_llm=loud,
        visible_to_user=loud,
        created_at=story.at,
        because=verdict.row.because,
        losing_modes=verdict.lost,
        tasks=tasks,
        runs=runs,
        outputs=outputs,
        context_class=story.context_class,
        say=say(scenery) if loud else None,
        chips=chips(scenery) if _shows_chips(story) else (),
        operation=_operation(scenery),
        confirmation_policy=_confirmation(story),
        entrypoint=scenery.entrypoint,
        leaves_receipt=_leaves_receipt(story),
        missing=(*story.missing, *_unasked(scenery), *_inputs(scenery)),
        notices=found.question.notices,
        ranker=RoutingRanker(
            name=NAME,
            version=VERSION,
            words=found.scene.words.version,
            model=found.templates.ranker.model if found.templates else None,
        ),
    )
    name = _named(decision)
    packet = f"opportunity_{name}" if loud else None
    return replace(decision, decision_id=f"decision_{name}", opportunity_packet_ref=packet)


def _signals(grounds: Grounds) -> Iterator[HeldSignal]:
    held: dict[Signal, list[ModeEvidence]] = {}
    for one in grounds.evidence:
        if one.kind in SIGNALS:
            held.setdefault(SIGNALS[one.kind], []).append(one)
    if grounds.has(Kind.stakes) and grounds.kinds & RECURS:
        held[Signal.high_stakes_repeatable_process] = list(grounds.of(Kind.stakes, *RECURS))
    return (HeldSignal(signal, tuple(held[signal])) for signal in Signal if signal in held)


def _vetoes(verdict: Verdict) -> Iterator[HeldVeto]:
    for one in verdict.held:
        ruled = tuple(mode for mode in Mode if mode in RULES_OUT[one.veto])
        yield HeldVeto(one.veto, one.evidence, ruled)


def _directives(story: Story) -> Meant:
    return tuple(
        MeantRecord(one.id, "InvocationDirective", one.name, one.probability, one.why, one.version)
        for one in story.found.taught.holding[:SHOWN]
    )


def _templates(story: Story) -> Meant:
    """What matching offers and what is called by name; of a command to run, what it names alone."""
    called = [_called(one, story) for one in (*_named_of(story, "Template"), *_in_passing(story))]
    offered = [] if _commands(story) and called else [_candidate(one) for one in story.found.fits.offered]
    directed = [
        MeantRecord(one.id, one.kind, one.name, None, "A taught phrase leads to it.")
        for one in story.grounds.directed
        if one.kind == "Template"
    ]
    return _distinct([*called, *directed, *offered])


def _in_passing(story: Story) -> Iterator[Target]:
    """The template whose name makes the request fit it."""
    if story.found.fits.named:
        yield story.found.fits.named


def _tasks(story: Story) -> Meant:
    called = [_called(one, story) for one in _named_of(story, "Task")]
    opened = story.found.known.open_task
    there = [MeantRecord(opened.id, "Task", opened.name, 1.0, "It is open.")] if opened else []
    directed = [
        MeantRecord(one.id, one.kind, one.name, None, "A taught phrase leads to it.")
        for one in story.grounds.directed
        if one.kind == "Task"
    ]
    return _distinct([*called, *directed, *there])


def _presets(story: Story) -> Meant:
    called = [_called(one, story) for one in story.found.known.targets if one.kind == "Preset" and one.whole]
    return _distinct([*called, *(_candidate(one) for one in _recommended(story.found.presets))])


def _recommended(found: MatchAnswer | None) -> tuple[MatchCandidate, ...]:
    return found.recommended if found else ()


def _named_of(story: Story, kind: str) -> list[Target]:
    """What is called by name and nothing calls better; a name in passing does not count."""
    return [one for one in best(story.grounds.targets) if one.kind == kind and (one.pointed or _commands(story))]


def _commands(story: Story) -> bool:
    return story.grounds.has(Kind.run_command)


def _called(one: Target, story: Story) -> MeantRecord:
    how = "with a slip" if one.misspelt else "by its name" if one.whole else "by a part of its name"
    row = story.found.known.rows.get(one.id)
    score = round(one.share, 3)
    return MeantRecord(
        one.id, one.kind, one.name, score, f"The request calls it {how}.", row["version"] if row else None
    )


def _candidate(one: MatchCandidate) -> MeantRecord:
    because = f"{one.explanation.partition('. ')[0]}."
    return MeantRecord(one.id, one.kind, one.name, one.confidence, because, one.version)


def _runs(found: Sequence[Target]) -> Meant:
    return tuple(
        MeantRecord(one.id, "Run", one.name, round(one.share, 3), "It goes on." if one.going_on else "It has ended.")
        for one in found
    )


def _outputs(found: Sequence[Target]) -> Meant:
    return tuple(MeantRecord(one.id, "Artifact", one.name, None, "The run has made it.") for one in found)


def _distinct(found: Iterable[MeantRecord]) -> Meant:
    return tuple({one.id: one for one in reversed(list(found))}.values())[::-1][:SHOWN]


def _scenery(story: Story, templates: Meant, tasks: Meant, runs: Meant, outputs: Meant) -> Scenery:
    grounds, profile = story.grounds, story.found.agent.profile
    return Scenery(
        mode=story.verdict.mode,
        level=story.verdict.level,
        request_ref=story.request_ref,
        text=story.found.what.instruction,
        context_class=story.context_class,
        templates=templates,
        tasks=tasks,
        runs=runs,
        outputs=outputs,
        prompt=grounds.has(Kind.prompt_command),
        portfolio=_portfolio(story, tasks),
        outputs_of_template=story.about.expected_outputs if story.about else (),
        needs=_needs(story, tasks, templates),
        lacks_input=grounds.has(Kind.input_missing),
        adapts=grounds.has(Kind.adapt_command),
        confirms_run=_confirmation(story) is not ConfirmationPolicy.auto_run_if_user_explicit,
        confirms_save=profile.require_user_confirmation_before_save,
        entrypoint=_entrypoint(story, tasks),
        usable=frozenset(one.entrypoint for one in story.found.agent.usable),
    )


def _needs(story: Story, tasks: Meant, templates: Meant) -> tuple[str, ...]:
    """What is still to come of what the task that is to be run works on."""
    if story.verdict.mode not in (Mode.run_existing_saved_task, Mode.ask_clarifying_question):
        return ()
    target = next(iter((*tasks, *templates)), None)
    needed = story.found.known.inputs_of(target.id) if target else ()
    return uncovered(needed, attached(story.request))


def _chip_alone(story: Story) -> bool:
    """Whether all that there would be is a quiet button, and the profile shows none."""
    asked = story.grounds.has(Kind.fit_question) or _shows_chips(story)
    return story.verdict.row.level is LevelFrom.chip and not asked


def _may_look_up(story: Story) -> bool:
    return story.found.agent.profile.allow_knowledge_pack_retrieval


def _entrypoint(story: Story, tasks: Meant) -> Entrypoint | None:
    """What the Task Agent would be asked to do; nothing below medium."""
    verdict, grounds, taught = story.verdict, story.grounds, story.found.taught.best
    if verdict.level in SILENT:
        return None
    if taught and taught.taught and taught.entrypoint:
        return taught.entrypoint
    if verdict.mode is Mode.invoke_task_agent_for_review:
        return _reviews(story, tasks)
    if verdict.mode is Mode.invoke_task_agent_for_design:
        return Entrypoint.adapt_task_template if grounds.has(Kind.adapt_command) else Entrypoint.design_task
    return _ENTRYPOINTS.get(verdict.mode)


def _reviews(story: Story, tasks: Meant) -> Entrypoint:
    if story.grounds.has(Kind.prompt_command):
        return _worded(story, _OF_PROMPTS) or Entrypoint.improve_task_prompt
    if _portfolio(story, tasks):
        return Entrypoint.assess_task_portfolio
    return _worded(story, _OF_TASKS) or Entrypoint.review_existing_task


_OF_PROMPTS = (
    ("asks_prompt_test", Entrypoint.test_prompt_variants),
    ("asks_prompt_variants", Entrypoint.generate_prompt_variants),
    ("asks_prompt_quality", Entrypoint.review_prompt_quality),
)
_OF_TASKS = (("asks_explain", Entrypoint.explain_task_graph), ("asks_assess", Entrypoint.assess_task))


def _worded(story: Story, phrases: Sequence[tuple[str, Entrypoint]]) -> Entrypoint | None:
    """The entrypoint whose phrases are found first, in the order of the table."""
    return next((entrypoint for name, entrypoint in phrases if story.found.scene.mentions(name)), None)


def _portfolio(story: Story, tasks: Meant) -> bool:
    """Whether it is about all tasks, and none that is called or open. What is only like it is not meant."""
    about = story.grounds.has(Kind.review_command) and not tasks and not _named_of(story, "Template")
    return about and story.found.scene.mentions("asks_portfolio")


_ENTRYPOINTS = {
    Mode.inspect_saved_task_run: Entrypoint.inspect_task_run,
    Mode.retrieve_saved_task_output: Entrypoint.retrieve_task_output,
    Mode.suggest_existing_saved_task: Entrypoint.consult_task_opportunity,
    Mode.background_or_recurring_saved_task: Entrypoint.design_task,
}


def _consult(story: Story) -> Consult:
    """What the level gives, within what the profile allows unasked."""
    mode, level = story.verdict.mode, story.verdict.level
    found = consult(mode, level)
    agent = story.found.agent
    if not agent.available:
        return Consult.forbidden if level in SILENT else Consult.not_needed
    unasked = level in _UNASKED[agent.auto_consult_policy] and agent.profile.allow_invisible_consult
    if found is Consult.recommended and not unasked:
        return Consult.allowed_if_user_accepts
    if found is Consult.allowed_if_user_accepts and unasked and mode in SUGGESTS:
        return Consult.recommended
    return found


_UNASKED = {
    AutoConsult.never: frozenset[Level](),
    AutoConsult.explicit: frozenset({Level.explicit}),
    AutoConsult.high_or_explicit: frozenset({Level.high, Level.explicit}),
    AutoConsult.medium_or_higher: frozenset({Level.medium, Level.high, Level.explicit}),
}


_SAVES_OR_RUNS = frozenset({
    Mode.invoke_task_agent_for_design, Mode.background_or_recurring_saved_task, Mode.run_existing_saved_task,
})  # fmt: skip
_ASKS_AGENT = _SAVES_OR_RUNS | {Mode.invoke_task_agent_for_review, Mode.suggest_existing_saved_task}


def _leaves_receipt(story: Story) -> bool:
    """By the profile: of all that the Task Agent is asked, or of what it saves or has run."""
    wanted = _ASKS_AGENT if story.found.agent.receipts is VisibleReceipts.always else _SAVES_OR_RUNS
    return story.verdict.level not in SILENT and story.verdict.mode in wanted


def _inputs(scenery: Scenery) -> Iterator[Notice]:
    if scenery.needs:
        listed = ", ".join(one.replace("_", " ") for one in scenery.needs)
        yield Notice("input_not_named", f"What is to be run works on {listed}; the request names none.")


def _unasked(scenery: Scenery) -> Iterator[Notice]:
    if scenery.level not in SILENT and scenery.mode in AGENTS and not scenery.can(scenery.entrypoint):
        yield Notice(
            "task_agent_unavailable", f"Task Agent cannot be asked to {_DOES[scenery.mode]} now; see taskAgent."
        )


_DOES = {Mode.invoke_task_agent_for_design: "design or adapt a task", Mode.invoke_task_agent_for_review: "review tasks"}


def _shows_chips(story: Story) -> bool:
    """The profile's setting is about what nobody asked for."""
    return story.verdict.level is Level.explicit or story.found.agent.show_chips


def _operation(scenery: Scenery) -> str | None:
    found = chips(scenery)
    return found[0].operation if found else None


def _confirmation(story: Story) -> ConfirmationPolicy | None:
    if story.verdict.mode not in (Mode.run_existing_saved_task, Mode.background_or_recurring_saved_task):
        return None
    taught = story.found.taught.best
    if taught and taught.taught:
        return _held(taught.confirmation_policy, story)
    asked = story.verdict.mode is Mode.run_existing_saved_task and story.verdict.level is Level.explicit
    return _held(
        ConfirmationPolicy.auto_run_if_user_explicit if asked else ConfirmationPolicy.confirm_before_run, story
    )


def _held(policy: ConfirmationPolicy, story: Story) -> ConfirmationPolicy:
    """A profile that was saved to have everything confirmed holds, whatever a directive says."""
    agent = story.found.agent
    taught = policy is ConfirmationPolicy.never_auto_run or (story.found.taught.policy and not agent.profile_saved)
    confirms = agent.profile.require_user_confirmation_before_run and not taught
    return ConfirmationPolicy.confirm_before_run if confirms else policy


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _INTENT else f"{plain[: _INTENT - 1]}…"


def _named(decision: TaskModeDecision) -> str:
    """The same content has the same id, whenever it was made."""
    content = orjson.dumps(replace(decision, created_at="", timings=()), option=orjson.OPT_SORT_KEYS, default=str)
    return hashlib.sha256(content).hexdigest()[:32]
