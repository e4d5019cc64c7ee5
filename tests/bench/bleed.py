"""Does one matter bleed into another? 1,000 packets over thirty matters that are easy to confuse, through the real API.

The matters have similar names and aliases, share their people, mention each other, hold documents of the same titles
and have a chat open each. Runs say what they are about as executors do: a docket in an email's subject, the matter's
name there, attachments, or what a user selected; half of them do not say to which matter they belong. Each leaves an
output, some before anybody knows what they are about; what earlier runs of the matter and what they made may be given,
and nothing of those of another.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson

from tests.bench.client import Client, body_of
from tests.bench.report import Report
from tests.bench.setting import Setting

RUNS = 1_000
MODULE = "evaluate"
_FIRMS = (
    *("Financial", "Global", "Capital", "Futures", "Clearing", "Metals", "Energy", "Credit"),
    *("Holdings", "Prime", "Markets", "Securities", "Trading", "Partners", "Advisors"),
)
_SIDES = ("Holt", "Holte")
_TITLES = ("Complaint", "Answer", "Exhibit A", "Exhibit B", "Deposition of R. Lane")
SAVE = """mutation ($input: %sInput!, $id: String) { save%s(input: $input, commandId: $id) { recordId } }"""
LINK = """mutation ($tail: RecordRefInput!, $type: String!, $head: RecordRefInput!) {
  linkRecords(tail: $tail, type: $type, head: $head) { commandId } }"""
REPORT = (
    """mutation ($events: [RunEventInput!]!) { reportRunEvents(events: $events) { answers { outcome code runId } } }"""
)
MADE = """query ($key: String) { artifacts(filter: {sourceKey: {eq: $key}}) { nodes { id } } }"""
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
        "Preference", name="Issue matrix", statement="Use an issue matrix.", taskTypes=["complaint_evaluation"]
    )
    for one, other in pairwise(matters):
        await desk.link(one.documents[0], "MENTIONS", other.id)
    owners = _owners(matters)
    wrong = found = wanted = earlier = 0
    for number in range(RUNS):
        expected, items, made = await desk.run(number, matters, shared)
        given = {one["id"] for one in items}
        owners |= dict.fromkeys(made, expected.matter.id)
        earlier += sum(1 for one in items if one["recordKind"] in {"Run", "Artifact"})
        wrong += sum(1 for one in given if owners.get(one, expected.matter.id) != expected.matter.id)
        found += len(given & expected.ids)
        wanted += len(expected.ids)
    report.add(
        "bleed: items of a wrong matter", wrong, "items", bar=0, note=f"{RUNS:,} packets over {len(matters)} matters"
    )
    report.add(
        "bleed: what belongs in is in",
        found / wanted,
        "of all",
        bar=0.98,
        at_least=True,
        note=f"{found:,} of {wanted:,}",
    )
    report.add("bleed: earlier runs and their outputs, all of the right matter", earlier, "items", bar=1, at_least=True)


def _owners(matters: list[Matter]) -> dict[str, str]:
    """To which matter a record belongs, for all that belong to one."""
    return {owned: one.id for one in matters for owned in (one.id, one.library, *one.documents, *one.memories)}


class _Desk:
    """Somebody who uses the API."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._minutes = 0

    async def matter(self, number: int) -> Matter:
        """One of thirty that are easy to confuse, with a chat about it that is open all the time."""
        name = f"Marex {_FIRMS[number % len(_FIRMS)]} v. {_SIDES[number // len(_FIRMS)]}"
        docket = f"1:26-cv-{4410 + number:05d}"
        matter = await self.save(
            "Entity", name=name, kind="matter", keys=[docket], aliases=[f"Marex v. {_SIDES[number // len(_FIRMS)]}"]
        )
        owned = {"matterIds": [matter]}
        documents = [await self.save("Entity", name=one, kind="document", **owned) for one in _TITLES]
        memories = [
            await self.save("Memory", name=f"{topic} of {name}", statement=f"{topic} in this complaint.", **owned)
            for topic in ("The judge's habits", "What the client wants")
        ]
        library = await self.save("Entity", name=f"{name}: research", kind="library", **owned)
        chat = await self.save("SurfaceContext", name=f"Chat about {name}", surfaceKind="chat", **owned)
        await self.link(chat, "SHOWS", matter)
        await self.link(chat, "SHOWS", library)
        return Matter(matter, name, docket, tuple(documents), tuple(memories), library)

    async def run(
        self, number: int, matters: list[Matter], shared: str
    ) -> tuple[Expected, list[dict[str, Any]], list[str]]:
        matter = matters[number % len(matters)]
        key = f"bleed-{number}"
        own = [matter.id] if number % 2 else []
        made = await self._started(key, own)
        if number % 3 == 0:
            made += await self._output(key, own)  # before anybody knows what it is about
        scope, bound = _evidence(number, matter)
        ref = {"kind": "Run", "source": "bench", "key": key}
        await self._ask(SCOPE, {"input": {"run": ref, "taskType": "complaint_evaluation", **scope}})
        asked = {
            "run": ref,
            "moduleKey": MODULE,
            "config": {"instruction": "Evaluate the complaint against the exhibits and the deposition of R. Lane."},
            "maxTokens": 100_000,
        }
        data = await self._ask(PACKET, {"input": asked})
        ids = frozenset({matter.id, shared, *matter.memories, *bound})
        if number % 3:
            made += await self._output(key, own)
        await self._told(key, own, {"kind": "run_completed"})
        return Expected(matter, ids), data["assembleContextPacket"]["packet"]["items"], made

    async def save(self, label: str, **values: Any) -> str:
        data = await self._ask(SAVE % (label, label), {"input": values})
        return data[f"save{label}"]["recordId"]

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self._ask(LINK, {"tail": {"id": tail}, "type": kind, "head": {"id": head}})

    async def _started(self, key: str, matter_ids: list[str]) -> list[str]:
        step = {"moduleKey": MODULE, "activationSeq": 1}
        return await self._told(
            key,
            matter_ids,
            {"kind": "run_started", "taskKey": "evaluate-complaint", "taskName": "Evaluate complaint"},
            {"kind": "activation_started", **step, "moduleType": "step.agent_task"},
        )

    async def _output(self, key: str, matter_ids: list[str]) -> list[str]:
        made = {"artifactKey": f"{key}-memo", "artifactKind": "document", "outputClass": "final_output"}
        step = {"moduleKey": MODULE, "activationSeq": 1}
        produced = {"kind": "artifact_produced", **made, **step, "name": f"Evaluation {key}", "summary": "Evaluated."}
        await self._told(key, matter_ids, produced)
        data = await self._ask(MADE, {"key": f"{key}-memo"})
        return [one["id"] for one in data["artifacts"]["nodes"]]

    async def _told(self, key: str, matter_ids: list[str], *events: dict[str, Any]) -> list[str]:
        policy = {"memoryMode": "standard", "dataClass": "internal", "matterIds": matter_ids}
        self._minutes += 1
        at = f"2026-01-{1 + self._minutes // 1440:02d}T{self._minutes // 60 % 24:02d}:{self._minutes % 60:02d}:00.000Z"
        told = [
            {
                "eventId": f"{key}-{one['kind']}",
                "occurredAt": at,
                "run": {"source": "bench", "key": key},
                "policy": policy,
            }
            | one
            for one in events
        ]
        data = await self._ask(REPORT, {"events": told})
        assert not [one for one in data["reportRunEvents"]["answers"] if one["code"]], data
        return list({one["runId"] for one in data["reportRunEvents"]["answers"]})

    async def _ask(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        answer = orjson.loads(await self._client.ask(body_of(query, variables)))
        assert "errors" not in answer, answer
        return answer["data"]


def _evidence(number: int, matter: Matter) -> tuple[dict[str, Any], list[str]]:
    """How this run says what it is about, and the documents that come with it."""
    documents = [matter.documents[number % 5], matter.documents[(number + 2) % 5]]
    refs = [{"id": one} for one in documents]
    if number % 4 == 3:
        return {"launchSurface": "task_ui", "select": [{"id": matter.id}, *refs]}, documents
    subject = f"New filing in {matter.docket}" if number % 4 == 0 else f"New filing: {matter.name}"
    email = {
        "account": "Firm Outlook",
        "messageId": f"<bleed-{number}@example.com>",
        "subject": subject,
        "sender": "lane@example.com",
        "attachments": refs,
    }
    return {"launchSurface": "email_trigger", "trigger": {"kind": "email", "email": email}}, documents
