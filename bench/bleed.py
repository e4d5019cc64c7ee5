"""Does one matter bleed into another? 200 runs over ten matters that are easy to confuse, through the real API.

The matters have similar names, share their people, hold documents of the same titles and have a chat open each. Runs
say what they are about as executors do: a docket number in an email's subject, the matter's name there, attachments, or
what a user selected; half of them do not say to which matter they belong.
"""

from dataclasses import dataclass
from typing import Any

import orjson

from bench.client import Client, body_of
from bench.report import Report
from bench.setting import Setting

RUNS = 200
MODULE = "evaluate"
_FIRMS = ("Financial", "Global", "Capital", "Futures", "Clearing")
_SIDES = ("Holt", "Holte")
_TITLES = ("Complaint", "Answer", "Exhibit A", "Exhibit B", "Deposition of R. Lane")
SAVE = """mutation ($input: %sInput!, $id: String) { save%s(input: $input, commandId: $id) { recordId } }"""
LINK = """mutation ($tail: RecordRefInput!, $type: String!, $head: RecordRefInput!) {
  linkRecords(tail: $tail, type: $type, head: $head) { commandId } }"""
REPORT = """mutation ($events: [RunEventInput!]!) { reportRunEvents(events: $events) { answers { outcome code } } }"""
SCOPE = """mutation ($input: RunScopeInput!) { openRunScope(input: $input) { recordId } }"""
PACKET = """mutation ($input: ContextPacketInput!) { assembleContextPacket(input: $input) { packet {
  items { id name recordKind layer } } } }"""


@dataclass(frozen=True)
class Matter:
    id: str
    name: str
    docket: str
    documents: tuple[str, ...]
    memories: tuple[str, ...]
    library: str


@dataclass(frozen=True)
class Expected:
    """What belongs in a run's packet, and to which matter the run belongs."""

    matter: Matter
    ids: frozenset[str]


async def measure(setting: Setting, report: Report) -> None:
    desk = _Desk(await Client.connect(setting.port, setting.key))
    matters = [await desk.matter(number) for number in range(len(_FIRMS) * len(_SIDES))]
    lane = await desk.save("Entity", name="R. Lane", kind="person", keys=["lane@example.com"])
    for one in matters:
        await desk.link(lane, "INVOLVED_IN", one.id)
    shared = await desk.save(
        "Preference", name="Issue matrix", statement="Use an issue matrix.", task_types=["complaint_evaluation"]
    )
    owners = _owners(matters)
    wrong = found = wanted = 0
    for number in range(RUNS):
        expected, items = await desk.run(number, matters, shared)
        given = {one["id"] for one in items}
        wrong += sum(1 for one in given if owners.get(one, expected.matter.id) != expected.matter.id)
        found += len(given & expected.ids)
        wanted += len(expected.ids)
    report.add("bleed: items of a wrong matter", wrong, "items", bar=0, note=f"{RUNS} runs over {len(matters)} matters")
    report.add(
        "bleed: what belongs in is in", found / wanted, "of all", bar=0.95, at_least=True, note=f"{found} of {wanted}"
    )


def _owners(matters: list[Matter]) -> dict[str, str]:
    """To which matter a record belongs, for all that belong to one."""
    return {owned: one.id for one in matters for owned in (one.id, one.library, *one.documents, *one.memories)}


class _Desk:
    """Somebody who uses the API."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def matter(self, number: int) -> Matter:
        """One of ten that are easy to confuse, with a chat about it that is open all the time."""
        name = f"Marex {_FIRMS[number % len(_FIRMS)]} v. {_SIDES[number // len(_FIRMS)]}"
        docket = f"1:26-cv-{4410 + number:05d}"
        matter = await self.save("Entity", name=name, kind="matter", keys=[docket])
        owned = {"matter_ids": [matter]}
        documents = [await self.save("Entity", name=one, kind="document", **owned) for one in _TITLES]
        memories = [
            await self.save("Memory", name=f"{topic} of {name}", statement=f"{topic} in this complaint.", **owned)
            for topic in ("The judge's habits", "What the client wants")
        ]
        library = await self.save("Entity", name=f"{name}: research", kind="library", **owned)
        chat = await self.save("SurfaceContext", name=f"Chat about {name}", surface_kind="chat", **owned)
        await self.link(chat, "SHOWS", matter)
        await self.link(chat, "SHOWS", library)
        return Matter(matter, name, docket, tuple(documents), tuple(memories), library)

    async def run(self, number: int, matters: list[Matter], shared: str) -> tuple[Expected, list[dict[str, Any]]]:
        matter = matters[number % len(matters)]
        key = f"bleed-{number}"
        own = [matter.id] if number % 2 else []
        await self._started(key, own)
        scope, bound = _evidence(number, matter)
        ref = {"kind": "Run", "source": "bench", "key": key}
        await self._ask(SCOPE, {"input": {"run": ref, "task_type": "complaint_evaluation", **scope}})
        asked = {
            "run": ref,
            "module_key": MODULE,
            "config": {"instruction": "Evaluate the complaint against the exhibits and the deposition of R. Lane."},
            "max_tokens": 100_000,
        }
        data = await self._ask(PACKET, {"input": asked})
        ids = frozenset({matter.id, shared, *matter.memories, *bound})
        return Expected(matter, ids), data["assembleContextPacket"]["packet"]["items"]

    async def save(self, label: str, **values: Any) -> str:
        data = await self._ask(SAVE % (label, label), {"input": values})
        return data[f"save{label}"]["record_id"]

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self._ask(LINK, {"tail": {"id": tail}, "type": kind, "head": {"id": head}})

    async def _started(self, key: str, matter_ids: list[str]) -> None:
        policy = {"memory_mode": "standard", "data_class": "internal", "matter_ids": matter_ids}
        run = {"source": "bench", "key": key}
        events = [
            {"kind": "run_started", "task_key": "evaluate-complaint", "task_name": "Evaluate complaint"},
            {
                "kind": "activation_started",
                "module_key": MODULE,
                "activation_seq": 1,
                "module_type": "step.agent_task",
            },
        ]
        at = "2026-01-01T10:00:00.000Z"
        told = [
            {"event_id": f"{key}-{place}", "occurred_at": at, "run": run, "policy": policy, **one}
            for place, one in enumerate(events)
        ]
        data = await self._ask(REPORT, {"events": told})
        assert not [one for one in data["reportRunEvents"]["answers"] if one["code"]], data

    async def _ask(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        answer = orjson.loads(await self._client.ask(body_of(query, variables)))
        assert "errors" not in answer, answer
        return answer["data"]


def _evidence(number: int, matter: Matter) -> tuple[dict[str, Any], list[str]]:
    """How this run says what it is about, and the documents that come with it."""
    documents = [matter.documents[number % 5], matter.documents[(number + 2) % 5]]
    refs = [{"id": one} for one in documents]
    if number % 4 == 3:
        return {"launch_surface": "task_ui", "select": [{"id": matter.id}, *refs]}, documents
    subject = f"New filing in {matter.docket}" if number % 4 == 0 else f"New filing: {matter.name}"
    email = {
        "account": "Firm Outlook",
        "message_id": f"<bleed-{number}@example.com>",
        "subject": subject,
        "sender": "lane@example.com",
        "attachments": refs,
    }
    return {"launch_surface": "email_trigger", "trigger": {"kind": "email", "email": email}}, documents
