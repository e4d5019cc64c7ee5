"""What every command finds in its context."""

from dataclasses import dataclass

from service.settings import Settings


@dataclass(frozen=True)
class State:
    settings: Settings
    json: bool = False
    debug: bool = False
