"""What sharing brings to the running service."""

from starlette.routing import BaseRoute

from service.access.turns import Turns
from service.capability import Factories, Services
from service.records import Hooks
from service.sharing.beside import BesideShares
from service.sharing.commands import Shares
from service.sharing.events import note_applied
from service.sharing.http import share_routes
from service.sharing.opening import SharedDoor

SERVICES: Factories = {
    Shares: lambda on: Shares(on.ground.commands, on.ground.database),
    SharedDoor: lambda on: SharedDoor(on.ground.commands, on.ground.database, on.ground.registry),
    BesideShares: lambda on: BesideShares(on[SharedDoor], on.ground.hooks),
}
HOOKS = Hooks(after_save=(note_applied,))


def routes(services: Services, turns: Turns) -> list[BaseRoute]:
    del turns  # links have a limit of their own
    return share_routes(services[SharedDoor])
