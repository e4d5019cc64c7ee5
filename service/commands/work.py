"""What a command does while its transaction is open: it looks at the records it named and collects changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, LiteralString, cast

from graph_schema.model.fields import DataClass
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import VECTOR_PREFIX
from service import clock
from service.access.audience import Access, audience_row
from service.access.viewer import Viewer
from service.commands import phrases
from service.commands.errors import KindNeeded, RecordMissing, WrongKind
from service.commands.ground import begun, event_row
from service.commands.inheritance import flows, is_unplaced, named_by
from service.commands.record_cards import NONE_OF_ITS_OWN, card_id, card_properties, due, new_card
from service.commands.refs import RecordRef
from service.commands.validation import validated
from service.graph.database import Transaction
from service.graph.flows import RECEIPTS
from service.ids import new_id

Values = dict[str, Any]
Name = tuple[str, str]
"""A source, and what it calls a record."""


@dataclass(frozen=True, slots=True)
class State:
    """A record as it stood when the command opened."""

    type: RecordType
    labels: tuple[str, ...]
    properties: Values

    @property
    def is_unplaced(self) -> bool:
        return is_unplaced(self.type.label, self.properties)

    @property
    def id(self) -> str:
        return cast("str", self.properties["id"])

    @property
    def version(self) -> int:
        return cast("int", self.properties["version"])


@dataclass(slots=True)
class Changes:
    """Everything that one statement will apply."""

    creates: list[Values] = field(default_factory=list[Values])
    updates: list[Values] = field(default_factory=list[Values])
    relabels: list[Values] = field(default_factory=list[Values])
    links: list[Values] = field(default_factory=list[Values])
    fans: list[Values] = field(default_factory=list[Values])
    unlinks: list[Values] = field(default_factory=list[Values])
    events: list[Values] = field(default_factory=list[Values])
    audiences: dict[str, Values] = field(default_factory=dict[str, Values])
    removes: list[str] = field(default_factory=list[str])
    access_changed: set[str] = field(default_factory=set[str])
    afterwards: list[tuple[LiteralString, Values]] = field(default_factory=list[tuple[LiteralString, Values]])
    """Statements with their parameters, for what follows from the changes once they are there."""

    def names(self) -> list[list[str]]:
        """The outside names that records get."""
        given = [one["properties"] for one in (*self.creates, *self.updates)]
        return [[one["source"], one["source_key"]] for one in given if one.get("source")]

    def links_and_fans(self) -> tuple[list[Values], list[Values]]:
        """Links between records that were there before; and those from or to what this command makes, by their tails.

        The latter cannot exist yet. So nothing is looked up for them, and no record is locked that others link to.
        """
        new = {one["properties"]["id"] for one in self.creates}
        old: list[Values] = []
        fresh: dict[tuple[str, str], Values] = {}
        for one in self.links:
            if one["tail"] in new or one["head"] in new:
                fresh.setdefault((one["tail"], one["type"]), {})[one["head"]] = one["properties"]
            else:
                old.append(one)
        fans = [{"tail": tail, "type": kind, "heads": _heads(heads.items())} for (tail, kind), heads in fresh.items()]
        return old, [*self.fans, *fans]


class Work:
    """One command under way: the records it named, who asks, and the changes it has collected so far."""

    def __init__(
        self,
        registry: Registry,
        viewer: Viewer,
        transaction: Transaction,
        command_id: str,
        found: list[Values],
        *,
        taken: Iterable[Name] = (),
        realm: str = "",
    ) -> None:
        """`taken`: outside names that something hidden has; they are given in the caller's realm, others in `realm`."""
        self.registry = registry
        self.viewer = viewer
        self.transaction = transaction
        self.command_id = command_id
        self._taken = frozenset(taken)
        self._realm = realm
        self.at = clock.now()
        self.in_bulk = False
        """Whether it brings many records at once: what somebody saves by hand is embedded before them."""
        self.changes = Changes()
        self.accepted: set[str] = set()
        """Ids of what an agent makes that a person has accepted beforehand, by a policy of theirs."""
        self._linked: dict[str, State] = {}
        self._accesses: dict[str, Access] = {}
        self._found = {cast("str", one["handle"]): self._state(one) for one in found}

    def find(self, ref: RecordRef, field: str, kinds: Iterable[str] = ()) -> State | None:
        """The record that a reference names, if it is there and visible."""
        state = self._found.get(str(ref))
        wanted = {*kinds} or ({ref.kind} if ref.kind else set[str]())
        if state and wanted and state.type.label not in wanted:
            raise WrongKind(ref, field, " or ".join(sorted(str(kind) for kind in wanted)), state.type.label)
        return state

    def existing(self, ref: RecordRef, field: str, kinds: Iterable[str] = ()) -> State:
        """The record that a reference names, for what can only be done with one that is there: no stub is made."""
        state = self.find(ref, field, kinds)
        if state is None:
            raise RecordMissing(ref, field)
        return state

    def need(self, ref: RecordRef, field: str, kinds: Iterable[str] = ()) -> State:
        """The record that a reference names. An unknown outside key makes a stub; an unknown id is refused."""
        state = self.find(ref, field, kinds)
        if state:
            return state
        if ref.id is not None:
            raise RecordMissing(ref, field)
        self._found[str(ref)] = stub = self._stub(self._kind_of(ref, field, {*kinds}), ref)
        return stub

    def close(self) -> None:
        """Settle who may see what: what is only named so far, and what takes access over by a new link."""
        known = self._known()
        new = {one["properties"]["id"]: cast("Values", one["properties"]) for one in self.changes.creates}
        namers: dict[str, set[Access]] = {}
        for link in self.changes.links:
            tail, head = known.get(link["tail"]), known.get(link["head"])
            for one, other in ((tail, head), (head, tail)) if link["type"] not in RECEIPTS else ():
                if one and other and one.is_unplaced and not other.is_unplaced:
                    namers.setdefault(one.id, set()).add(Access.of(other.properties))
            if tail:
                self._flow(link, tail, head)
        for record_id, accesses in namers.items():
            self._name(known[record_id], accesses, new)

    def _flow(self, link: Values, tail: State, head: State | None) -> None:
        """Note which end of a link has to take over access that it does not have yet."""
        to_tail, to_head = flows(self.registry, tail.type.label, link["type"], link["properties"])
        given = self._accesses.get(link["head"]) if head is None else _handed(head)
        if to_tail and not (given and Access.of(tail.properties).covers(given)):
            self.changes.access_changed.add(tail.id)
        handed = _handed(tail)
        if to_head and not (head and Access.of(head.properties).covers(handed)):
            self.changes.access_changed.add(link["head"])

    def _known(self) -> dict[str, State]:
        """The records that this command saw or makes, as they will be."""
        made = [(self._type_of(one["labels"]), one) for one in self.changes.creates]
        states = {**self._linked, **{one.id: one for one in self._found.values()}}
        states |= {one["properties"]["id"]: State(kind, tuple(one["labels"]), one["properties"]) for kind, one in made}
        after = {one["id"]: one["properties"] for one in self.changes.updates}
        return {
            record_id: State(one.type, one.labels, {**one.properties, **after.get(record_id, {})})
            for record_id, one in states.items()
        }

    def _name(self, stub: State, namers: Iterable[Access], new: Mapping[str, Values]) -> None:
        values = named_by(stub.properties, self.viewer.principal_id, namers)
        if all(stub.properties.get(name) == value for name, value in values.items()):
            return
        self._audience(audience_row({**stub.properties, **values}))
        if stub.id in new:
            new[stub.id].update(values)
            for event in self.changes.events:
                if event["about"] == stub.id:
                    event["audience"] = values["audience"]
            return
        self.changes.updates.append({"id": stub.id, "keep": False, "properties": values})
        self.changes.access_changed.add(stub.id)

    def _audience(self, row: Values) -> None:
        self.changes.audiences[row["audience"]] = row

    def _kind_of(self, ref: RecordRef, field: str, kinds: set[str]) -> RecordType:
        """What an unknown key becomes: the kind that is told, or the only one that the place takes."""
        kind = ref.kind or (next(iter(kinds)) if len(kinds) == 1 else None)
        if kind is None or kind not in self.registry.types:
            raise KindNeeded(ref, field, kinds)
        if kinds and kind not in kinds:
            raise WrongKind(ref, field, " or ".join(sorted(kinds)), kind)
        return self.registry.types[kind]

    def create(self, kind: RecordType, values: Mapping[str, Any], sources: Iterable[State] = ()) -> State:
        """Add a record with these authored values, and its card. It inherits the access of its sources."""
        record_id = new_id(kind.prefix)
        own_matters = _own_matters(record_id, values)
        own_class = DataClass(values.get("data_class") or DataClass.internal)
        access = self.access(own_class, own_matters, sources)
        times = {"created_at": self.at, "updated_at": self.at}
        own = {"own_data_class": own_class.value, "own_matter_ids": own_matters}
        properties = validated(kind.model, {**values, "id": record_id, **times, **own, **access})
        return self._add(kind, properties)

    def update(self, state: State, values: Mapping[str, Any], *, event: str = "updated") -> State:
        """Change a record to these values. Its former state stays reachable; no difference is no change."""
        merged = {**state.properties, **values}
        merged |= self._changed_access(state, values)
        after = validated(state.type.model, {name: value for name, value in merged.items() if value is not None})
        changed = sorted(name for name in {*after, *state.properties} if after.get(name) != state.properties.get(name))
        if not changed:
            return state
        moment = clock.not_before(cast("str", state.properties["updated_at"]))
        after |= {"version": state.version + 1, "updated_at": moment}
        if "source" in after and ("realm" not in after or _name(after) != _name(state.properties)):
            after["realm"] = self._realm_of(after)
        dropped = {name: None for name in state.properties if name not in after}
        self.changes.updates.append({"id": state.id, "keep": True, "properties": {**dropped, **after}})
        self._relabel(state, after)
        if "audience" in changed or state.is_unplaced:
            self.changes.access_changed.add(state.id)
        updated = State(state.type, tuple(state.type.model.labels(after)), after)
        self._keep_card(updated, state)
        self._keep_phrases(updated, state)
        self.event(event, updated, changed=[name for name in changed if not state.type.fields[name].hidden])
        return updated

    def link(self, tail: State, kind: str, head: State, properties: Mapping[str, Any] | None = None) -> None:
        self._linked.update({tail.id: tail, head.id: head})
        self.link_id(tail, kind, head.id, properties)

    def link_id(
        self,
        tail: State,
        kind: str,
        head_id: str,
        properties: Mapping[str, Any] | None = None,
        *,
        access: Access | None = None,
    ) -> None:
        """To a record that was read before the transaction, `access` as it was then. One that is gone is left out."""
        self._linked.setdefault(tail.id, tail)
        if access is not None:
            self._accesses[head_id] = access
        self.changes.links.append(
            {"tail": tail.id, "head": head_id, "type": kind, "properties": dict(properties or {})}
        )

    def fan(self, tail: State, kind: str, heads: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Many links at once from a record that this command makes: there are none yet that they could replace."""
        self.changes.fans.append({"tail": tail.id, "type": kind, "heads": _heads(heads)})

    def unlink(self, tail: State, kind: str, head: State) -> None:
        self.changes.unlinks.append({"tail": tail.id, "head": head.id, "type": kind})

    def touch(self, state: State) -> None:
        """Move a record's `updated_at` on: a link to it changed, and events of one record have rising times."""
        moment = clock.not_before(cast("str", state.properties["updated_at"]))
        state.properties["updated_at"] = moment
        self.changes.updates.append({"id": state.id, "keep": False, "properties": {"updated_at": moment}})

    def event(self, what: str, state: State, **detail: Any) -> None:
        """Append an event about a record: `goal.updated`, or what the specification calls that.

        A name with a dot is taken as it is.
        """
        kind = what if "." in what else state.type.events.get(what) or f"{state.type.label.lower()}.{what}"
        by = {"principal_id": self.viewer.principal_id, "command_id": self.command_id}
        of = {"run_id": state.properties.get("run_id")}
        self.changes.events.append(event_row(kind, state.type.label, state.properties, **by, **of, **detail))

    def access(self, own_class: DataClass, own_matters: Iterable[str], sources: Iterable[State] = ()) -> Values:
        """Class, matters and audience of a record with what it inherits: the strictest class, all matters."""
        access = Access(own_class, frozenset(own_matters)).joined(
            *(Access.of(source.properties) for source in sources if not source.is_unplaced)
        )
        self._audience(audience_row(access.values()))
        return access.values()

    def _add(self, kind: RecordType, properties: Values) -> State:
        labels = kind.model.labels(properties)
        if "source" in properties:
            properties["realm"] = self._realm_of(properties)
        self.changes.creates.append({"labels": labels, "properties": properties})
        state = State(kind, tuple(labels), properties)
        if kind.carded and not properties.get("stub"):
            self._add_card(state)
        self._keep_phrases(state, None)
        self.event("created", state)
        return state

    def _stub(self, kind: RecordType, ref: RecordRef) -> State:
        own = Access(DataClass.internal)
        self._audience(audience_row(own.values()))
        properties: Values = {
            **begun(new_id(kind.prefix), str(ref.key), self.at),
            **own.values(),
            **own.as_own(),
            "reporters": [self.viewer.principal_id],
            "source": ref.source,
            "source_key": ref.key,
        }
        return self._add(kind, properties)

    def _realm_of(self, values: Values) -> str:
        """Where the outside name of a record is unique: among all, or for the caller alone."""
        return self.viewer.principal_id if _name(values) in self._taken else self._realm

    def _changed_access(self, state: State, values: Mapping[str, Any]) -> Values:
        """New access of an updated record. What it inherits is added afterwards, where it has sources."""
        opens_matter = values.get("kind") == "matter" and state.properties.get("kind") != "matter"
        if not ({"data_class", "matter_ids"} & values.keys() or state.properties.get("stub") or opens_matter):
            return {}
        own_class = DataClass(values.get("data_class") or state.properties["own_data_class"])
        matters = values.get("matter_ids")
        own_matters = _own_matters(state.id, {**state.properties, **values, "matter_ids": matters})
        if matters is None:
            kept = {**state.properties, **values, "matter_ids": state.properties["own_matter_ids"]}
            own_matters = _own_matters(state.id, kept) if opens_matter else kept["matter_ids"]
        own: Values = {"own_data_class": own_class.value, "own_matter_ids": own_matters, "stub": False}
        if state.is_unplaced:
            own["reporters"] = None
        return {**own, **self.access(own_class, own_matters)}

    def _relabel(self, state: State, after: Values) -> None:
        labels = state.type.model.labels(after)
        if {*labels} != {*state.labels}:
            remove = [label for label in state.labels if label not in labels]
            self.changes.relabels.append({"id": state.id, "remove": remove, "add": labels})

    def _add_card(self, state: State) -> None:
        labels = self.registry.types["Card"].model.labels
        properties = {**new_card(state.type, state.properties, self.viewer.principal_id, self.at), **self._turn()}
        self.changes.creates.append({"labels": labels(properties), "properties": properties})
        self.changes.links.append({"tail": card_id(state.id), "head": state.id, "type": "DESCRIBES", "properties": {}})

    def _keep_card(self, state: State, former: State) -> None:
        """Let the card follow its record. A stub has none until it is filled."""
        if not state.type.carded or state.properties.get("stub"):
            return
        if former.properties.get("stub"):
            self._add_card(state)
        else:
            shown = card_properties(state.type, state.properties)
            marks = due(shown, card_properties(former.type, former.properties))
            self.changes.updates.append(
                {
                    "id": card_id(state.id),
                    "keep": False,
                    "properties": {**shown, **marks, **(self._turn() if marks else {})},
                }
            )

    def _turn(self) -> Values:
        return {"vector_bulk": True if self.in_bulk else None}

    def _keep_phrases(self, state: State, former: State | None) -> None:
        """Let the phrases follow their record: a text that is new gets a node, one that is gone loses it."""
        if not state.type.phrased:
            return
        wanted = phrases.of_record(state.id, state.properties)
        known = phrases.of_record(former.id, former.properties) if former else {}
        shared = {**{name: state.properties[name] for name in _FOLLOWED}, **NONE_OF_ITS_OWN}
        self.changes.removes.extend(sorted(known.keys() - wanted.keys()))
        for phrase_id, phrase in wanted.items():
            if phrase_id in known:
                self.changes.updates.append({"id": phrase_id, "keep": False, "properties": shared})
            else:
                self._add_phrase(state, phrase_id, {**shared, **phrase.properties})

    def _add_phrase(self, state: State, phrase_id: str, properties: Values) -> None:
        kind = self.registry.types["Phrase"]
        given = {"id": phrase_id, "created_at": self.at, "version": 1, "schema_version": 1, "vector_due": True}
        properties = {**properties, **given, **self._turn(), **phrases.sought(state.type.label, properties)}
        self.changes.creates.append({"labels": kind.model.labels(properties), "properties": properties})
        link = phrases.relation_of(properties["phrase_kind"])
        self.changes.links.append({"tail": phrase_id, "head": state.id, "type": link, "properties": {}})

    def _state(self, found: Values) -> State:
        labels = cast("list[str]", found["labels"])
        kind = self._type_of(labels)
        vectors = [one for one in found["properties"] if one.startswith(VECTOR_PREFIX) and one not in kind.fields]
        told = {name: value for name, value in found["properties"].items() if name not in vectors}
        return State(kind, tuple(labels), told)

    def _type_of(self, labels: Iterable[str]) -> RecordType:
        return self.registry.types[self.registry.label_of(labels)]


def _name(values: Mapping[str, Any]) -> Name | None:
    """What the outside calls a record."""
    return (values["source"], values["source_key"]) if "source" in values and "source_key" in values else None


def _handed(state: State) -> Access:
    """The access that a record hands on. What is only named so far hands on nothing."""
    return Access() if state.is_unplaced else Access.of(state.properties)


_FOLLOWED = ("updated_at", "lifecycle_state", "data_class", "matter_ids", "audience")
"""What a phrase takes over from its record."""


def _own_matters(record_id: str, values: Mapping[str, Any]) -> list[str]:
    """The matters a record is given. A matter carries its own id."""
    own = {*cast("list[str]", values.get("matter_ids") or [])}
    if values.get("kind") == "matter":
        own.add(record_id)
    return sorted(own)


def _heads(found: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Values]:
    return [{"id": head, "properties": properties} for head, properties in found]
