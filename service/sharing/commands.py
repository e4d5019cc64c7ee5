"""Sharing something, and taking it back. Each is one command by a person, once, with its events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.model.times import TimeUnreadable, read_time
from graph_schema.sharing.records import MANIFEST_LENGTH
from graph_schema.sharing.words import ShareEventKind, ShareProfile
from service import clock
from service.access.keys import hash_of
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, RecordMissing, TimeInvalid
from service.graph.database import Database
from service.library.commands import content_of
from service.memory.audit.load import Story
from service.sharing import cypher
from service.sharing.errors import (
    DEFERRED,
    RecipientUnknown,
    ShareLocalOnly,
    ShareNeedsAdmin,
    ShareNeedsPerson,
    ShareOfAnother,
    ShareTellsNothing,
    ShareTooLarge,
)
from service.sharing.events import note
from service.sharing.inputs import FILES, ShareInput
from service.sharing.permissions import RULES, asks_for_deferred, check_input, is_full
from service.sharing.profiles import LIVE
from service.sharing.secrets import new_secret
from service.sharing.story import Told, freeze, gather, ids_of, tells_of_its_subject, told_by

LIFE = timedelta(days=30)
LONGEST_LIFE = timedelta(days=366)
MOST_KEPT = 5_000
"""Records that a share may keep as they were."""
MOST_RECIPIENTS = 50
REVOKED = "task.share_capsule.revoked"


@dataclass(frozen=True, slots=True)
class ShareMade:
    """A share and, the first time only, the secret of its link: it is stored nowhere."""

    outcome: Outcome
    secret: str | None


class Shares:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def create(self, viewer: Viewer, given: ShareInput, *, command_id: str | None = None) -> ShareMade:
        check_person(viewer)
        check_input(given)
        if given.redaction_profile is ShareProfile.full_access_warned and KeyScope.admin not in viewer.scopes:
            raise ShareNeedsAdmin
        recipients = await self._recipients(given)
        secret = new_secret()
        reads = [ref for _, ref, _ in given.refs()]
        request = Request("createShare", KeyScope.curate, {"share": content_of(given)}, reads, command_id=command_id)
        outcome = await self._commands.execute(viewer, request, _Create(given, recipients, hash_of(secret)))
        return ShareMade(outcome, None if outcome.replayed else secret)

    async def revoke(
        self, viewer: Viewer, share: RecordRef, reason: str | None = None, *, command_id: str | None = None
    ) -> Outcome:
        """From now on nobody opens it, in any process. Revoked twice, it keeps its first time."""
        check_person(viewer)
        share.check("share", "ShareCapsule")

        async def plan(work: Work) -> dict[str, Any]:
            state = work.existing(share, "share", ["ShareCapsule"])
            if not _is_theirs(state, viewer):
                raise ShareOfAnother
            if "revoked_at" in state.properties:
                return {"id": state.id, "version": state.version}
            told = {"revoked_at": work.at, "revoked_by": viewer.principal_id, "revoked_because": reason}
            after = work.update(state, told, event=REVOKED)
            note(work, after, ShareEventKind.share_revoked, viewer.principal_id)
            return {"id": after.id, "version": after.version}

        content = {"share": str(share), "reason": reason}
        request = Request("revokeShare", KeyScope.curate, content, changes=[share], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def own_words(self, viewer: Viewer, ids: list[str]) -> list[Mapping[str, Any]]:
        """Of each of these shares what only its sender and administrators read; nothing for anybody else."""
        asked = {"principal": viewer.principal_id, "admin": KeyScope.admin in viewer.scopes}
        rows = await self._database.read(cypher.OWN_WORDS, ids=ids, audiences=viewer.audiences, **asked)
        known = {row["id"]: row for row in rows}
        return [known.get(one, {}) for one in ids]

    async def emptied(self, viewer: Viewer, ids: list[str]) -> list[bool]:
        """Of each of these shares, whether all that it had kept to be told is erased."""
        modes = [one.value for one in LIVE]
        rows = await self._database.read(cypher.EMPTIED, ids=ids, audiences=viewer.audiences, live=modes)
        found = {row["id"] for row in rows}
        return [one in found for one in ids]

    async def subjects(self, viewer: Viewer, ids: list[str]) -> list[str | None]:
        """The run or the task of each of these shares that the viewer sees; None where files alone are shared."""
        rows = await self._database.read(cypher.SUBJECTS, ids=ids, audiences=viewer.audiences)
        known = {row["id"]: row["subject"] for row in rows}
        return [known.get(one) for one in ids]

    async def _recipients(self, given: ShareInput) -> list[str]:
        named = list(dict.fromkeys(given.recipients))
        if len(named) > MOST_RECIPIENTS:
            raise InputInvalid("recipients", f"name at most {MOST_RECIPIENTS}")
        rows = await self._database.read(cypher.PRINCIPALS_NAMED, named=named) if named else []
        known = {row["named"]: row["id"] for row in rows}
        for one in named:
            if one not in known:
                raise RecipientUnknown(one)
        return sorted({*known.values()})


def _is_theirs(share: State, viewer: Viewer) -> bool:
    return share.properties["shared_by"] == viewer.principal_id or KeyScope.admin in viewer.scopes


def check_person(viewer: Viewer) -> None:
    if viewer.kind is not PrincipalKind.person:
        raise ShareNeedsPerson


class _Create:
    """The plan of the command; carried out again when its transaction is retried."""

    def __init__(self, given: ShareInput, recipients: list[str], secret_hash: str) -> None:
        self._given = given
        self._recipients = recipients
        self._hash = secret_hash

    async def __call__(self, work: Work) -> dict[str, Any]:
        given = self._given
        subjects = self._subjects(work)
        granted = {one.id: one for ref in given.memories if (one := work.existing(ref, "memory_policy", ["Memory"]))}
        files = {one.id: one for ref in given.files if (one := work.existing(ref, "file_policy", FILES))}
        named = {**{name: one.id for name, one in subjects.items()}, "file_ids": sorted(files)}
        asked = {**given.stored(), "share_mode": given.share_mode, "redaction_profile": given.redaction_profile}
        told = told_by({**asked, **named})
        story = await gather(work.transaction, work.registry, work.viewer, told, work.at)
        if story is None:
            raise RecordMissing(next(ref for _, ref, _ in given.refs()), "task" if given.task else "run")
        _check_told(work, story, told, [*subjects.values(), *files.values()])
        frozen = freeze(work.registry, story, told)
        if len(frozen) > MANIFEST_LENGTH:
            raise ShareTooLarge("characters", MANIFEST_LENGTH, len(frozen))
        within = [one for one in ids_of(frozen) if given.share_mode not in LIVE]
        if len(within) > MOST_KEPT:
            raise ShareTooLarge("records", MOST_KEPT, len(within))
        heads = {**_within(story, within), **granted, **files, **{one.id: one for one in subjects.values()}}
        manifest = None if given.share_mode in LIVE else frozen
        own = {**named, "memory_ids": sorted(granted), "manifest": manifest}
        capsule = self._capsule(work, story, list(heads.values()), own)
        work.fan(capsule, "DISCLOSES", [(one, {}) for one in sorted(heads)])
        codes = [DEFERRED] if asks_for_deferred(given) else []
        return {"id": capsule.id, "version": capsule.version, "warnings": codes}

    def _subjects(self, work: Work) -> dict[str, State]:
        """By the fields that name them."""
        given = self._given
        named = (("shared_run_id", given.run, "run", "Run"), ("task_id", given.task, "task", "Task"))
        return {name: work.existing(ref, field, [kind]) for name, ref, field, kind in named if ref is not None}

    def _capsule(self, work: Work, story: Story, sources: list[State], own: Mapping[str, Any]) -> State:
        given = self._given
        task, graph = (next(iter(story.of(label)), None) for label in ("Task", "GraphSnapshot"))
        values = {
            "name": f"Share, {given.share_mode}, {given.redaction_profile}",
            "data_class": DataClass.public.value,
            "task_id": task.id if task else None,
            "task_version": task.properties.get("version") if task else None,
            "graph_snapshot_id": graph.id if graph else None,
            "shared_by": work.viewer.principal_id,
            "recipients": self._recipients,
            "permission": given.permission,
            "share_mode": given.share_mode,
            "redaction_profile": given.redaction_profile,
            "expires_at": _expiry(given.expires_at, work.at),
            "acknowledged_at": work.at if is_full(given) else None,
            "note": given.note,
            "rules": RULES,
            **given.stored(),
            "secret_hash": self._hash,
            **own,
        }
        told = {name: one for name, one in values.items() if one is not None}
        return work.create(work.registry.types["ShareCapsule"], told, sources)


def _check_told(work: Work, story: Story, told: Told, named: Iterable[State]) -> None:
    for one in named:
        if one.properties["data_class"] == DataClass.local_only:
            raise ShareLocalOnly("run" if one.type.label == "Run" else "task")
    if not tells_of_its_subject(work.registry, story, told):
        raise ShareTellsNothing(told.profile)


def _within(story: Story, ids: list[str]) -> dict[str, State]:
    known = {**story.beside, **story.records}
    return {one: known[one] for one in ids}


def _expiry(asked: str | None, at: str) -> str:
    now = clock.parse(at)
    if asked is None:
        return clock.stamp(now + LIFE)
    try:
        wanted = read_time(asked)
    except TimeUnreadable as error:
        raise TimeInvalid("expires_at", error) from None
    if not at < wanted <= clock.stamp(now + LONGEST_LIFE):
        raise InputInvalid("expires_at", f"is not within {LONGEST_LIFE.days} days from now")
    return wanted
