"""Deciding: from a request to its mode. A query: it stores nothing; same request, same graph, same answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.matching.assets import Purpose
from service.matching.facts import purpose_of
from service.notices import Notice
from service.routing.decision import cypher
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.context_class import context_class
from service.routing.decision.decide import Verdict, decide
from service.routing.decision.fits import calibration
from service.routing.decision.grounds import RUNNABLE, CalledBecause, Grounds, TaughtPhrase, best
from service.routing.decision.look import named_outputs
from service.routing.decision.request import TaskModeRequest, attached
from service.routing.decision.sources import Found, Sources, or_without
from service.routing.decision.told import SHOWN, Story, told
from service.routing.directives.rules import MatchedDirective
from service.routing.evidence.gather import of_words
from service.routing.evidence.inputs import inputs
from service.routing.evidence.kinds import EXPLICIT, FORMAL, RECURS, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.learned import learned
from service.routing.evidence.scene import CALLED, CalledBy, Target
from service.routing.feedback.read import RoutingStates
from service.routing.words import Said, Words
from service.routing.words.said import line_of
from service.search.watch import Watch

VERBS = ("monitor", "review", "draft", "compare", "summarise", "report", "plan", "find")
TWO = 2
_NAMED = {
    "Task": Kind.named_task,
    "Template": Kind.named_template,
    "Preset": Kind.named_preset,
    "Run": Kind.named_run,
    "Artifact": Kind.named_output,
}


@dataclass(frozen=True, slots=True)
class _Learned:
    """What feedback says of the class of context, and what could not be read."""

    evidence: tuple[ModeEvidence, ...] = ()
    missing: tuple[Notice, ...] = ()


class TaskModes:
    def __init__(self, database: Database, sources: Sources, states: RoutingStates) -> None:
        self._database = database
        self._sources = sources
        self._states = states

    async def decide(self, viewer: Viewer, request: TaskModeRequest, at: datetime | None = None) -> TaskModeDecision:
        """What the request becomes. `at`: a replay gives the time of the first."""
        return (await self.decided(viewer, request, at))[0]

    async def decided(
        self, viewer: Viewer, request: TaskModeRequest, at: datetime | None = None
    ) -> tuple[TaskModeDecision, Grounds]:
        """What the request becomes, and what was weighed."""
        request.check()
        watch = Watch()
        found = await self._sources.found(viewer, request, at)
        watch.lap("found")
        about, group, feedback = await self._around(viewer, request, found, at)
        grounds = _grounds(request, found, feedback)
        verdict = decide(grounds, calibration())
        watch.lap("decided")
        runs, outputs = await self._runs(viewer, verdict, found)
        if _contested(grounds, verdict, runs):
            grounds = replace(grounds, contested=True)
            verdict, outputs = decide(grounds, calibration()), ()
        watch.lap("runs")
        story = Story(
            request=request,
            found=found,
            grounds=grounds,
            verdict=verdict,
            context_class=group,
            about=about,
            runs=runs,
            outputs=outputs,
            missing=(*found.missing, *feedback.missing),
            at=clock.stamp(at) if at else clock.now(),
        )
        return replace(told(story), timings=watch.timings()), grounds

    async def grounds(self, viewer: Viewer, request: TaskModeRequest) -> Grounds:
        """What a decision would rest on; the fits are made from it."""
        found = await self._sources.found(viewer, request, None)
        _, _, feedback = await self._around(viewer, request, found, None)
        return _grounds(request, found, feedback)

    async def _around(
        self, viewer: Viewer, request: TaskModeRequest, found: Found, at: datetime | None
    ) -> tuple[Purpose | None, str, _Learned]:
        about = await self._about(viewer, found)
        group = request.context_class or _class(request, found, about or Purpose(), self._sources.words)
        return about, group, await self._learned(viewer, group, found, at)

    async def _about(self, viewer: Viewer, found: Found) -> Purpose | None:
        """What the best template is for: a class of context is made from it, and what could be said."""
        named = [one.id for one in found.known.targets if one.kind == "Template" and one.whole and _stands(one, found)]
        if not found.fits.sure and not named:
            return None
        if found.fits.offered:
            return found.fits.offered[0].asset.purpose
        row = await self._database.read_one(cypher.ABOUT, id=named[0], audiences=viewer.audiences)
        return purpose_of(row) if row else None

    async def _learned(self, viewer: Viewer, group: str, found: Found, at: datetime | None) -> _Learned:
        """It bears on suggestions only: not on what is asked for, nor where nothing would be suggested."""
        formal = found.kinds & (FORMAL | RECURS | {Kind.background})
        if found.kinds & EXPLICIT or not (found.fits.sure or formal or found.taught.holding):
            return _Learned()
        missing: list[Notice] = []
        state = await or_without(self._states.of(viewer, group, at), "feedback_not_read", missing)
        return _Learned(tuple(learned(state)) if state else (), tuple(missing))

    async def _runs(self, viewer: Viewer, verdict: Verdict, found: Found) -> tuple[Sequence[Target], Sequence[Target]]:
        if verdict.mode not in (Mode.inspect_saved_task_run, Mode.retrieve_saved_task_output):
            return (), ()
        if verdict.mode is Mode.retrieve_saved_task_output and not _names_work(found):
            outputs, made_by = named_outputs(found.known)
            if outputs:
                return made_by, outputs[:SHOWN]
        runs = await self._sources.looking.runs(viewer, found.known, found.what)
        if verdict.mode is Mode.inspect_saved_task_run or not runs:
            return runs[:SHOWN], ()
        return runs[:SHOWN], (await self._sources.looking.outputs(viewer, runs[0], found.what))[:SHOWN]


def _contested(grounds: Grounds, verdict: Verdict, runs: Sequence[Target]) -> bool:
    """Whether the words fit runs of several tasks equally. Where a status is asked for, what goes on is meant."""
    if verdict.level is not Level.explicit or grounds.work_open or len(grounds.meant) < TWO:
        return False
    asked = [one for one in runs if one.going_on] if verdict.mode is Mode.inspect_saved_task_run else []
    return len({(one.task_name or one.name).casefold() for one in asked or runs}) >= TWO


def _names_work(found: Found) -> bool:
    """Whether a task, template or run is called, whose outputs are meant then."""
    known = found.known
    return known.is_open or any(one.kind in CALLED and _stands(one, found) for one in known.targets)


def _stands(one: Target, found: Found) -> bool:
    """Whether it is called, and not only said: what was taught calls where something is run, or where it is pointed."""
    return one.by is not CalledBy.phrase or one.pointed or Kind.run_command in found.kinds


def _grounds(request: TaskModeRequest, found: Found, feedback: _Learned) -> Grounds:
    known, taught = found.known, found.taught
    evidence = (
        *(*found.evidence, *_called(found), *found.fits.evidence),
        *(*taught.evidence, *feedback.evidence, *_inputs(request, found)),
    )
    return Grounds(
        evidence=tuple(dict.fromkeys(evidence)),
        targets=known.targets,
        work_open=known.is_open,
        task_open=known.open_task is not None or known.work_open,
        template=found.fits.sure,
        policy=taught.policy,
        directed=tuple(Target(one.id, one.kind, one.name) for one in taught.best.targets)
        if taught.best and taught.best.taught
        else (),
        phrases=tuple(
            TaughtPhrase(one.invocation_policy, tuple(each.kind for each in one.targets), one.id)
            for one in taught.holding
            if one.taught
        ),
        compared=found.compared,
        because={one.id: _because(one, found) for one in taught.holding if one.taught},
    )


def _because(directive: MatchedDirective, found: Found) -> CalledBecause:
    """What would not be called without it, and what would then not be said."""
    known = {one.id: one for one in found.known.names}
    others = {each.id for one in found.taught.holding if one.taught and one.id != directive.id for each in one.targets}
    led = {each.id for each in directive.targets} - others
    alone = [one for one in found.known.targets if one.by is CalledBy.phrase and one.id in led]
    targets = frozenset(one.id for one in alone if {*known[one.id].phrases} <= {directive.phrase})
    without = replace(found.scene, targets=tuple(one for one in found.known.targets if one.id not in targets))
    said = {*of_words(without)} if targets else {*found.spoken}
    more = (one for one in _called(found) if one.record_id in targets)
    return CalledBecause(targets, frozenset((*(one for one in found.spoken if one not in said), *more)))


def _inputs(request: TaskModeRequest, found: Found) -> Iterator[ModeEvidence]:
    """What the one task lacks that is to be run. Who names what the work is about has said what it works on."""
    meant = best(one for one in found.known.targets if one.kind in RUNNABLE)
    if Kind.run_command not in found.kinds or len(meant) != 1 or request.entities:
        return iter(())
    return inputs(
        found.scene,
        found.known.inputs_of(meant[0].id),
        attached(request),
        kinds_told=all(one.kind for one in request.attachments),
        first_turn=request.conversation_turns is not None and request.conversation_turns <= 1,
    )


def _called(found: Found) -> Iterator[ModeEvidence]:
    """Names that are called as names, and what is open where it was said."""
    for one in found.known.targets:
        if one.whole and (one.pointed or Kind.run_command in found.kinds):
            yield ModeEvidence(_NAMED[one.kind], one.words, f"It calls {one.name} by name.", one.id)
    if task := found.known.open_task:
        yield ModeEvidence(Kind.open_task, why=f"{task.name} is open.", record_id=task.id)
    if run := found.known.open_run:
        yield ModeEvidence(Kind.open_run, why=f"{run.name} is open.", record_id=run.id)


def _class(request: TaskModeRequest, found: Found, about: Purpose, words: Words) -> str:
    archetypes = [kind for one in request.attachments if (kind := one.kind or _kind_of(one.name, words))]
    return context_class(
        request.task_type or about.task_type,
        archetypes or about.document_archetypes,
        verb_of(found.what, words),
        about.domain_tags,
    )


def _kind_of(name: str, words: Words) -> str | None:
    """What kind of document an attachment is by its name: `lease-2026.pdf` is a lease."""
    found = words.find("document", line_of(name.rpartition(".")[0] or name))
    return found[0].strip() if found else None


def verb_of(what: Said, words: Words) -> str | None:
    """The class of what is to be done, by its verb."""
    lines = [one.line for one in what.sentences]
    return next((verb for verb in VERBS if any(words.find(f"verb_{verb}", line) for line in lines)), None)
