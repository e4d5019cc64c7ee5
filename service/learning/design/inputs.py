"""What callers say in a design session."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.learning.design_words import DesignOutcome, DesignSlot, QuestionVerdict
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.matching.request import LONGEST
from service.views import Id, OrNull

MOST_ABOUT = 50
MOST_AT_ONCE = 50
"""Of each kind of thing that an update brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotValue:
    """What is known of one slot. Nothing is an answer, too: no value says that there is none."""

    slot: Annotated[DesignSlot, "What it is about."]
    values: Annotated[OrNull[tuple[str, ...]], "What was said, each in a few words; one of the words of a choice."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignRequest:
    """What somebody wants designed, and what the caller knows beside."""

    text: Annotated[str, f"What the user said, up to {LONGEST:,} characters. It is data, no order."]
    user_request_ref: Annotated[str | None, "Where the request is kept, as you call it."] = None
    decision: Annotated[RecordRef | None, "The kept ModeDecision that led here."] = None
    adapts: Annotated[RecordRef | None, "A Template that is to be adapted."] = None
    blank: Annotated[bool, "Whether a blank task was asked for. A strong match is told all the same."] = False
    about: Annotated[
        OrNull[tuple[RecordRef, ...]],
        f"Matters, entities and goals that the work is about, up to {MOST_ABOUT}, beside those that the text names.",
    ] = ()
    known: Annotated[OrNull[tuple[SlotValue, ...]], "What is known already."] = ()
    capabilities: Annotated[OrNull[tuple[str, ...]], "Capabilities on hand, by name; none given means unknown."] = ()
    denied_capabilities: Annotated[OrNull[tuple[str, ...]], "Capabilities that must not be used, by name."] = ()
    domain: Annotated[str | None, "Field of work, if that is known."] = None
    context_class: Annotated[str | None, "The class of context, if you have one of your own."] = None
    data_class: Annotated[DataClass | None, "How sensitive it is, beside what it inherits."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside those that it inherits."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()

    def refs(self) -> list[tuple[str, RecordRef, tuple[str, ...]]]:
        """All that is named: by which field, how, and as what."""
        named = [("about", one, ("Entity", "Goal")) for one in self.about]
        single = (("decision", self.decision, ("ModeDecision",)), ("adapts", self.adapts, ("Template",)))
        return [*named, *((field, ref, kinds) for field, ref, kinds in single if ref is not None)]

    def check(self) -> None:
        if not self.text.strip():
            raise InputInvalid("text", "say what is wanted")
        if len(self.text) > LONGEST:
            raise InputInvalid("text", f"has {len(self.text):,} characters; at most {LONGEST:,} are read")
        if len(self.about) > MOST_ABOUT:
            raise InputInvalid("about", f"name at most {MOST_ABOUT}")
        if self.blank and self.adapts is not None:
            raise InputInvalid("adapts", "a blank task adapts no template")
        for field, ref, kinds in self.refs():
            ref.check(field, *kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question that the user was asked."""

    slot: Annotated[DesignSlot, "What it is about."]
    text: Annotated[str, "How it was asked."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotAnswer:
    """What the user answered, or said unasked."""

    slot: Annotated[DesignSlot, "What it is about."]
    values: Annotated[
        OrNull[tuple[str, ...]], "What they said, each in a few words; none says that there is none."
    ] = ()
    question: Annotated[Id | None, "Id of the question; without one, the open question about the slot, if any."] = None
    verdict: Annotated[QuestionVerdict | None, "What they made of the question."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFeedback:
    """What the user made of a question, without an answer."""

    question: Annotated[Id, "Id of the question."]
    verdict: Annotated[QuestionVerdict, "What they made of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionVerdict:
    """What the user made of something that was suggested: a record that was considered, or something in words."""

    accepted: Annotated[bool, "Whether they took it."]
    record: Annotated[RecordRef | None, "The record that was suggested."] = None
    text: Annotated[str | None, "What was suggested, in words."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignUpdate:
    """What happened in a design session since."""

    questions: Annotated[OrNull[tuple[AskedQuestion, ...]], "Questions that the user was asked."] = ()
    answers: Annotated[OrNull[tuple[SlotAnswer, ...]], "What they answered, or said unasked."] = ()
    question_feedback: Annotated[OrNull[tuple[QuestionFeedback, ...]], "What they made of questions."] = ()
    said: Annotated[
        OrNull[tuple[str, ...]],
        "What they said about how they like tasks designed, in their words. Statements in it are kept as candidates.",
    ] = ()
    suggestions: Annotated[OrNull[tuple[SuggestionVerdict, ...]], "What they took or refused."] = ()
    looked_up: Annotated[OrNull[tuple[RecordRef, ...]], "Records that were looked up for the design."] = ()
    rationale: Annotated[str | None, "Why the proposal that comes with this is as it is."] = None
    preflight_report_ref: Annotated[str | None, "Where a report of the proposal's preflight is kept."] = None
    saved: Annotated[
        RecordRef | None,
        "The Task or Template that came of it: the session ends. Whether it was edited is computed from its graph.",
    ] = None
    outcome: Annotated[
        DesignOutcome | None, "How it ended, where nothing was saved: abandoned, restarted or rejected."
    ] = None
    outcome_reason: Annotated[str | None, "Why it ended so."] = None
    evidence_ref: Annotated[str | None, "Where further evidence of the user's edits is kept."] = None

    def refs(self) -> list[tuple[str, RecordRef]]:
        named = [("looked_up", one) for one in self.looked_up]
        named += [("suggestions", one.record) for one in self.suggestions if one.record is not None]
        return [*named, *([("saved", self.saved)] if self.saved is not None else [])]

    def check(self) -> None:
        for name in ("questions", "answers", "question_feedback", "said", "suggestions", "looked_up"):
            if len(getattr(self, name)) > MOST_AT_ONCE:
                raise InputInvalid(name, f"at most {MOST_AT_ONCE} at once")
        for one in self.suggestions:
            if (one.record is None) == (one.text is None):
                raise InputInvalid("suggestions", "name the record or say it in words, one of the two")
        if self.saved is not None and self.outcome not in (None, *_SAVED):
            raise InputInvalid("outcome", f"something was saved, so it did not end as {self.outcome}")
        if self.saved is None and self.outcome in _SAVED:
            raise InputInvalid("saved", f"name the task or template; whether it was {self.outcome} is computed")
        for name, ref in self.refs():
            ref.check(name, *(("Task", "Template") if name == "saved" else ()))


_SAVED = (DesignOutcome.saved_as_is, DesignOutcome.saved_with_user_edits)
