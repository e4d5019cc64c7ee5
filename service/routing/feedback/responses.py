"""How responses to suggestions are read: as a refusal or an acceptance, and as what signal. One table, no graph."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph_schema.routing.words import InvocationSignalKind as Signal
from graph_schema.routing.words import RecommendedUpdate as Update
from graph_schema.routing.words import SuggestionKind as Kind
from graph_schema.routing.words import SuggestionResponse as Said
from graph_schema.routing.words import Verdict


@dataclass(frozen=True, slots=True)
class Reading:
    """`verdict`: how it counts for unasked suggestions of its class. Silence counts as neither, and teaches little."""

    verdict: Verdict | None = None
    signal: Signal | None = None


_YES, _NO = Verdict.acceptance, Verdict.refusal
_NOTHING = Reading()

_COMPLAINTS: Mapping[Said, Reading] = {
    Said.complained_task_was_overused: Reading(_NO, Signal.task_overused),
    Said.complained_task_was_underused: Reading(_YES, Signal.task_underused),
}
_OFFERED: Mapping[Said, Reading] = {
    Said.asked_direct_answer_instead: Reading(_NO, Signal.direct_answer_preferred),
    Said.later_requested_task: Reading(_YES, Signal.task_mode_preferred),
    **_COMPLAINTS,
}
_NOT_OFFERED: Mapping[Said, Reading] = {
    # There was nothing to refuse: that the direct answer was liked says so, and mutes nothing.
    Said.accepted: Reading(None, Signal.direct_answer_preferred),
    Said.asked_direct_answer_instead: Reading(None, Signal.direct_answer_preferred),
    Said.later_requested_task: Reading(_YES, Signal.task_underused),
    **_COMPLAINTS,
}
READINGS: Mapping[Kind, Mapping[Said, Reading]] = {
    Kind.task_suggested: {
        **_OFFERED,
        Said.accepted: Reading(_YES, Signal.task_suggestion_accepted),
        Said.rejected: Reading(_NO, Signal.task_suggestion_rejected),
    },
    Kind.task_chip_shown: {
        **_OFFERED,
        Said.accepted: Reading(_YES, Signal.task_chip_accepted),
        Said.rejected: Reading(_NO, Signal.task_suggestion_rejected),
        Said.ignored: Reading(None, Signal.task_chip_ignored),
    },
    Kind.task_agent_invoked: {
        **_OFFERED,
        Said.accepted: Reading(_YES, Signal.task_agent_consult_helpful),
        Said.rejected: Reading(_NO, Signal.task_agent_consult_unhelpful),
    },
    Kind.task_not_suggested: _NOT_OFFERED,
    Kind.task_agent_not_invoked: _NOT_OFFERED,
}
SHOWN = frozenset({Kind.task_suggested, Kind.task_chip_shown})
"""What the user sees of their own accord, and what is limited to so many a day."""

UPDATES: Mapping[Signal, Update] = {
    Signal.task_suggestion_accepted: Update.task_invocation_directive_update,
    Signal.task_suggestion_rejected: Update.task_invocation_directive_update,
    Signal.task_chip_accepted: Update.task_invocation_directive_update,
    Signal.task_chip_ignored: Update.none,
    Signal.task_overused: Update.task_mode_policy_update,
    Signal.task_underused: Update.task_mode_policy_update,
    Signal.direct_answer_preferred: Update.task_mode_policy_update,
    Signal.task_mode_preferred: Update.task_mode_policy_update,
    Signal.task_used_successfully: Update.none,
    Signal.task_used_unsuccessfully: Update.none,
    Signal.existing_template_missed: Update.template_semantic_card_update,
    Signal.wrong_template_suggested: Update.template_semantic_card_update,
    Signal.task_agent_consult_helpful: Update.none,
    Signal.task_agent_consult_unhelpful: Update.question_policy_update,
}
"""What each signal recommends, where whoever tells it says nothing else."""


def reading(kind: Kind, said: Said) -> Reading:
    return READINGS[kind].get(said, _NOTHING)
