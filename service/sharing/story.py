"""What a share tells of: gathered as its sender sees it, kept as it is then, told as far as it may still be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.model.registry import Registry
from graph_schema.sharing.words import FileAccess, ShareMode, ShareProfile
from service.access.viewer import Viewer
from service.commands.work import State
from service.graph.database import Transaction
from service.memory.audit.load import Link, Story, load, load_design, load_some
from service.memory.audit.redaction import Redactor
from service.memory.audit.sections import ALL_LINKS, Section
from service.sharing.inputs import FILES
from service.sharing.profiles import PROFILES, sections_of, withheld

_ACCESS = ("data_class", "audience", "matter_ids", "stub")
"""By what it is decided whether a record may be told; always as it is now."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a share is asked to tell: of which records, which parts, how much, and which of its files."""

    mode: ShareMode
    profile: ShareProfile
    subjects: tuple[str, ...]
    file_access: FileAccess
    files: frozenset[str]

    @property
    def sections(self) -> tuple[Section, ...]:
        return sections_of(self.mode, self.profile)

    def redactor(self, registry: Registry) -> Redactor:
        return Redactor(registry, PROFILES[self.profile], withheld(self.mode, self.profile))

    def has(self, state: State) -> bool:
        """Whether the file policy lets it be told. A matter never is: its name tells whose all the rest is, too."""
        if state.type.label == "Entity" and state.properties.get("kind") == "matter":
            return False
        if state.type.label not in FILES or self.file_access is FileAccess.all_shared:
            return True
        return self.file_access is FileAccess.selected and state.id in self.files


def told_by(share: Mapping[str, Any]) -> Told:
    """What the fields of a capsule ask for."""
    mode, files = ShareMode(share["share_mode"]), share.get("file_ids", [])
    one = share.get("shared_run_id") or share.get("task_id")
    subjects = files if mode is ShareMode.specific_artifacts_only else [one] if one else []
    return Told(
        mode,
        ShareProfile(share["redaction_profile"]),
        tuple(subjects),
        FileAccess(share["file_access"]),
        frozenset(files),
    )


async def gather(transaction: Transaction, registry: Registry, sender: Viewer, told: Told, at: str) -> Story | None:
    """What there is to tell now; None when the sender does not see what is shared."""
    subjects = await load_some(transaction, registry, sender, told.subjects)
    if not subjects or (told.mode is not ShareMode.specific_artifacts_only and len(subjects) < len(told.subjects)):
        return None
    by_label = {one.type.label: one for one in subjects.values()}
    if told.mode is ShareMode.specific_artifacts_only:
        story = Story(min(subjects.values(), key=lambda one: one.id), subjects)
    elif run := by_label.get("Run"):
        story = await load(transaction, registry, sender, run)
    elif task := by_label.get("Task"):
        story = await load_design(transaction, registry, sender, task, at)
    else:
        return None
    return _limited(story, told)


def tells_of_its_subject(registry: Registry, story: Story, told: Told) -> bool:
    """Whether anything of what is shared itself is told, at its class and by the profile."""
    redactor = told.redactor(registry)
    return any(redactor.record(story.records[one]) for one in told.subjects if one in story.records)


def _limited(story: Story, told: Told) -> Story:
    """Only what the sections of the mode tell, and the file policy lets be told."""
    sections = told.sections
    wanted = {
        state.id
        for section in sections
        for label, picks in section.records.items()
        for state in story.of(label)
        if picks(state.properties) and told.has(state)
    }
    types = {one for section in sections for one in section.links}
    links = [one for one in story.links if (one.type in types or {*ALL_LINKS} <= types) and one.tail in wanted]
    heads = {one.head for one in links}
    records = {name: one for name, one in story.records.items() if name in wanted}
    beside = {name: one for name, one in story.beside.items() if name in heads and told.has(one)}
    return Story(story.run, records, links, beside, story.designed_later)


def freeze(registry: Registry, story: Story, told: Told) -> str:
    """The story as JSON, with no more of each record than the profile tells of it."""
    redactor = told.redactor(registry)
    kept = {one.id: _reduced(one, redactor.tells(one)) for one in story.records.values() if redactor.tells(one)}
    links = [
        [one.tail, one.type, one.head, shown.get("facts", {})]
        for one in story.links
        if (shown := redactor.link(one, _ends(story, one))) is not None
    ]
    content = {
        "root": story.run.id,
        "records": list(kept.values()),
        "links": links,
        "beside": sorted(story.beside),
        "later": story.designed_later,
    }
    return orjson.dumps(content).decode()


def ids_of(frozen: str) -> list[str]:
    """The records that a kept story tells of."""
    content: dict[str, Any] = orjson.loads(frozen)
    return [*(one["properties"]["id"] for one in content["records"]), *content["beside"]]


async def thaw(transaction: Transaction, registry: Registry, sender: Viewer, told: Told, frozen: str) -> Story | None:
    """A kept story without what the sender does not see any more, and as closed as its records are by now."""
    content: dict[str, Any] = orjson.loads(frozen)
    listed: list[Mapping[str, Any]] = content["records"]
    ids = [*(one["properties"]["id"] for one in listed), *content["beside"], *told.subjects]
    now = await load_some(transaction, registry, sender, ids)
    if not _still_there(told, now):
        return None
    records = {one.id: one for each in listed if (one := _as_of_now(registry, each, now)) is not None}
    root = records.get(content["root"]) or next(iter(records.values()), None)
    if root is None or (root.id != content["root"] and told.mode is not ShareMode.specific_artifacts_only):
        return None
    beside = {one: now[one] for one in content["beside"] if one in now}
    links = [Link(*one) for one in content["links"]]
    return Story(root, records, links, beside, content["later"])


def _still_there(told: Told, now: Mapping[str, State]) -> bool:
    seen = [one in now and now[one].type.label != "Tombstone" for one in told.subjects]
    return any(seen) if told.mode is ShareMode.specific_artifacts_only else all(seen)


def _as_of_now(registry: Registry, kept: Mapping[str, Any], now: Mapping[str, State]) -> State | None:
    current = now.get(kept["properties"]["id"])
    if current is None or current.type.label != kept["label"]:
        return None
    access = {name: current.properties[name] for name in _ACCESS if name in current.properties}
    return State(registry.types[kept["label"]], current.labels, {**kept["properties"], **access})


def _reduced(state: State, names: Iterable[str]) -> dict[str, Any]:
    told = {*names, "id"}
    return {
        "label": state.type.label,
        "properties": {name: value for name, value in state.properties.items() if name in told},
    }


def _ends(story: Story, link: Link) -> tuple[State | None, State | None]:
    known: Sequence[Mapping[str, State]] = (story.records, story.beside)
    return tuple(next((one[end] for one in known if end in one), None) for end in (link.tail, link.head))  # pyright: ignore[reportReturnType]
