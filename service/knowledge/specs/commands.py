"""Registering a document, whole: one command. What it does not have any more is put away."""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH, DataClass
from graph_schema.model.record import LifecycleState
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import InputInvalid
from service.commands.work import State
from service.knowledge.errors import DocumentTooLarge
from service.knowledge.specs import cypher
from service.knowledge.specs.sections import OWN, Document, Section, sections
from service.records import rules
from service.views import Id, OrNull

MOST_SECTIONS = 2_000
MOST_CHARACTERS = 2_000_000
Values = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecDocumentInput:
    """A document that can be looked up section by section."""

    key: Annotated[str, "How it is cited, such as runtime/modules.md."]
    title: Annotated[str, "What people call it."]
    text: Annotated[str, "Its text, in Markdown: sections are what stands below its headings."]
    owner: Annotated[str | None, "Which part of the system it is about."] = None
    data_class: Annotated[DataClass, "How sensitive it is."] = DataClass.internal
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "The matters that it belongs to."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()

    def document(self) -> Document:
        return Document(self.key, self.title, self.text, self.owner)

    def check(self) -> None:
        for field, value, most in (("key", self.key, KEY_LENGTH), ("title", self.title, NAME_LENGTH)):
            if not value.strip() or len(value) > most:
                raise InputInvalid(f"input.{field}", f"it has from 1 to {most:,} characters")
        if self.key.startswith(f"{OWN}/"):
            raise InputInvalid("input.key", f"{OWN}/ is where our own documents are cited; use another")
        if len(self.text) > MOST_CHARACTERS:
            raise DocumentTooLarge("input.text", MOST_CHARACTERS, len(self.text))


class SpecDocuments:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def register(self, viewer: Viewer, asked: SpecDocumentInput, *, command_id: str | None = None) -> Outcome:
        asked.check()
        access = {"data_class": asked.data_class.value, "matter_ids": list(asked.matter_ids)}
        rules.check_access(viewer, access)
        found = sections(asked.document())
        if not found:
            raise InputInvalid("input.text", "it has no section with text")
        if len(found) > MOST_SECTIONS:
            raise DocumentTooLarge("input.text", MOST_SECTIONS, len(found))

        async def plan(work: Work) -> Values:
            rules.check_matters(work, access)
            rows = await work.transaction.run(cypher.OF_DOCUMENT, document=asked.key, audiences=viewer.audiences)
            return _saved(work, found, {row["section"]["anchor"]: row["section"] for row in rows}, access)

        content = {"key": asked.key, "hash": [one.body_hash for one in found], "title": asked.title, **access}
        matters = [RecordRef(id=one) for one in asked.matter_ids]
        request = Request(
            "registerSpecDocument",
            KeyScope.curate,
            {**content, "owner": asked.owner},
            reads=matters,
            names=[("spec", asked.key)],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, request, plan)


def _saved(work: Work, found: list[Section], known: dict[str, Values], access: Values) -> Values:
    kind = work.registry.types["SpecSection"]
    before = len(work.changes.creates) + len(work.changes.updates)
    for one in found:
        values = {**_values(one), **access}
        if one.anchor in known:
            work.update(_state(work, known[one.anchor]), {**values, "lifecycle_state": LifecycleState.active.value})
        else:
            work.create(kind, values)
    for anchor in sorted(known.keys() - {one.anchor for one in found}):
        state = _state(work, known[anchor])
        if state.properties["lifecycle_state"] == LifecycleState.active:
            gone = "The document has it no more."
            work.update(state, {"lifecycle_state": LifecycleState.archived.value, "lifecycle_reason": gone})
    changed = len(work.changes.creates) + len(work.changes.updates) - before
    return {"sections": len(found), "changed": changed > 0}


def _values(one: Section) -> Values:
    told = {
        "name": one.heading,
        "document_key": one.document.key,
        "document_title": one.document.title,
        "owner": one.document.owner,
        "anchor": one.anchor,
        "path": one.path,
        "body": one.body,
        "body_hash": one.body_hash,
        "place": one.place,
    }
    return {name: value for name, value in told.items() if value is not None}


def _state(work: Work, properties: Values) -> State:
    kind = work.registry.types["SpecSection"]
    return State(kind, tuple(kind.model.labels(properties)), properties)
