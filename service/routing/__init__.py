"""Routing: when a request becomes a saved task, and when to stay out of the way."""

from service.capability import CommandAt

COMMANDS = (
    CommandAt("route", "service.routing.cli", "Decide what a request becomes, and say why."),
    CommandAt("evaluate", "service.routing.evaluation.cli", "Judge routing on labelled requests."),
)
