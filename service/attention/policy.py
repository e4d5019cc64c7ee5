"""What holds for decisions about attention: modes, moments, classes and rules, as tables."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.attention.words import AttentionAction, AttentionMoment, InterventionClass
from service.attention.pipeline.facts import AttentionLimits
from service.attention.pipeline.interventions import ACTIONS, CLASS_CODES, PROACTIVE, moment_code
from service.attention.pipeline.modes import MODES, ModeRow
from service.attention.rules.policies import our_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentRow:
    """A moment, in the order in which they are taken, and what is done about it."""

    moment: Annotated[AttentionMoment, "The moment."]
    code: Annotated[str, "What the specification calls it."]
    detected_by: Annotated[str, "The rule that finds it."]
    seconds: Annotated[float, "The window that the rule looks at, in seconds; 0 for none."]
    least: Annotated[int, "The number of events that the rule goes by."]
    intervention_class: Annotated[InterventionClass, "How far it goes, unless a rule says otherwise."]
    proactive: Annotated[bool, "Whether it is a suggestion that nobody asked for."]
    policies: Annotated[tuple[str, ...], "Our rules that tell it, the most specific first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """A class of intervention."""

    intervention_class: Annotated[InterventionClass, "The class."]
    code: Annotated[str, "What the specification calls it."]
    action: Annotated[AttentionAction | None, "What the user is asked to do."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionPolicy:
    """What holds for decisions about attention."""

    rules_version: Annotated[str, "Version of the rules that come with us. `attentionRules` lists those of domains."]
    modes: Annotated[tuple[ModeRow, ...], "What an agent must, may and must not do in each mode."]
    moments: Annotated[tuple[MomentRow, ...], "The moments."]
    classes: Annotated[tuple[ClassRow, ...], "The classes of intervention."]
    idle_minutes: Annotated[int, "Minutes without an event after which a session has ended."]
    directives_a_session: Annotated[int, "Directives of one session, at most."]
    first_time_sessions: Annotated[int, "With fewer sessions than this a component is new to a user."]
    directive_hours: Annotated[int, "Hours after which a directive holds no longer."]


def policy_now(limits: AttentionLimits) -> AttentionPolicy:
    rules = our_rules()
    return AttentionPolicy(
        rules_version=rules.version,
        modes=tuple(MODES.values()),
        moments=tuple(_moment(one) for one in AttentionMoment),
        classes=tuple(
            ClassRow(intervention_class=one, code=CLASS_CODES[one], action=ACTIONS.get(one))
            for one in InterventionClass
        ),
        idle_minutes=round(limits.idle.total_seconds() / 60),
        directives_a_session=limits.directives,
        first_time_sessions=limits.first_time_sessions,
        directive_hours=round(limits.life.total_seconds() / 3600),
    )


def _moment(moment: AttentionMoment) -> MomentRow:
    rules = our_rules()
    found = rules.detection(moment, None)
    return MomentRow(
        moment=moment,
        code=moment_code(moment),
        detected_by=found.rule_id,
        seconds=found.seconds,
        least=found.least,
        intervention_class=rules.interventions[moment],
        proactive=moment in PROACTIVE,
        policies=tuple(one.rule_id for one in rules.policies if one.moment is moment),
    )
