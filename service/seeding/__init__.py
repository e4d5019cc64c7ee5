"""The sample world: readable data in `seeds/`, loaded through the same commands that everybody uses."""

from service.seeding.load import Loaded, load_world
from service.seeding.world import read_world

__all__ = ["Loaded", "load_world", "read_world"]
