"""What is said of a task that is made, and why it was made."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.learning.design_words import CreationMode
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.views import Id, OrNull

MOST_ABOUT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedTaskInput:
    """A task that is made, how and why. With a design session, its latest graph and blueprint become the task's."""

    creation_mode: Annotated[CreationMode, "How it comes about."]
    reason_for_task_mode: Annotated[str, "Why it becomes a saved task, for the user to read."]
    user_visible_description: Annotated[str, "What it does, for the user to read."]
    name: Annotated[str | None, "What people call it. Not with `task`."] = None
    task_type: Annotated[str | None, "What type of task it is; the session's or the template's, unless given."] = None
    task: Annotated[RecordRef | None, "A Task that is there and gets its receipt, instead of a new one."] = None
    run: Annotated[RecordRef | None, "The Run that it was made for."] = None
    session: Annotated[RecordRef | None, "The DesignSession that it comes from."] = None
    decision: Annotated[RecordRef | None, "The kept ModeDecision; the session's, unless given."] = None
    template: Annotated[RecordRef | None, "The Template that it is made from; it gets that graph."] = None
    request_ref: Annotated[str | None, "Where the request is kept; the decision's or session's, unless given."] = None
    request_summary: Annotated[str | None, "What was asked for, in short; the session's, unless given."] = None
    directive: Annotated[RecordRef | None, "An InvocationDirective that similar requests could follow."] = None
    about: Annotated[
        OrNull[tuple[RecordRef, ...]], f"Entities and goals, up to {MOST_ABOUT}; the session's as well."
    ] = ()
    graph_inspector_url: Annotated[str | None, "Where your workspace shows its graph."] = None
    run_inspector_url: Annotated[str | None, "Where your workspace shows its run."] = None
    task_memory_ref: Annotated[str | None, "Where its memory is kept."] = None
    data_class: Annotated[DataClass | None, "How sensitive it is; as the session, unless given."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside the session's."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()

    def refs(self) -> list[tuple[str, RecordRef, tuple[str, ...]]]:
        single = (
            ("run", self.run, ("Run",)),
            ("session", self.session, ("DesignSession",)),
            ("decision", self.decision, ("ModeDecision",)),
            ("template", self.template, ("Template",)),
            ("directive", self.directive, ("InvocationDirective",)),
        )
        about = [("about", one, ("Entity", "Goal")) for one in self.about]
        return [*((name, ref, kinds) for name, ref, kinds in single if ref is not None), *about]

    def check(self) -> None:
        if (self.name is None) == (self.task is None):
            raise InputInvalid("name", "name a new task, or the task that is there, one of the two")
        if len(self.about) > MOST_ABOUT:
            raise InputInvalid("about", f"name at most {MOST_ABOUT}")
        for name in ("reason_for_task_mode", "user_visible_description"):
            if not getattr(self, name).strip():
                raise InputInvalid(name, "say it, for the user to read")
        if self.task is not None:
            self.task.check("task", "Task")
        for name, ref, kinds in self.refs():
            ref.check(name, *kinds)
