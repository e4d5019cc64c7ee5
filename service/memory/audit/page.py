"""An export for people to read: the same records as in the JSON files, on one Markdown page, each told once.

It is made from records and links as they are shown, so it cannot tell more than the files do.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from graph_schema.memory.audit import AuditProfile, AuditSection
from service.memory.reporting.findings import Finding
from service.memory.views.words import counted, duration, money

Shown = dict[str, Any]
Part = dict[str, Any]

HEADINGS: dict[AuditSection, str] = {
    AuditSection.run_summary: "The run",
    AuditSection.graph_snapshot: "The graph",
    AuditSection.blueprint_snapshot: "The blueprint",
    AuditSection.module_activation_list: "Steps",
    AuditSection.cost_duration_summary: "Costs and durations",
    AuditSection.models_and_agents: "Models and agents",
    AuditSection.tool_connector_calls: "Tools and connectors",
    AuditSection.subagent_sessions: "Subagents, sessions and conversations",
    AuditSection.prompt_snapshots: "Prompts",
    AuditSection.doc24_context_packets: "Context",
    AuditSection.input_output_artifact_manifest: "Inputs and outputs",
    AuditSection.delivery_receipts: "Deliveries",
    AuditSection.policy_approvals: "Approvals and policies",
    AuditSection.errors_retries_fallbacks: "What went wrong",
    AuditSection.judge_experiment_results: "Judgements",
    AuditSection.doc72_memory_summary_links: "Memory",
    AuditSection.raw_trace: "Trace",
}
_KINDS = {"Activation": "Step", "Span": "Operation"}
_OBVIOUS = frozenset({"ACTIVATED", "HAS_SPAN", "HAS_CHECKPOINT", "HEARD"})
"""Links that say no more than that something is part of the run."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_FIRST = ("status", "started_at", "completed_at", "duration_ms", "cost_usd")
_SILENT = frozenset(
    {"kind", "id", "name", "run_id", "matter_ids", "version", "schema_version", "created_at", "updated_at"}
)
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]#|"})


def page(profile: AuditProfile, parts: Iterable[Part], found: Iterable[Finding], left_out: Mapping[str, Any]) -> str:
    return "\n".join(_Page([*parts]).lines(profile, [*found], left_out)) + "\n"


