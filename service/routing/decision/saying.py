"""What could be said to the user, and the buttons beside it. Product words only, and no button without an operation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.routing.agent.entrypoints import ENTRYPOINTS
from service.routing.decision.answer import Meant, MeantRecord, TaskChip

SHOWN = 3
LIKELY = 0.5
_TOLD = 3
AGENTS = frozenset({Mode.invoke_task_agent_for_design, Mode.invoke_task_agent_for_review})
SILENT = frozenset({Level.none, Level.low})


@dataclass(frozen=True, slots=True)
class Scenery:
    """What sentences and buttons are made of."""

    mode: Mode
    level: Level
    request_ref: str
    text: str
    context_class: str
    templates: Meant
    tasks: Meant
    runs: Meant
    outputs: Meant
    prompt: bool = False
    portfolio: bool = False
    outputs_of_template: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """What the task that is to be run works on and nothing that came is."""
    lacks_input: bool = False
    adapts: bool = False
    confirms_run: bool = True
    confirms_save: bool = True
    entrypoint: Entrypoint | None = None
    usable: frozenset[Entrypoint] | None = None
    """What the Task Agent can be asked now; absent when that is not known."""

    def can(self, entrypoint: Entrypoint | None) -> bool:
        return entrypoint is None or self.usable is None or entrypoint in self.usable

    @property
    def sure(self) -> MeantRecord | None:
        """What is called by name, or likelier than not the one that is meant."""
        return next((one for one in (*self.tasks, *self.templates) if one.score is None or one.score >= LIKELY), None)

    @property
    def fitting(self) -> Meant:
        """The templates that are likely to be meant; where none is, the one that comes closest."""
        likely = tuple(one for one in self.templates if one.score is None or one.score >= LIKELY)
        return likely or self.templates[:1]

    @property
    def choices(self) -> Meant:
        """Tasks and templates that could be meant. A task and the template of its name are one choice."""
        named = {one.name.casefold(): one for one in reversed((*self.tasks, *self.templates))}
        return tuple(named.values())[::-1]

    @property
    def target(self) -> MeantRecord | None:
        return next(iter((*self.tasks, *self.templates)), None)


def say(scenery: Scenery) -> str | None:
    """Nothing is said of tasks at none and low, and nothing is promised that cannot be done now."""
    if scenery.level in SILENT:
        return None
    if scenery.mode in AGENTS and not scenery.can(scenery.entrypoint):
        return "Task Agent cannot be asked at the moment. I can help here, and saved tasks can still be edited by hand."
    return _SENTENCES[scenery.mode](scenery)


def chips(scenery: Scenery) -> tuple[TaskChip, ...]:
    """No button for what the Task Agent cannot be asked now."""
    if scenery.level in SILENT:
        return ()
    return tuple(one for one in _CHIPS[scenery.mode](scenery) if scenery.can(one.entrypoint))


def intent(scenery: Scenery, words: str) -> str:
    """What the request was taken to mean."""
    target = scenery.target
    named = f" {target.name}" if target else ""
    of_run = _names(scenery.runs[:1]) or "a task run"
    about = {
        Mode.run_existing_saved_task: f"Run the saved task{named}.",
        Mode.inspect_saved_task_run: f"Say how {_names(scenery.runs) or 'a task run'} stands.",
        Mode.retrieve_saved_task_output: f"Retrieve {_names(scenery.outputs) or 'the output'} of {of_run}.",
        Mode.invoke_task_agent_for_design: "Design or adapt a saved task.",
        Mode.invoke_task_agent_for_review: "Review, explain or improve saved tasks.",
        Mode.suggest_existing_saved_task: f"Work for which the saved task{named} fits.",
        Mode.background_or_recurring_saved_task: "Work that comes again or goes on by itself.",
        Mode.ask_clarifying_question: "A saved task, run or output that is not clear yet.",
        Mode.ec_scheduled_job: "Something simple that comes again.",
        Mode.openclaw_background_subagent: "Something to look after on the side.",
        Mode.direct_tool_or_procedure: "One action.",
        Mode.direct_chat: "A direct answer.",
    }[scenery.mode]
    return f"{about} “{words}”" if words else about


def _names(found: Sequence[MeantRecord]) -> str:
    return _listed([one.name for one in found])


def _plain(words: Sequence[str]) -> str:
    return _listed([one.replace("_", " ") for one in words])


def _listed(words: Sequence[str]) -> str:
    shown = list(words[:_TOLD])
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _chat(scenery: Scenery) -> str | None:
    target = scenery.target
    if target is None:
        return "If this comes up again, it can be set up as a saved task."
    made = _plain(scenery.outputs_of_template)
    leaves = f" It would leave {made} behind." if made else ""
    return f"There is also a saved task for this, {target.name}, if you want it tracked.{leaves}"


def _suggest(scenery: Scenery) -> str:
    fitting = scenery.fitting
    if len(fitting) > 1 and not scenery.tasks:
        return f"Several saved tasks fit: {_names(fitting)}. Which one should it be, or shall I answer here?"
    if scenery.sure is None and scenery.templates:
        return (
            f"Of your saved tasks {scenery.templates[0].name} comes closest. Shall it be that, or shall I answer here?"
        )
    name = scenery.target.name if scenery.target else "a saved task"
    made = _plain(scenery.outputs_of_template)
    keeps = f"keeps {made}, each step and its history" if made else "keeps each step, its outputs and its history"
    return f"Your saved task {name} fits this well: it {keeps}. I suggest to use it rather than answer in passing."


def _run(scenery: Scenery) -> str:
    name = scenery.target.name if scenery.target else "it"
    works_on = f" It works on {_plain(scenery.needs)}." if scenery.needs else ""
    if not scenery.confirms_run:
        return f"I'll have {name} run as a saved task.{works_on}"
    return f"I can run {name} as a saved task.{works_on} Shall I start it?"


def _inspect(scenery: Scenery) -> str:
    if not scenery.runs:
        named = scenery.tasks or scenery.templates
        return "I find no run of it that you can see." if named else "Let me go through your runs."
    return f"Let me look how {scenery.runs[0].name} stands."


def _retrieve(scenery: Scenery) -> str:
    if not scenery.runs and not scenery.outputs:
        return "I find no run of that name which you can see. Whose output do you mean?"
    if not scenery.outputs:
        return f"{scenery.runs[0].name} has made nothing that you can see."
    made_by = f", from {scenery.runs[0].name}" if scenery.runs else ""
    return f"Here is {_names(scenery.outputs)}{made_by}."


_SAVED = "It is saved when it is ready, and you can still look at its steps and change them before it runs."


def _design(scenery: Scenery) -> str:
    if scenery.entrypoint is Entrypoint.adapt_task_template:
        name = scenery.target.name if scenery.target else "the template"
        after = "You see every step before anything is saved." if scenery.confirms_save else _SAVED
        return f"I'll ask Task Agent to adapt {name}. {after}"
    after = "You can look at its steps and change them before it runs." if scenery.confirms_save else _SAVED
    return f"I'll ask Task Agent to draft this as a saved task. {after}"


def _review(scenery: Scenery) -> str:
    if scenery.prompt and not scenery.can(Entrypoint.test_prompt_variants):
        return "I can improve the prompt here."
    if scenery.prompt:
        return "I can improve the prompt here, or have variants of it tested and scored as a tracked run."
    if scenery.portfolio:
        return "I'll ask Task Agent to go through your saved tasks and their runs, and to say what is worth changing."
    name = scenery.target.name if scenery.target else "it"
    if scenery.entrypoint is Entrypoint.explain_task_graph:
        return f"Let me go through {name} step by step."
    return f"I'll ask Task Agent to look at {name} and say what it finds."


def _background(scenery: Scenery) -> str:
    if scenery.sure:
        name = scenery.sure.name
        return f"This should run by itself. {name} does that as a saved task, with outputs and alerts in one place."
    return "This should run by itself, so I would set it up as a saved task that you can inspect, change or stop."


def _ask(scenery: Scenery) -> str:
    if scenery.lacks_input and scenery.target:
        return f"{scenery.target.name} works on {_plain(scenery.needs)}. Where do I find that?"
    if len(targets := scenery.runs or scenery.choices) > 1:
        return f"Which one do you mean: {_names(targets)}?"
    return "Which saved task or run do you mean?"


def _lists(scenery: Scenery) -> str | None:
    """An action is silent, but that somebody wants to see their tasks."""
    return "Let me show you your saved tasks." if scenery.level is Level.explicit else None


def _silent(_scenery: Scenery) -> str | None:
    return None


_SENTENCES = {
    Mode.direct_chat: _chat,
    Mode.direct_tool_or_procedure: _lists,
    Mode.openclaw_background_subagent: _silent,
    Mode.ec_scheduled_job: _silent,
    Mode.run_existing_saved_task: _run,
    Mode.suggest_existing_saved_task: _suggest,
    Mode.invoke_task_agent_for_design: _design,
    Mode.invoke_task_agent_for_review: _review,
    Mode.inspect_saved_task_run: _inspect,
    Mode.retrieve_saved_task_output: _retrieve,
    Mode.background_or_recurring_saved_task: _background,
    Mode.ask_clarifying_question: _ask,
}


def _start(scenery: Scenery, one: MeantRecord, label: str) -> TaskChip:
    """The user takes it, and that is kept. Whoever runs tasks starts it then, and reports the run."""
    matched = scenery.templates[:SHOWN] if one.kind == "Task" else (one,)
    taken = {"resultingTask": {"id": one.id}} if one.kind == "Task" else {}
    told = {
        "userRequestRef": scenery.request_ref,
        "contextClass": scenery.context_class,
        "selectedMode": scenery.mode.value,
        "taskOpportunityLevel": scenery.level.value,
        "userVisibleTaskSuggestionShown": True,
        "userResponse": "accepted",
        "matchedTaskTemplates": [{"id": each.id} for each in matched],
        **taken,
    }
    return TaskChip(label, "recordInvocation", {"input": told}, record_id=one.id)


def _agent(scenery: Scenery, entrypoint: Entrypoint, label: str) -> TaskChip:
    request = {"text": scenery.text, "entrypoint": entrypoint.value, "requestRef": scenery.request_ref}
    return TaskChip(label, "agentContextPack", {"request": request}, entrypoint)


def _look(one: MeantRecord, label: str) -> TaskChip:
    return TaskChip(label, "node", {"id": one.id}, record_id=one.id)


def _direct(scenery: Scenery) -> TaskChip:
    response = {
        "userRequestRef": scenery.request_ref,
        "contextClassKey": scenery.context_class,
        "suggestionKind": "task_suggested",
        "userResponse": "asked_direct_answer_instead",
    }
    return TaskChip("Just answer here", "recordSuggestionFeedback", {"input": response})


def _chat_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.templates:
        yield _start(scenery, scenery.templates[0], f"Use {scenery.templates[0].name}")
        yield _look(scenery.templates[0], "View matching template")
    else:
        yield _agent(scenery, Entrypoint.design_task, "Ask Task Agent to set this up")


def _suggest_chips(scenery: Scenery) -> Iterator[TaskChip]:
    for one in scenery.fitting[:SHOWN]:
        yield _start(scenery, one, f"Use {one.name}")
    yield _agent(scenery, Entrypoint.adapt_task_template, "Customize first")
    yield _direct(scenery)


def _run_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.target:
        yield _start(scenery, scenery.target, f"Run {scenery.target.name}")
        yield _look(scenery.target, "View task")


def _inspect_chips(scenery: Scenery) -> Iterator[TaskChip]:
    for one in scenery.runs[:1]:
        yield _questions(one, Entrypoint.inspect_task_run)
        yield TaskChip("Open run", "run", {"id": one.id}, record_id=one.id)
    if not scenery.runs:
        yield TaskChip("Show my runs", "taskHistory", {})


def _retrieve_chips(scenery: Scenery) -> Iterator[TaskChip]:
    for one in scenery.outputs[:SHOWN]:
        yield _look(one, f"Open {one.name}")
    for one in scenery.runs[:1]:
        yield _questions(one, Entrypoint.retrieve_task_output)


def _questions(run: MeantRecord, entrypoint: Entrypoint) -> TaskChip:
    label = ENTRYPOINTS[entrypoint].user_facing_label
    return TaskChip(label, "runQuestions", {"run": {"id": run.id}}, entrypoint, run.id)


def _design_chips(scenery: Scenery) -> Iterator[TaskChip]:
    entrypoint = scenery.entrypoint or Entrypoint.design_task
    yield _agent(
        scenery, entrypoint, "Adapt template" if entrypoint is Entrypoint.adapt_task_template else "Design task"
    )
    yield TaskChip("Look for something to reuse", "reuseSearch", {"request": {"text": scenery.text}})


def _review_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.prompt:
        yield _agent(scenery, Entrypoint.improve_task_prompt, "Improve prompt")
        yield _agent(scenery, Entrypoint.test_prompt_variants, "Test prompt variants")
    elif scenery.portfolio:
        yield _agent(scenery, Entrypoint.assess_task_portfolio, "Review my tasks")
    else:
        entrypoint = scenery.entrypoint or Entrypoint.review_existing_task
        yield _agent(scenery, entrypoint, ENTRYPOINTS[entrypoint].user_facing_label)
        if scenery.target:
            yield _look(scenery.target, "View task")


def _background_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.sure:
        yield _look(scenery.sure, "View task" if scenery.tasks else "View matching template")
        yield _agent(scenery, Entrypoint.adapt_task_template, "Edit steps")
    else:
        yield _agent(scenery, Entrypoint.design_task, "Ask Task Agent to set this up")
    yield _direct(scenery)


def _ask_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.runs:
        yield from (TaskChip(f"Open {one.name}", "run", {"id": one.id}, record_id=one.id) for one in scenery.runs)
        return
    for one in scenery.choices[:SHOWN]:
        if scenery.adapts:
            yield _look(one, f"View {one.name}")
        else:
            yield _start(scenery, one, f"Run {one.name}")
    yield TaskChip("Show my tasks", "savedTasks", {})


def _list_chips(scenery: Scenery) -> Iterator[TaskChip]:
    if scenery.level is Level.explicit:
        yield TaskChip("Show my tasks", "savedTasks", {})


def _none(_scenery: Scenery) -> Iterator[TaskChip]:
    yield from ()


_CHIPS = {
    Mode.direct_chat: _chat_chips,
    Mode.direct_tool_or_procedure: _list_chips,
    Mode.openclaw_background_subagent: _none,
    Mode.ec_scheduled_job: _none,
    Mode.run_existing_saved_task: _run_chips,
    Mode.suggest_existing_saved_task: _suggest_chips,
    Mode.invoke_task_agent_for_design: _design_chips,
    Mode.invoke_task_agent_for_review: _review_chips,
    Mode.inspect_saved_task_run: _inspect_chips,
    Mode.retrieve_saved_task_output: _retrieve_chips,
    Mode.background_or_recurring_saved_task: _background_chips,
    Mode.ask_clarifying_question: _ask_chips,
}
