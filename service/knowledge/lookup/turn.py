"""A request's turn: what its lookups share."""

import asyncio
from dataclasses import dataclass, field

from service.knowledge.lookup.budget import Allowance


@dataclass(slots=True)
class Turn:
    """What the lookups of one request share. They come one after another, in the order of the document."""

    allowance: Allowance | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