class _Page:
    def __init__(self, parts: list[Part]) -> None:
        self._parts = parts
        self._records: dict[str, Shown] = {one["id"]: one for part in parts for one in part["records"]}
        self._captions = _captions(self._records.values())
        self._run = next((one for one in self._records.values() if one["kind"] == "Run"), Shown())
        self._links: dict[str, list[Shown]] = {}
        for link in {_named(one): one for part in parts for one in part["links"]}.values():
            self._links.setdefault(link["tail"], []).append(link)
        self._told: set[str] = set()

    def lines(self, profile: AuditProfile, found: list[Finding], left_out: Mapping[str, Any]) -> Iterator[str]:
        yield from self._head()
        empty = [part for part in self._parts if not part["records"] and not part.get("notes")]
        for part in self._parts:
            if part not in empty:
                yield from self._section(part)
        yield from self._lacking(found)
        yield from self._left_out(profile, empty, left_out)

    def _head(self) -> Iterator[str]:
        run = self._run
        yield f"# Audit: {_text(run.get('task_name') or run.get('name') or 'a run')}"
        yield ""
        told = [_value(name, run[name]) for name in _HEAD if run.get(name) is not None]
        if told:
            yield " · ".join([told[0].capitalize(), *told[1:]])
            yield ""
        kinds = Counter(one["kind"] for one in self._records.values())
        steps = Counter(one.get("status") for one in self._of("Activation"))
        how = ", ".join(f"{count} {_text(status)}" for status, count in steps.most_common())
        counts = [counted(kinds[kind], word) for kind, word in _COUNTED if kinds[kind]]
        if counts:
            yield f"{'; '.join(counts)}.{f' Steps: {how}.' if how else ''}"
            yield ""
        yield from self._in_short()

    def _in_short(self) -> Iterator[str]:
        """What people look for first, by the captions under which it is told below."""
        links = [link for ones in self._links.values() for link in ones]
        used = {link["head"] for link in links if link["type"] in _INPUTS}
        final = [one for one in self._of("Artifact") if one.get("output_class") == "final_output"]
        wrong = [one for one in self._records.values() if one.get("status") in {"error", "failed"}]
        for heading, ones in (
            ("Final output", final),
            ("Worked from", [one for one in self._records.values() if one["id"] in used]),
            ("Delivered", [one for one in self._of("Delivery") if one.get("status") == "delivered"]),
            ("Went wrong", [one for one in wrong if one["kind"] != "Run"]),
        ):
            if ones:
                yield f"- {heading}: {'; '.join(self._captions[one['id']] for one in ones)}"
        yield ""

    def _of(self, kind: str) -> list[Shown]:
        return [one for one in self._records.values() if one["kind"] == kind]

    def _section(self, part: Part) -> Iterator[str]:
        yield f"## {HEADINGS[AuditSection(part['section'])]}"
        yield ""
        for one in part.get("notes", ()):
            yield _NOTES[one]
            yield ""
        known = [self._brief(one) for one in part["records"] if one["id"] in self._told]
        yield from _totals(part.get("totals"))
        for record in part["records"]:
            if record["id"] not in self._told:
                yield from self._record(record)
        if known and "totals" not in part:
            yield f"Told above: {'; '.join(known)}."
            yield ""
        yield from self._loose(part)

    def _brief(self, record: Shown) -> str:
        state = record.get("error_code") or record.get("status")
        return self._captions[record["id"]] + (f": {_text(state)}" if state else "")

    def _record(self, record: Shown) -> Iterator[str]:
        self._told.add(record["id"])
        yield f"### {self._captions[record['id']]}"
        yield ""
        for name in sorted(record, key=lambda one: (_FIRST.index(one) if one in _FIRST else len(_FIRST), one)):
            if self._is_told(name, record[name]):
                yield f"- {_label(name)}: {_value(name, record[name])}"
        by_kind: dict[str, list[str]] = {}
        for link in (one for one in self._links.pop(record["id"], ()) if one["type"] not in _OBVIOUS):
            by_kind.setdefault(link["type"], []).append(self._end(link))
        yield from (f"- {_label(kind.lower())}: {'; '.join(ends)}" for kind, ends in by_kind.items())
        yield f"- Id: {_text(record['id'])}"
        yield ""

    def _is_told(self, name: str, value: Any) -> bool:
        """What every record says of itself, or says by saying nothing, is no news on a page."""
        if (
            name in _SILENT
            or value is False
            or value is None
            or value in ([], "active")
            or (name.endswith("_count") and not value)
        ):
            return False
        return name != "data_class" or value != self._run.get("data_class")

    def _end(self, link: Shown) -> str:
        facts = ", ".join(f"{_label(name).lower()}: {_value(name, one)}" for name, one in link.get("facts", {}).items())
        head = self._captions.get(link["head"]) or _text(link["head"])
        return f"{head} ({facts})" if facts else head

    def _loose(self, part: Part) -> Iterator[str]:
        """Links of records that no section of this export has."""
        tails = {one["tail"] for one in part["links"]} - {*self._records}
        for tail in sorted(tails & {*self._links}):
            for link in self._links.pop(tail):
                yield f"- {_text(tail)} {_label(link['type'].lower()).lower()} {self._end(link)}"

    def _lacking(self, found: list[Finding]) -> Iterator[str]:
        if found:
            yield "## What the records lack"
            yield ""
            yield from (
                f"- {_text(one.code.value)}: {self._captions.get(one.record_id, 'not told here')}" for one in found
            )
            yield ""

    def _left_out(self, profile: AuditProfile, empty: list[Part], left_out: Mapping[str, Any]) -> Iterator[str]:
        yield "## What is not here"
        yield ""
        yield f"This page is redacted by the profile {_text(profile.value)}."
        for what, counts in (("Fields", left_out["fields"]), ("Records", left_out["records"])):
            listed = ", ".join(f"{count} {str(name).replace('_', ' ')}" for name, count in sorted(counts.items()))
            yield f"{what} left out: {_text(listed) or 'none'}."
        if empty:
            names = (HEADINGS[AuditSection(part["section"])].lower() for part in empty)
            yield f"Nothing is recorded here of: {', '.join(names)}."


