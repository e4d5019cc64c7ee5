"""From what a caller names to where a prompt lives: its module, what stands behind it, what it may use."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import orjson

from graph_schema.knowledge.prompt_words import OutputForm, PromptImprovementMode, PromptSurface
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.knowledge.errors import PromptMissing, PromptModuleUnknown
from service.knowledge.preflight.facts import NONE, Facts, ModuleFacts, facts_of
from service.knowledge.preflight.load import PreflightFacts, Raw, Subject
from service.knowledge.prompts import cypher
from service.knowledge.prompts.check import PromptPlace
from service.knowledge.prompts.place import Place, PromptConsumer
from service.views import OrNull


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptConsumerInput:
    """What stands behind a prompt and works on its result, where no graph says it."""

    name: Annotated[str, "What people call it: a module, a parser, a system."]
    reads: Annotated[OutputForm | None, "The form that it can read; any, when left out."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRequest:
    """A prompt, and where it lives. What is told here holds before what the graph knows."""

    text: Annotated[str | None, "Its text; that of the module's or preset's configuration, when left out."] = None
    surface: Annotated[PromptSurface | None, "Where it lives; from what is named, else the composer of a chat."] = None
    mode: Annotated[PromptImprovementMode, "How deep help goes. A rewrite comes with all but quick_check."] = (
        PromptImprovementMode.rewrite
    )
    module_key: Annotated[str | None, "The module, of a task, template, blueprint or graph."] = None
    module_type: Annotated[str | None, "Its type, where no graph says it."] = None
    downstream_consumers: Annotated[
        OrNull[tuple[PromptConsumerInput, ...]], "What stands behind it, where no graph says it."
    ] = ()
    expected_output_contract: Annotated[str | None, "What it is to make."] = None
    named_outputs: Annotated[OrNull[tuple[str, ...]], "Outputs that what stands behind it takes apart."] = ()
    capabilities: Annotated[OrNull[tuple[str, ...]], "What it may use, beside what the graph mounts."] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A prompt's text, and its place: for the rules, and as it is told."""

    text: str
    place: Place
    told: PromptPlace


@dataclass(frozen=True, slots=True)
class _Known:
    """What the graph knows of a place."""

    place: Place
    text: str | None = None
    record_id: str | None = None
    module_key: str | None = None


class PromptPlaces:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._facts = PreflightFacts(database)

    async def find(self, viewer: Viewer, of: str | None, asked: PromptRequest) -> Found:
        known = await self._known(viewer, of, asked) if of else _Known(Place())
        text = asked.text if asked.text is not None else known.text
        if text is None:
            raise PromptMissing("text", "none was given, and no configuration that you can see has one")
        place = _with(known.place, asked, named=of is not None)
        return Found(text, place, _told(place, known))

    async def _known(self, viewer: Viewer, of: str, asked: PromptRequest) -> _Known:
        row = await self._database.read_one(cypher.PLACE, id=of, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=of), "of")
        if row["prompt"]:
            return await self._of_prompt(viewer, row, asked)
        if row["preset"]:
            return _of_preset(row)
        if row["is_run"]:
            return _Known(Place(), record_id=row["id"])
        key = row["module_key"] or asked.module_key
        owner = row["graph"] or row["id"]
        if key is None:
            return _Known(Place(surface=PromptSurface.task_template_prompt), record_id=row["id"])
        raw = await self._facts.standing(viewer, Subject(owner))
        return _Known(*_of_module(raw, key), row["id"], key)

    async def _of_prompt(self, viewer: Viewer, row: Raw, asked: PromptRequest) -> _Known:
        """A kept prompt lives where it was said to; its text is here only where that may be kept."""
        prompt = row["prompt"]
        at = replace(asked, module_key=asked.module_key or prompt["module_key"])
        home = await self._known(viewer, row["home"], at) if row["home"] else _Known(Place())
        place = replace(home.place, surface=PromptSurface(prompt["surface"]))
        return replace(home, place=place, text=prompt["text"], record_id=home.record_id or row["id"])


