"""What an executor says when it asks for a packet. Configuration is typed: no module has one field for everything."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from operator import itemgetter
from typing import Annotated, Any, cast

import orjson

from graph_schema.context.words import Profile
from graph_schema.model.fields import KEY_LENGTH, LONG_TEXT_LENGTH
from service.commands import RecordRef, check_activation, meaning
from service.commands.errors import InputInvalid, TextTooLong
from service.views import OrNull

DEFAULT_TOKENS = 20_000
MOST_TOKENS = 1_000_000
MOST_REFS = 500


class ContextPort(StrEnum):
    """A port that a module takes from."""

    data = "data"
    context = "context"
    instruction = "instruction"
    file = "file"
    candidate = "candidate"
    comparison_bundle = "comparison_bundle"
    trigger_payload = "trigger_payload"


@dataclass(frozen=True, slots=True)
class PortInputInput:
    """What came in at a port."""

    port: Annotated[ContextPort, "The port."]
    summary: Annotated[str, "What came in, in short."] = ""
    refs: Annotated[OrNull[tuple[RecordRef, ...]], "Records that came in or are spoken of."] = ()


@dataclass(frozen=True, slots=True)
class DocumentTextInput:
    """Text of a document that you hold."""

    document: Annotated[RecordRef, "The document."]
    text: Annotated[str, "The text."]
    markers: Annotated[str, "Where in the document it stands, such as p. 3-5."]


@dataclass(frozen=True, slots=True)
class ModuleConfigInput:
    """What a module is configured to do, as far as its type has it."""

    instruction: Annotated[str | None, "What an agent is told to do."] = None
    output_contract: Annotated[str | None, "What it is to make."] = None
    dimensions: Annotated[OrNull[tuple[str, ...]], "What a judge judges by."] = ()
    evaluation_instruction: Annotated[str | None, "How a judge is to judge."] = None
    review_criteria: Annotated[str | None, "What a review looks at."] = None
    naming_instructions: Annotated[str | None, "How an output is named."] = None
    directory_instructions: Annotated[str | None, "Where an output is put."] = None
    assignments: Annotated[OrNull[tuple[str, ...]], "What a coder is to do."] = ()

    @classmethod
    def of_json(cls, told: str | None) -> "ModuleConfigInput":
        """The same fields of a module's stored configuration, as far as it has them."""
        try:
            held: Any = orjson.loads(told) if told else None
        except orjson.JSONDecodeError:
            return cls()
        return cls(**_texts(cast("dict[str, Any]", held))) if isinstance(held, dict) else cls()

    def over(self, stored: "ModuleConfigInput") -> "ModuleConfigInput":
        """This, and where it is silent what is stored."""
        return ModuleConfigInput(
            **{one.name: getattr(self, one.name) or getattr(stored, one.name) for one in fields(self)}
        )


def _texts(held: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in fields(ModuleConfigInput):
        value = held.get(one.name)
        if one.default == ():
            found[one.name] = tuple(map(_text, cast("list[Any]", value))) if isinstance(value, list) else ()
        elif value is not None:
            found[one.name] = _text(value)
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


@dataclass(frozen=True, slots=True)
class ContextPacketInput:
    """Which module asks at which activation, what it works from, and what it may take."""

    run: Annotated[RecordRef, "The run."]
    module_key: Annotated[str, "The module, as the executor calls it."]
    activation_seq: Annotated[int, "Which activation of that module, from 1."] = 1
    module_type: Annotated[str | None, "Its type; what was reported or saved when left out."] = None
    config: Annotated[
        OrNull[ModuleConfigInput], "Its configuration; what the saved graph has where this is silent."
    ] = ModuleConfigInput()
    ports: Annotated[OrNull[tuple[PortInputInput, ...]], "What came in at its ports."] = ()
    documents: Annotated[
        OrNull[tuple[DocumentTextInput, ...]],
        "Texts of documents. They go in only where the module's context policy requires full text.",
    ] = ()
    capabilities: Annotated[OrNull[tuple[RecordRef, ...]], "Capabilities that are asked for by name."] = ()
    offered: Annotated[
        OrNull[tuple[RecordRef, ...]],
        "What your surroundings offer: each of them is given, or gets its receipt.",
    ] = ()
    profile: Annotated[Profile | None, "Which layers it may have; the module type's default when left out."] = None
    max_tokens: Annotated[int, f"Tokens that the packet may take, up to {MOST_TOKENS:,}."] = DEFAULT_TOKENS
    target_model: Annotated[str | None, "The model that reads it: its own tokenizer counts, if it is on hand."] = None
    side_effect_class: Annotated[str | None, "What the module does to the outside world."] = None

    def check(self) -> None:
        self.run.check("run", "Run")
        if not 1 <= self.max_tokens <= MOST_TOKENS:
            raise InputInvalid("max_tokens", f"is {self.max_tokens}; a packet may take 1 to {MOST_TOKENS:,} tokens")
        if not 1 <= len(self.module_key) <= KEY_LENGTH:
            raise InputInvalid("module_key", f"must have 1 to {KEY_LENGTH} characters")
        check_activation(self.activation_seq)
        if len(self.refs()) > MOST_REFS:
            raise InputInvalid("offered", f"names {len(self.refs())} records; at most {MOST_REFS} may be named in all")
        for field, ref in self.refs():
            ref.check(field, *_KINDS.get(field, ()))
        for field, text in self._all_texts():
            if len(text) > LONG_TEXT_LENGTH:
                raise TextTooLong(field, LONG_TEXT_LENGTH, len(text))

    def refs(self) -> list[tuple[str, RecordRef]]:
        """Every record that the request names, with the field that names it."""
        ports = [("ports.refs", ref) for one in self.ports for ref in one.refs]
        documents = [("documents.document", one.document) for one in self.documents]
        capabilities = [("capabilities", one) for one in self.capabilities]
        return [*ports, *documents, *capabilities, *(("offered", one) for one in self.offered)]

    def _all_texts(self) -> list[tuple[str, str]]:
        ports = [("ports.summary", one.summary) for one in self.ports]
        documents = [("documents.text", one.text) for one in self.documents]
        config = [(f"config.{name}", _text(value)) for name, value in asdict(self.config).items() if value]
        return [*ports, *documents, *config]

    def content(self, ids: Mapping[str, str]) -> dict[str, Any]:
        """Everything that makes it this request and no other. Inputs of one port come in their order; nothing else has
        one."""
        content: dict[str, Any] = meaning(self, ids)
        content["ports"].sort(key=itemgetter("port"))
        content["documents"].sort(key=itemgetter("document", "markers", "text"))
        return content

    def kept(self, ids: Mapping[str, str]) -> dict[str, Any]:
        """What a packet keeps of it. A document's text is told by its hash: it stands in the receipt, which forgets it
        when the document is erased."""
        content = self.content(ids)
        for one in content["documents"]:
            one["text"] = hashlib.sha256(one["text"].encode()).hexdigest()
        return content

    def hash(self, ids: Mapping[str, str]) -> str:
        told = orjson.dumps(self.content(ids), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(told).hexdigest()


_KINDS = {"documents.document": ("Entity",), "capabilities": ("Capability",)}
