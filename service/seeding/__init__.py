"""The sample world: readable data in `seeds/`, loaded through the same commands that everybody uses."""

from service.seeding.load import Loaded
from service.seeding.sample import seed, seed_if_empty
from service.seeding.stories import read_afterwards, read_late_links, read_packets, read_scopes, read_stories
from service.seeding.world import read_world

__all__ = [
    "Loaded",
    "read_afterwards",
    "read_late_links",
    "read_packets",
    "read_scopes",
    "read_stories",
    "read_world",
    "seed",
    "seed_if_empty",
]
