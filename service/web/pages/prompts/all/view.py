"""The prompt with the words marked that show its gaps, and the rewrite with what was added."""

from collections.abc import Iterable, Sequence

from service.web.pages.engine.page import Asked, Data

Span = tuple[int, int]
SURFACES = (
    *("chat_composer", "prompt_recipe", "doc23_module_instruction", "doc23_judge_rubric", "doc23_output_contract"),
    *("red_team_prompt", "room_role_prompt", "task_template_prompt", "module_preset_prompt", "overlay"),
)


def settle(variables: Data) -> Data:
    """Nothing is judged until there is something to judge."""
    return {"showAnswer": bool(variables.get("text") or variables.get("of"))}


def view(data: Data, asked: Asked) -> Data:
    check = data.get("promptCheck")
    told: Data = {"surfaces": SURFACES, "marked": [], "rewritten": []}
    if not check:
        return told
    text = asked.variables.get("text") or _kept(check) or ""
    spans = [(quote["start"], quote["end"]) for one in check["qualityFindings"] for quote in one["shownBy"]]
    rewrite = check["rewrite"]
    added = [_found(rewrite["text"], one["text"]) for one in rewrite["additions"]] if rewrite else []
    return told | {
        "marked": _pieces(text, spans) if text else [],
        "rewritten": _pieces(rewrite["text"], added) if rewrite else [],
    }


def _kept(check: Data) -> str | None:
    """A kept prompt's own words. What stands in a module's settings is quoted, and not told again."""
    record = check["place"]["record"] or {}
    return record.get("text")


def _found(text: str, part: str) -> Span:
    start = text.find(part)
    return (start, start + len(part)) if start >= 0 else (0, 0)


def _pieces(text: str, spans: Iterable[Span]) -> list[Data]:
    """The text in order, in pieces that are marked or not."""
    pieces: list[Data] = []
    at = 0
    for start, end in _joined(sorted(spans)):
        pieces += [{"text": text[at:start], "marked": False}, {"text": text[start:end], "marked": True}]
        at = end
    return [one for one in [*pieces, {"text": text[at:], "marked": False}] if one["text"]]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Those that overlap are one."""
    found: list[Span] = []
    for start, end in spans:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