_INPUTS = frozenset({"CONSUMED", "RECEIVED", "DOWNLOADED", "OPENED"})
_HEAD = ("status", "started_at", "duration_ms", "cost_usd")
_COUNTED = (("Activation", "step"), ("Artifact", "artifact"), ("Delivery", "delivery record"), ("Gate", "gate"))
_NOTES = {
    "graph_not_saved_here": "The graph that was run was not saved here.",
    "graph_saved_later": "This graph was saved after the run began; none before it is known.",
    "blueprint_not_saved_here": "There is no blueprint of this task here.",
    "blueprint_changed_since": "This blueprint was changed since the run began.",
}


def _captions(records: Iterable[Shown]) -> dict[str, str]:
    """What a record is called on the page: its kind with a number, and its name as far as that may be told."""
    numbers: Counter[str] = Counter()
    found: dict[str, str] = {}
    for one in records:
        kind = _kind(one)
        numbers[kind] += 1
        called = one.get("name") or _step(one)
        found[one["id"]] = f"{kind} {numbers[kind]}{f' ({_text(called)})' if called else ''}"
    return found


def _kind(one: Shown) -> str:
    """An entity is what kind of entity it is."""
    return _KINDS.get(one["kind"]) or _label(str(one.get("entity_kind") or _snake(one["kind"])))


def _step(one: Shown) -> str | None:
    return f"{one['module_key']} #{one.get('activation_seq', '')}" if one.get("module_key") else None


def _snake(label: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in label).strip("_")


def _totals(totals: Any) -> Iterator[str]:
    if isinstance(totals, dict):
        for name, value in cast("Shown", totals).items():
            if isinstance(value, list):
                yield from _table(_label(name), cast("list[Shown]", value))
            else:
                yield f"{_label(name)}: {_value(name, value)}\n"
    elif totals:
        yield from _table(None, cast("list[Shown]", totals))


def _table(heading: str | None, rows: list[Shown]) -> Iterator[str]:
    if not rows:
        return
    names = list(rows[0])
    if heading:
        yield f"{heading}:"
        yield ""
    yield f"| {' | '.join(_label(name) for name in names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(_value(name, row.get(name)) for name in names)} |" for row in rows)
    yield ""


def _named(link: Shown) -> tuple[str, str, str, str]:
    return link["tail"], link["type"], link["head"], str(link.get("facts", {}).get("cable_id", ""))


def _label(name: str) -> str:
    """`started_at` as `Started`; of a figure, the unit is told with it."""
    words = name.removesuffix("_at").removesuffix("_ms").removesuffix("_usd").replace("_", " ")
    return words.capitalize()


def _value(name: str, value: Any) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_ms") and isinstance(value, int | float):
        return duration(round(value))
    if name.endswith("_usd") and isinstance(value, int | float):
        return money(value)
    if isinstance(value, str) and _TIME.fullmatch(value):
        return _text(value.replace("T", " ").removesuffix("Z").removesuffix(".000") + " UTC")
    return _text(value)


def _text(value: Any) -> str:
    """One line that Markdown and HTML take as plain text, whatever it says."""
    listed: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    joined = "; ".join(str(one) for one in listed)
    return html.escape(" ".join(joined.split()), quote=False).translate(_MARKS)
