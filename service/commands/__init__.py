"""Commands: the only way to change the graph. One transaction each, with exactly-once effect and an event."""

from service.commands.engine import Commands, Outcome, Request
from service.commands.refs import RecordRef, check_activation, meaning
from service.commands.work import State, Work

__all__ = ["Commands", "Outcome", "RecordRef", "Request", "State", "Work", "check_activation", "meaning"]
