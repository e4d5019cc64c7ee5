"""Stretches of work in the sample world: what was heard in them, how far agents were let go, and what was decided."""

from collections.abc import Awaitable, Callable

from graph_schema.attention.words import OperatingMode
from service.access.viewer import Viewer
from service.attention.answers import AttentionAnswers
from service.attention.deciding.commands import Attention
from service.attention.reporting.answers import AgentEventAnswer
from service.attention.reporting.commands import AgentEvents
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.seeding.world import SOURCE, SampleAttention


class Attending:
    """Tells what was heard, and decides; told again, it changes nothing."""

    def __init__(
        self,
        services: Services,
        viewer_now: Callable[[], Awaitable[Viewer]],
        named: Callable[..., str],
    ) -> None:
        self._services = services
        self._viewer_now = viewer_now
        self._named = named

    async def hear(self, one: SampleAttention) -> list[AgentEventAnswer]:
        session = {"source": SOURCE, "key": one.session}
        events = [{"session": session, **event} for event in one.events]
        return await self._services[AgentEvents].report(await self._viewer_now(), events)

    async def decide(self, one: SampleAttention) -> list[Outcome]:
        found = [await self._let(surface, mode) for surface, mode in one.modes.items()]
        session = RecordRef(kind="AttentionSession", source=SOURCE, key=one.session)
        for at in one.decide:
            command = self._named("attention", one.session, at)
            attention = self._services[Attention]
            found.append(await attention.decide(await self._viewer_now(), session, at, command_id=command))
        return found

    async def _let(self, surface: str, mode: OperatingMode) -> Outcome:
        answers, command = self._services[AttentionAnswers], self._named("mode", surface, mode)
        return await answers.set_mode(await self._viewer_now(), surface, mode, None, command_id=command)
