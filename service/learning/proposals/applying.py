"""Changing a record as a proposal says, with all checks of an ordinary save, and the steps that lead back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.commands import State, Work
from service.learning.proposals import blueprints
from service.learning.proposals.blueprint_patch import BLUEPRINT
from service.learning.proposals.graph_patch import GRAPH
from service.learning.proposals.graphs import bound_steps
from service.learning.proposals.graphs import save as save_graph
from service.learning.proposals.propose import check_links
from service.learning.proposals.steps import WHOLES, Content, Step, differing
from service.records import Hooks, rules
from service.records.lifecycle import check_link, prepared, state_change


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link that is made, or taken away."""

    type: str
    head: str
    properties: Mapping[str, Any]
    remove: bool


@dataclass(frozen=True, slots=True)
class Applied:
    """The record afterwards, and what brings it back: former values, and links to make or take away.

    `named`: records that the way back names beside those of the proposal.
    """

    after: State
    back: dict[str, Any]
    named: Sequence[State] = ()


@dataclass(frozen=True, slots=True)
class Changing:
    """A record that is about to be changed, and what its links lead to, by id."""

    work: Work
    hooks: Hooks
    target: State
    heads: Mapping[str, State]

    async def apply(
        self, before: Content, after: Content, steps: Sequence[Step], held: Sequence[Mapping[str, Any]]
    ) -> Applied:
        """`held`: the links among those of the steps that are there now, with what they say."""
        check_links(self.work, self.target, steps, self.heads)
        facts = {(one["type"], one["head"]): one["properties"] for one in held}
        made = [LinkChange(*one, {}, remove=False) for one in sorted(after.links - before.links)]
        gone = [LinkChange(*one, facts.get(one, {}), remove=True) for one in sorted(before.links - after.links)]
        values = differing(before, after)
        bound = await bound_steps(self.work, self.target, values[GRAPH]) if values.get(GRAPH) else []
        changed = await self._change(values, [*made, *gone])
        back = {
            "values": {name: before.values.get(name) for name in values},
            "lifecycle_reason": self.target.properties.get("lifecycle_reason"),
            "links": [
                {"type": one.type, "head": one.head, "properties": dict(one.properties), "remove": not one.remove}
                for one in (*made, *gone)
            ],
            "bound": [(one.step.id, one.module) for one in bound],
        }
        return Applied(changed, back, [one.step for one in bound])

    async def roll_back(self, back: Mapping[str, Any]) -> State:
        values = dict(back["values"])
        if "lifecycle_state" in values:
            values["lifecycle_reason"] = back["lifecycle_reason"]
        links = [LinkChange(one["type"], one["head"], one["properties"], one["remove"]) for one in back["links"]]
        return await self._change(values, links, back.get("bound", ()))

    async def _change(
        self, values: Mapping[str, Any], links: Sequence[LinkChange], bound: Sequence[tuple[str, str]] = ()
    ) -> State:
        """One update, checked and followed as a save is; then the links. `bound`: steps that modules do again."""
        work, target = self.work, self.target
        told = {name: value for name, value in values.items() if not name.startswith("lifecycle_")}
        told = {name: value for name, value in told.items() if name not in WHOLES}
        rules.check_fields(target.type, told)
        given = prepared(work.viewer, target.type, _emptied(target, told), target)
        if "lifecycle_state" in values:
            given |= state_change(work.viewer, target, values["lifecycle_state"])
            given["lifecycle_reason"] = values.get("lifecycle_reason")
        elif target.type.label == blueprints.LABEL:
            return await self._change_blueprint(given, values.get(BLUEPRINT), links)
        after = work.update(target, given)
        check = self.hooks.checks.get(target.type.label)
        if check is not None:
            check(target.properties, after.properties)
        for step in self.hooks.after_save:
            await step(work, target, after)
        for one in links:
            await self._link(one)
        if values.get(GRAPH):
            after = await save_graph(work, after, values[GRAPH], bound)
        if after is target and links:
            work.touch(target)
        return after

    async def _change_blueprint(
        self, values: Mapping[str, Any], parts: str | None, links: Sequence[LinkChange]
    ) -> State:
        """A blueprint is saved whole: its hash covers its parts, and what it needs and is for."""
        saved = [one for one in links if blueprints.is_saved(self.target, one.type)]
        made, gone = ([(one.type, one.head) for one in saved if one.remove is away] for away in (False, True))
        after = await blueprints.save(self.work, self.target, blueprints.BlueprintChange(values, parts, made, gone))
        for one in links:
            if one not in saved:
                await self._link(one)
        return after

    async def _link(self, one: LinkChange) -> None:
        work, target, head = self.work, self.target, self.heads[one.head]
        await check_link(work, target, one.type, head)
        if one.remove:
            work.unlink(target, one.type, head)
        else:
            work.link(target, one.type, head, one.properties)
        work.event("unlinked" if one.remove else "linked", target, changed=[one.type.lower()], other=head.id)


def _emptied(target: State, values: Mapping[str, Any]) -> dict[str, Any]:
    """A list without entries is empty, not absent."""
    fields = target.type.fields
    return {name: [] if value is None and fields[name].many else value for name, value in values.items()}
