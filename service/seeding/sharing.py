"""Shares of the sample world: made, looked at by whoever has the link, and one of them closed."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from graph_schema.sharing.words import ShareMode, SharePermission, ShareProfile
from service.access.viewer import OPERATOR, Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.principals import read
from service.principals.commands import Principals
from service.seeding.world import SOURCE, SampleShare
from service.sharing.commands import Shares
from service.sharing.errors import ShareGone
from service.sharing.inputs import ShareInput
from service.sharing.opening import Look, Reader, SharedDoor

_OUTSIDE = Reader("192.0.2.1")
"""An address that nobody has."""


class Showing:
    """Shares in the name of a principal without a key. Loaded again, nothing is shared anew."""

    def __init__(
        self,
        services: Services,
        viewer_now: Callable[[], Awaitable[Viewer]],
        ref: Callable[[str], RecordRef],
        named: Callable[..., str],
    ) -> None:
        self._services = services
        self._viewer_now = viewer_now
        self._ref = ref
        self._named = named

    async def show(self, one: SampleShare) -> list[Outcome]:
        viewer = replace(await self._viewer_now(), principal_id=await self._sender())
        given = ShareInput(
            run=RecordRef(kind="Run", source=SOURCE, key=one.run) if one.run else None,
            task=self._ref(one.task) if one.task else None,
            share_mode=ShareMode(one.share_mode),
            permission=SharePermission(one.permission),
            redaction_profile=ShareProfile(one.redaction_profile),
            note=one.note,
        )
        shares = self._services[Shares]
        made = await shares.create(viewer, given, command_id=self._named("share", one.key))
        if made.secret:
            await self._look(made.secret, one.looks)
        if one.closed is None:
            return [made.outcome]
        share = RecordRef(id=made.outcome.result["id"])
        closed = await shares.revoke(viewer, share, one.closed, command_id=self._named("closed", one.key))
        if made.secret:
            await self._look(made.secret, [""] * one.tries)
        return [made.outcome, closed]

    async def _look(self, secret: str, sections: list[str]) -> None:
        for section in sections:
            with suppress(ShareGone):
                await self._services[SharedDoor].open(secret, _OUTSIDE, Look(section or None))

    async def _sender(self) -> str:
        """Whoever shares is somebody: what they lose sight of, their shares lose."""
        ground = self._services.ground
        known = {one["name"]: one["id"] for one in await read.principals(ground.database, OPERATOR)}
        if SOURCE in known:
            return known[SOURCE]
        values = {"name": SOURCE, "clearance": "local_only", "all_matters": True}
        made = await Principals(ground.commands).create_principal(OPERATOR, values)
        return made.result["principal"]["id"]
