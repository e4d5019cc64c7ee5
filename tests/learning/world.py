"""What tests of learning share: signals, proposals, and how they are refused."""

from collections.abc import Awaitable
from typing import Any

import pytest

from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import SignalType
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.errors import TaskloreError
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.replay.commands import Replays
from service.learning.signals.answers import SignalReport, told
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal
from tests.routing.office import Office


def added(field: str, *values: str) -> tuple[ProposalStep, ...]:
    return (ProposalStep(operation=Operation.add_to_list, field=field, value=[*values]),)


async def propose(
    office: Office,
    target: str,
    steps: tuple[ProposalStep, ...],
    *,
    kind: ProposalKind = ProposalKind.template_semantic_card_update,
    viewer: Viewer | None = None,
    **more: Any,
) -> str:
    given = ProposalInput(proposal_kind=kind, target=RecordRef(id=target), steps=steps, rationale="Seen often.", **more)
    outcome = await office.services[Proposals].propose(viewer or await office.viewer(), given)
    return outcome.result["id"]


async def replayed(office: Office, proposal: str, viewer: Viewer | None = None) -> str:
    outcome = await office.services[Replays].replay(viewer or await office.viewer(), proposal)
    return outcome.result["id"]


async def refused(call: Awaitable[Any]) -> TaskloreError:
    with pytest.raises(TaskloreError) as found:
        await call
    return found.value


def acted(signal_id: str, action: str = "opened", **more: Any) -> LearningSignal:
    told: dict[str, Any] = {"signal_type": SignalType.user_action, "payload": {"action": action}, **more}
    return LearningSignal(source="tests", signal_id=signal_id, **told)


async def report(office: Office, *signals: LearningSignal, viewer: Viewer | None = None) -> SignalReport:
    outcome = await office.services[LearningSignals].report(viewer or await office.viewer(), signals)
    return told(outcome.result)
