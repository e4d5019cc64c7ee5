"""Routing: when a request becomes a saved task, and when to stay out of the way."""

from service.capability import CommandAt

COMMANDS = (CommandAt("evaluate", "service.routing.evaluation.cli", "Judge routing on labelled requests."),)
