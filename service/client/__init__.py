"""A small typed client of the service, for code that reports runs and asks about them. It imports nothing else of ours.

from tasklore_client import Tasklore

with Tasklore() as tasklore, tasklore.run("weekly-digest") as run, run.step("collect") as step:
    step.made("digest", "Digest", storage_ref="file:///runs/digest.md")
"""

from service.client.answers import Candidate, Event, EventAnswer, Lineage, Match, Notice, Packet, Scope
from service.client.asks import Ask, asked, maybe, reference
from service.client.clients import AsyncRun, AsyncTasklore, Run, Tasklore
from service.client.errors import ClientError, KeyMissing, NotAReference, Refused, Rejected, Unreachable
from service.client.runs import STANDARD, Step

__all__ = [
    "STANDARD",
    "Ask",
    "AsyncRun",
    "AsyncTasklore",
    "Candidate",
    "ClientError",
    "Event",
    "EventAnswer",
    "KeyMissing",
    "Lineage",
    "Match",
    "NotAReference",
    "Notice",
    "Packet",
    "Refused",
    "Rejected",
    "Run",
    "Scope",
    "Step",
    "Tasklore",
    "Unreachable",
    "asked",
    "maybe",
    "reference",
]
