"""The commands on any record. Each is one transaction, once, with an event."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.validation import validated
from service.commands.work import State
from service.principals.principals import join
from service.records import cypher, rules
from service.records.erasure import Erasure
from service.records.errors import KindsDiffer
from service.records.hooks import Hooks
from service.records.lifecycle import check_link, check_owners, prepared, restored_state, state_change

Values = Mapping[str, Any]
_OWN_LINKS = ["DESCRIBES", "MERGED_INTO", "PREVIOUS", "FORMER_LINK"]


class Records:
    def __init__(
        self,
        commands: Commands,
        hooks: Hooks,
        registry: Registry = REGISTRY,
        *,
        forget_export: Callable[[str], None] | None = None,
    ) -> None:
        """`forget_export` removes the files of an audit export, when its record is gone."""
        self._commands = commands
        self._registry = registry
        self._hooks = hooks
        self._forget_export = forget_export

    async def save(
        self,
        viewer: Viewer,
        label: str,
        values: Values,
        *,
        record_id: str | None = None,
        command_id: str | None = None,
        if_version: int | None = None,
    ) -> Outcome:
        """Create a record, or change the one that the id or the outside key names. Absent fields stay as they are."""
        kind = self._registry.types[label]
        rules.check_fields(kind, values)
        rules.check_access(viewer, values)
        ref = rules.own_ref(kind, record_id, values)
        reads = [RecordRef(id=one) for one in values.get("matter_ids") or ()]
        request = Request(
            f"save{label}",
            KeyScope.curate,
            {"values": dict(values), "id": record_id, "if_version": if_version},
            reads=reads,
            changes=[ref] if ref else [],
            names=rules.given_names(values),
            command_id=command_id,
            blind=ref is None and not reads,
        )
        return await self._commands.execute(viewer, request, _Save(kind, values, ref, if_version, self._hooks))

    async def link(
        self,
        viewer: Viewer,
        tail: RecordRef,
        kind: str,
        head: RecordRef,
        properties: Values,
        *,
        remove: bool = False,
        command_id: str | None = None,
    ) -> Outcome:
        """Link two records by a relation that the registry allows, or take the link away."""
        tail.check("tail")
        head.check("head")
        tail = rules.at_end(self._registry, tail, kind, "tail")
        head = rules.at_end(self._registry, head, kind, "head")
        content = {"tail": str(tail), "type": kind, "head": str(head), "properties": dict(properties), "remove": remove}

        async def plan(work: Work) -> dict[str, Any]:
            one, other = work.need(tail, "tail"), work.need(head, "head")
            relation = rules.allowed_relation(self._registry, kind, one.type.label, other.type.label)
            facts = validated(relation.link, properties, "properties.")
            await check_link(work, one, kind, other)
            if remove:
                work.unlink(one, kind, other)
            else:
                work.link(one, kind, other, facts)
            after = one
            for step in self._hooks.after_link:
                after = await step(work, after, kind, other, remove)
            if after is one:
                work.touch(one)
            if remove:
                work.changes.access_changed.update(_inheriting(relation, one, other))
            work.event("unlinked" if remove else "linked", after, changed=[relation.tail_name], other=other.id)
            return {"tail": one.id, "type": kind, "head": other.id}

        name = "unlinkRecords" if remove else "linkRecords"
        request = Request(name, KeyScope.curate, content, reads=[head], changes=[tail], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def set_state(
        self, viewer: Viewer, ref: RecordRef, *, archived: bool, command_id: str | None, if_version: int | None
    ) -> Outcome:
        """Archive a record, or bring it back. An archived one stays reachable by id and in lineage."""
        ref.check("record")

        async def plan(work: Work) -> dict[str, Any]:
            record = work.need(ref, "record")
            rules.check_version(record.id, record, if_version)
            await check_owners(work, record, "lifecycle_state")
            values = state_change(viewer, record, "archived" if archived else restored_state(record))
            after = work.update(record, values, event="archived" if archived else "restored")
            await self._followed(work, record, after)
            return {"id": after.id, "version": after.version}

        name = "archiveRecord" if archived else "restoreRecord"
        content = {"record": str(ref), "if_version": if_version}
        request = Request(name, KeyScope.curate, content, changes=[ref], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def set_lifecycle(
        self, viewer: Viewer, ref: RecordRef, state: str, reason: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """Bring a record into one of the states that its type knows."""
        ref.check("record")

        async def plan(work: Work) -> dict[str, Any]:
            record = work.existing(ref, "record")
            await check_owners(work, record, "lifecycle_state")
            values = state_change(viewer, record, state)
            after = work.update(record, {**values, "lifecycle_reason": reason}, event=state)
            await self._followed(work, record, after)
            return {"id": after.id, "version": after.version}

        content = {"record": str(ref), "state": state, "reason": reason}
        request = Request("setLifecycle", KeyScope.curate, content, changes=[ref], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def set_legal_hold(
        self, viewer: Viewer, ref: RecordRef, *, hold: bool, command_id: str | None = None
    ) -> Outcome:
        """Put a record, or all of a matter, under a legal hold: nothing of it can be erased until it is lifted."""
        ref.check("record")

        async def plan(work: Work) -> dict[str, Any]:
            record = work.need(ref, "record")
            after = work.update(record, {"legal_hold": hold}, event="held" if hold else "released")
            return {"id": after.id, "version": after.version}

        request = Request(
            "setLegalHold", KeyScope.admin, {"record": str(ref), "hold": hold}, changes=[ref], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def erase(
        self, viewer: Viewer, ref: RecordRef, reason: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """Forget a record for good, with its parts and what repeats it. A tombstone with its id stays."""
        ref.check("record")
        request = Request(
            "eraseRecord", KeyScope.admin, {"record": str(ref), "reason": reason}, changes=[ref], command_id=command_id
        )
        plan = Erasure(self._registry, ref, reason)
        outcome = await self._commands.execute(viewer, request, plan)
        if self._forget_export is not None and not outcome.replayed:
            for export in plan.exports:
                await asyncio.to_thread(self._forget_export, export)
        return outcome

    async def merge(
        self, viewer: Viewer, keep: RecordRef, merge: RecordRef, reason: str | None, *, command_id: str | None = None
    ) -> Outcome:
        """Make one entity of two. The duplicate is archived and leads to the one that was kept."""
        keep.check("keep", "Entity")
        merge.check("merge", "Entity")
        content = {"keep": str(keep), "merge": str(merge), "reason": reason}
        request = Request("mergeEntities", KeyScope.curate, content, changes=[keep, merge], command_id=command_id)
        return await self._commands.execute(viewer, request, _Merge(keep, merge, reason))

    async def _followed(self, work: Work, before: State, after: State) -> None:
        for step in self._hooks.after_save:
            await step(work, before, after)


def _inheriting(relation: Relation, tail: State, head: State) -> set[str]:
    ends = {"tail": {tail.id}, "head": {head.id}, "both": {tail.id, head.id}}
    return ends[relation.inherits] if relation.inherits else set()


class _Save:
    def __init__(
        self, kind: RecordType, values: Values, ref: RecordRef | None, if_version: int | None, hooks: Hooks
    ) -> None:
        self._kind = kind
        self._values = values
        self._ref = ref
        self._if_version = if_version
        self._hooks = hooks

    async def __call__(self, work: Work) -> dict[str, Any]:
        rules.check_matters(work, self._values)
        state = self._existing(work)
        rules.check_version(str(self._ref), state, self._if_version)
        if state is not None:
            rules.check_kept(self._values)
        values = prepared(work.viewer, self._kind, self._values, state)
        after = work.update(state, values) if state else self._create(work, values)
        if _opens_matter(state, after) and not work.viewer.all_matters:
            await join(work, after.id)
        check = self._hooks.checks.get(self._kind.label)
        if check is not None:
            check(state.properties if state else None, after.properties)
        for step in self._hooks.after_save:
            await step(work, state, after)
        return {"id": after.id, "version": after.version}

    def _existing(self, work: Work) -> State | None:
        if self._ref is None:
            return None
        if self._ref.id is not None:
            return work.need(self._ref, "id", [self._kind.label])
        return work.find(self._ref, "source_key", [self._kind.label])

    def _create(self, work: Work, values: Values) -> State:
        given = {name: value for name, value in values.items() if value is not None}
        return work.create(self._kind, given)


def _opens_matter(before: State | None, after: State) -> bool:
    """Whoever opens a matter is a member of it."""
    was = before.properties.get("kind") if before else None
    return after.properties.get("kind") == "matter" != was


class _Merge:
    def __init__(self, keep: RecordRef, merge: RecordRef, reason: str | None) -> None:
        self._keep = keep
        self._merge = merge
        self._reason = reason

    async def __call__(self, work: Work) -> dict[str, Any]:
        keeper, loser = work.existing(self._keep, "keep", ["Entity"]), work.existing(self._merge, "merge", ["Entity"])
        _check_mergeable(keeper, loser)
        await work.transaction.run(cypher.MOVE_LINKS, keeper=keeper.id, loser=loser.id, own=_OWN_LINKS)
        merged = work.update(keeper, _merged_values(keeper, loser), event="merged")
        archived = work.update(loser, {"lifecycle_state": "archived"}, event="archived")
        work.link(archived, "MERGED_INTO", merged, {"reason": self._reason} if self._reason else {})
        return {"id": merged.id, "version": merged.version, "merged": loser.id}


def _check_mergeable(keeper: State, loser: State) -> None:
    if keeper.id == loser.id:
        raise KindsDiffer("they are the same")
    if keeper.properties.get("kind") != loser.properties.get("kind"):
        raise KindsDiffer(f"one is a {keeper.properties.get('kind')}, the other a {loser.properties.get('kind')}")
    if keeper.properties.get("kind") == "matter":
        raise KindsDiffer("matters hold access and stay apart", "Move what is in one into the other, then archive it.")
    if loser.properties["lifecycle_state"] == "archived":
        raise KindsDiffer(f"{loser.id} is archived")


def _merged_values(keeper: State, loser: State) -> dict[str, Any]:
    """What the kept entity is called and to whom it is visible once it stands for both."""

    def union(name: str, *more: str) -> list[str]:
        values = [*keeper.properties.get(name, ()), *more, *loser.properties.get(name, ())]
        return [one for one in dict.fromkeys(values) if one != keeper.properties["name"]]

    return {
        "aliases": union("aliases", loser.properties["name"]),
        "keys": union("keys"),
        "summary": keeper.properties.get("summary") or loser.properties.get("summary"),
        "data_class": _stricter(keeper, loser),
        "matter_ids": sorted({*keeper.properties["own_matter_ids"], *loser.properties["own_matter_ids"]}),
    }


def _stricter(one: State, other: State) -> str:
    return strictest([one.properties["own_data_class"], other.properties["own_data_class"]]).value
