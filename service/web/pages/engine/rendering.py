"""Templates and what they can say: every text of a record is escaped, wherever it stands."""

import json
import re
from datetime import datetime
from functools import cache
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
NOTHING = "\N{EN DASH}"
_CENTS = 0.01
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)")
_KEPT = {
    "no_capture": "Not kept",
    "run_only": "Kept with the run",
    "doc72_reference": "Findable",
    "doc72_summary_reference": "Findable, with a summary",
    "doc25_document_ingestion": "Taken in as a document",
    "doc25_work_product_ingestion": "Saved as a work product",
    "doc73_library_ingestion": "Added to a library",
}
_SURFACES = {
    "chat_composer": "a question in a chat",
    "prompt_recipe": "a recipe",
    "doc23_module_instruction": "the instruction of a module",
    "doc23_judge_rubric": "the rubric of a judge",
    "doc23_output_contract": "the form of an output",
    "red_team_prompt": "a red team's prompt",
    "room_role_prompt": "a role in a room",
    "task_template_prompt": "a template's prompt",
    "module_preset_prompt": "a preset's prompt",
}
_PLACES = {
    "run": "/runs/",
    "task": "/tasks/",
    "tpl": "/templates/",
    "ent": "/entities/",
    "prop": "/review/",
    "shr": "/shares/",
    "asm": "/assessments/",
    "dset": "/evaluations/",
    "prmt": "/prompts/",
    "tool": "/tools/",
    "potr": "/attention/traces/",
    "act": "/steps/",
    "gate": "/gates/",
    "graph": "/graphs/",
    "seg": "/graphs/",
    "bp": "/blueprints/",
    "dsn": "/designs/",
    **dict.fromkeys(("art", "wp", "dlv"), "/lineage/"),
}
"""Where a record is shown, by the prefix of its id. All others have their own small page."""
_TONES = {
    "good": "success completed delivered approved applied active ready allowed available repaired reliable accepted "
    "acted identical",
    "bad": "error failed rejected blocked blocked_by_policy timed_out regressed critical blocking failing demoted "
    "execution_error different",
    "busy": "running pending open compiling",
    "wait": "waiting draft draft_only candidate staged changes_requested requires_approval degraded warning major "
    "stale snoozed wrong_tool_boundary low_utility",
}
_TONE = {word: tone for tone, words in _TONES.items() for word in words.split()}


class _Answers(Environment):
    """`answer.items` is the field of that name, not the method of a dictionary."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict):
            return cast("dict[str, Any]", obj).get(attribute, self.undefined(obj=obj, name=attribute))
        return super().getattr(obj, attribute)


@cache
def templates() -> Environment:
    environment = _Answers(
        loader=PackageLoader("service.web.pages", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    ours: dict[str, Any] = {
        "time": time_element,
        "duration": duration,
        "money": money,
        "number": number,
        "share": share,
        "words": words,
        "tone": tone,
        "short": short,
        "telling": telling,
        "kept": kept,
        "surface": surface,
        "place": place,
        "said": said,
        "with_": with_,
    }
    environment.filters.update(ours)
    return environment


def time_element(moment: str | None) -> Markup:
    """UTC as it is; a script tells it in the viewer's zone."""
    if not moment:
        return escape(NOTHING)
    told = datetime.fromisoformat(moment).strftime("%d %b %Y, %H:%M UTC").lstrip("0")
    return Markup('<time datetime="{}">{}</time>').format(moment, told)


def duration(milliseconds: float | None) -> str:
    if milliseconds is None:
        return NOTHING
    whole = round(milliseconds)
    if whole < _SECOND:
        return f"{whole} ms"
    if whole < _MINUTE:
        return f"{whole / _SECOND:.1f} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE // _SECOND:02} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"


def money(dollars: float | None) -> str:
    if dollars is None:
        return NOTHING
    return f"${dollars:,.2f}" if dollars >= _CENTS or dollars == 0 else f"${dollars:.4f}"


def number(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:,.2f}" if isinstance(value, float) and not value.is_integer() else f"{int(value):,}"


def share(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.0%}"


def words(value: str | None) -> str:
    """`wrong_matter` as people say it."""
    return (value or "").replace("_", " ").replace(".", " ")


def tone(status: str | None) -> str:
    return _TONE.get(status or "", "plain")


def short(text: str | None, most: int = 160) -> str:
    """For a picture, where the whole text stands beside it."""
    said = " ".join((text or "").split())
    return said if len(said) <= most else f"{said[: most - 1].rstrip()}…"


def telling(sentence: str | None) -> Markup:
    """A sentence whose moments are told like all others."""
    parts = _MOMENT.split(sentence or "")
    return Markup().join(time_element(one) if at % 2 else one for at, one in enumerate(parts))


def said(value: Any) -> str:
    """A value of a field, whatever it is."""
    if isinstance(value, list):
        return "; ".join(said(one) for one in cast("list[Any]", value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def kept(level: str) -> str:
    """How far an output was taken, as people say it."""
    return _KEPT.get(level, words(level))


def surface(word: str) -> str:
    """Where a prompt lives, as people say it."""
    return _SURFACES.get(word, words(word))


def place(id: str) -> str:
    """The address of a record."""
    return _PLACES.get(id.partition("_")[0], "/records/") + id


def with_(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**fields, **more}