def _of_preset(row: Raw) -> _Known:
    config = _json(row["preset"].get("config"))
    place = Place(
        surface=PromptSurface.module_preset_prompt,
        contract=_text(config.get("output_contract")),
        named_outputs=_texts(config.get("named_outputs")),
        capabilities=tuple(row["capabilities"]),
    )
    return _Known(place, _instruction(config), row["id"])


def prompts_in(raw: Raw) -> Iterator[tuple[str, Place, str]]:
    """Each module that is switched on and has an instruction in its configuration, with where that lives."""
    for key, module in sorted(facts_of(raw).modules.items()):
        place, text = _of_module(raw, key)
        if module.enabled and text is not None:
            yield key, place, text


def _of_module(raw: Raw, key: str) -> tuple[Place, str | None]:
    facts = facts_of(raw)
    module = facts.modules.get(key)
    if module is None:
        raise PromptModuleUnknown(key, sorted(facts.modules))
    config = _config(raw, key)
    place = Place(
        surface=_surface(module),
        module_type=module.type_name,
        downstream=tuple(_consumers(raw, facts, key)),
        contract=_text(config.get("output_contract")),
        named_outputs=_texts(config.get("named_outputs")),
        capabilities=_mounted(raw, key),
    )
    return place, _instruction(config)


def _surface(module: ModuleFacts) -> PromptSurface:
    if "judge" in module.type_name:
        return PromptSurface.doc23_judge_rubric
    if "red_team" in module.type_name:
        return PromptSurface.red_team_prompt
    return PromptSurface.doc23_module_instruction


def _consumers(raw: Raw, facts: Facts, key: str) -> list[PromptConsumer]:
    heads = dict.fromkeys(one.head.key for one in facts.leaving.get(key, ()))
    return [PromptConsumer(name=one, reads=_reads(_config(raw, one))) for one in heads]


def _reads(config: Raw) -> OutputForm | None:
    """What the configuration of a module says that it parses."""
    told = next((config[one] for one in ("reads", "input_format", "parse_as") if one in config), None)
    known = {one.value for one in OutputForm}
    return OutputForm(told) if isinstance(told, str) and told in known else None


def _mounted(raw: Raw, key: str) -> tuple[str, ...]:
    held = raw["standing"].get(key) or NONE
    ids = {*held.get("required", ()), *held.get("allowed", ())}
    return tuple(sorted(one["name"] for one in raw["capabilities"] if one["id"] in ids))


def _config(raw: Raw, key: str) -> Raw:
    [module] = [one for one in raw["graph"]["modules"] if one["module_key"] == key]
    return _json(module.get("config"))


def _json(told: str | None) -> Raw:
    read: Any = orjson.loads(told or "{}")
    return read if isinstance(read, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _instruction(config: Raw) -> str | None:
    return next((text for one in ("instruction", "rubric", "prompt") if (text := _text(config.get(one)))), None)


def _text(told: Any) -> str | None:
    return told if isinstance(told, str) and told.strip() else None


def _texts(told: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in told) if isinstance(told, list) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _with(place: Place, asked: PromptRequest, *, named: bool) -> Place:
    default = place.surface if named else PromptSurface.chat_composer
    return replace(
        place,
        surface=asked.surface or default,
        module_type=asked.module_type or place.module_type,
        downstream=(
            *(PromptConsumer(name=one.name, reads=one.reads) for one in asked.downstream_consumers),
            *place.downstream,
        ),
        contract=asked.expected_output_contract or place.contract,
        named_outputs=tuple(dict.fromkeys((*asked.named_outputs, *place.named_outputs))),
        capabilities=tuple(dict.fromkeys((*asked.capabilities, *place.capabilities))),
    )


def _told(place: Place, known: _Known) -> PromptPlace:
    return PromptPlace(
        surface=place.surface,
        record_id=known.record_id,
        module_key=known.module_key,
        module_type=place.module_type,
        downstream_consumers=place.downstream,
        expected_output_contract=place.contract,
        named_outputs=place.named_outputs,
        capabilities=place.capabilities,
    )
