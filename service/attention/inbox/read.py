"""The inbox: what waits for a user, ranked, with reasons. A query: it stores nothing, and interrupts nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.attention.words import AttentionAction, AttentionMoment, InterventionClass
from service import clock
from service.access.viewer import Viewer
from service.attention import cypher as users
from service.attention.deciding.read import user_of
from service.attention.follow import output_of
from service.attention.inbox import cypher
from service.attention.inbox.sources import MOST, InboxSource
from service.attention.inbox.waits import Held, InboxWaits
from service.attention.pipeline.facts import WAITING_ON, Facts, Heard
from service.attention.pipeline.gates import verbosity
from service.attention.pipeline.interventions import CLASS_CODES, INTENSITY, choose, moment_code
from service.attention.pipeline.moments import Moment
from service.attention.pipeline.normalise import Context
from service.attention.pipeline.output import worded
from service.attention.rules.policies import our_rules
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.views import Id, Linked, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionInboxItem:
    """Something that waits for you."""

    source: Annotated[InboxSource, "Where it comes from."]
    moment: Annotated[AttentionMoment, "The moment that it is."]
    moment_code: Annotated[str, "What the specification calls that."]
    intervention_class: Annotated[InterventionClass, "How far it goes."]
    class_code: Annotated[str, "What the specification calls that."]
    action: Annotated[AttentionAction, "What you are asked to do."]
    summary: Annotated[str, "In a sentence."]
    detail: Annotated[str, "As wordy as you like it."]
    reasons: Annotated[tuple[str, ...], "Why it is here."]
    urgency: Annotated[float, "How urgent it is, from 0 to 1."]
    since: Annotated[Time, "Since when it waits."]
    options: Annotated[tuple[str, ...], "What to choose from."]
    rule_id: Annotated[str, "The rule that says it."]
    directive_id: Annotated[Id | None, "Id of the directive by which you are asked about it now, if you are."]
    record_id: Annotated[Id, "Id of what it is about."]
    record: ClassVar = Linked("record_id", "What it is about.")
    directive: ClassVar = Linked("directive_id", "The directive by which you are asked about it.", "AttentionDirective")

    @property
    def rank(self) -> tuple[float, int, str, str]:
        """The most urgent first, then what goes farthest, then what waits longest."""
        return -self.urgency, -INTENSITY[self.intervention_class], self.since, self.record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionInbox:
    """What waits for you, ranked."""

    items: Annotated[tuple[AttentionInboxItem, ...], "The first of them."]
    total_count: Annotated[int, "How many there are."]
    truncated: Annotated[bool, "Whether there are more of a source than were looked at."]


class Inboxes:
    def __init__(self, database: Database, waits: InboxWaits) -> None:
        self._database = database
        self._waits = waits

    async def of(self, viewer: Viewer, sources: Sequence[InboxSource] | None = None, first: int = 20) -> AttentionInbox:
        if not 1 <= first <= MOST:
            raise InputInvalid("first", f"ask for 1 to {MOST}")
        wanted = [*InboxSource] if sources is None else [*dict.fromkeys(sources)]
        now = clock.now()
        facts, context = await self._known(viewer, now)
        items, truncated = await self._directives(viewer, now) if InboxSource.directive in wanted else ([], False)
        held, more = await self._waits.of(viewer, [one for one in wanted if one is not InboxSource.directive])
        told = (_told(one, facts, context) for one in held if one.put is None)
        ranked = sorted([*items, *(one for one in told if one is not None)], key=lambda one: one.rank)
        return AttentionInbox(items=tuple(ranked[:first]), total_count=len(ranked), truncated=truncated or more)

    async def _directives(self, viewer: Viewer, now: str) -> tuple[list[AttentionInboxItem], bool]:
        asking = self._waits.asking(viewer, now)
        rows = await asking.rows(cypher.OPEN_DIRECTIVES, owner=viewer.principal_id, beside=[*WAITING_ON])
        return [_directive(row) for row in rows], len(rows) >= MOST

    async def _known(self, viewer: Viewer, now: str) -> tuple[Facts, Context]:
        row = await self._database.read_one(users.USER_MODEL, owner=viewer.principal_id, audiences=viewer.audiences)
        at = clock.parse(now)
        facts = Facts("", at, (), our_rules(), user=user_of(row["model"] if row else None))
        return facts, Context("", at, (), ended=True)


def _told(held: Held, facts: Facts, context: Context) -> AttentionInboxItem | None:
    """What the rules say of it, as they would of an event."""
    waiting, where = held.waiting, held.waiting.component
    event = Heard(waiting.record_id, waiting.record_id, waiting.type, facts.at, where, waiting.payload)
    rule = facts.rules.detection(waiting.moment, where)
    draft = choose(facts, context, Moment(waiting.moment, rule.rule_id, where, waiting.record_id, (event,)))
    if draft is None:
        return None
    return AttentionInboxItem(
        source=held.source,
        moment=waiting.moment,
        moment_code=moment_code(waiting.moment),
        intervention_class=draft.intervention_class,
        class_code=CLASS_CODES[draft.intervention_class],
        action=draft.action,
        summary=draft.summary,
        detail=worded(draft, verbosity(facts.user, facts.rules.gates)),
        reasons=waiting.reasons,
        urgency=draft.urgency,
        since=waiting.since,
        options=draft.options,
        rule_id=draft.rule_id,
        directive_id=held.directive_id,
        record_id=waiting.record_id,
    )


def _directive(row: Mapping[str, Any]) -> AttentionInboxItem:
    output = output_of(row)
    return AttentionInboxItem(
        source=InboxSource.directive,
        moment=output.moment,
        moment_code=moment_code(output.moment),
        intervention_class=output.intervention_class,
        class_code=output.class_code,
        action=output.action,
        summary=output.summary,
        detail=output.detail,
        reasons=(f"{output.component} asked for attention, and you have not answered.",),
        urgency=output.urgency,
        since=row["raised_at"],
        options=output.options,
        rule_id=output.rule_id,
        directive_id=row["id"],
        record_id=row["id"],
    )
