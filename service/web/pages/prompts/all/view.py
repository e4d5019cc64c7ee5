"""The prompt with the words marked that show its gaps, and the rewrite with what was added."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.marks import Span, pieces

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
        "marked": pieces(text, spans) if text else [],
        "rewritten": pieces(rewrite["text"], added) if rewrite else [],
    }


def _kept(check: Data) -> str | None:
    """A kept prompt's own words. What stands in a module's settings is quoted, and not told again."""
    record: Data | None = check["place"]["record"]
    return record.get("text") if record else None


def _found(text: str, part: str) -> Span:
    start = text.find(part)
    return (start, start + len(part)) if start >= 0 else (0, 0)
