"""What is known of a step in groups, and what its runtime lets be done with it."""

from typing import Any

from graph_schema.memory.words import InterventionKind
from service.memory.continuation.rules import continuation
from service.web.pages.engine.page import Asked, Data

Row = dict[str, Any]

_LAYERS = (
    ("System", "systemInstructionRef"),
    ("Module", "moduleInstructionRef"),
    ("Instruction that came in", "dynamicInstructionRef"),
    ("Context", "contextBundleRef"),
    ("Context packet", "contextPacketRef"),
    ("What was said before", "chainHistoryProjectionRef"),
    ("Whole prompt", "promptTextRef"),
)
_LIVE = ("pending", "running", "waiting")
_NOTE = InterventionKind.user_note_for_downstream.value
_AGAIN = (
    ("selected_module_only", "this step alone"),
    ("selected_module_and_downstream", "this step and all that follows"),
)
_ON = ("downstream_only", "what follows, from its output")
_SAVED = ("full_run_from_checkpoint", "the run, from its checkpoint")


def view(data: Data, _asked: Asked) -> Data:
    step = data["node"]
    under = step["under"]["nodes"]
    return {
        "prompts": [_prompt(one) for one in under if one["snapshotKind"] == "prompt"],
        "held": [one for one in under if one["snapshotKind"] != "prompt"],
        "sources": _sources(step),
        "verdicts": [one for one in step["produced"]["nodes"] if one["verdict"] or one["score"] is not None],
        "thought": [_thought(one) for one in step["produced"]["nodes"] if one["evaluatedBy"]["nodes"]],
        "scopes": _scopes(step),
        "sessions": [_session(one) for one in step["ranIn"]["nodes"]],
        "asks": _asks(step),
    }


def _prompt(snapshot: Row) -> Row:
    named = [{"name": name, "ref": snapshot[field]} for name, field in _LAYERS if snapshot[field]]
    files = [{"name": "Attached", "ref": one} for one in snapshot["attachedFileRefs"] or ()]
    further = [{"name": "Layer", "ref": one} for one in snapshot["cilLayerRefs"] or ()]
    return snapshot | {"layers": [*named, *further, *files]}


def _sources(step: Row) -> list[Row]:
    """What it was given beside a packet: each once."""
    fields = ("consumed", "received", "downloaded", "opened")
    told = [one | {"how": name} for name in fields for one in step[name]["nodes"] if "id" in one]
    return list({one["id"]: one for one in reversed(told)}.values())[::-1]


def _thought(output: Row) -> Row:
    return {"name": output["name"], "id": output["id"], "by": output["evaluatedBy"]["nodes"]}


def _scopes(step: Row) -> list[tuple[str, str]]:
    """What may be asked to run again: only from what there is."""
    if step["status"] in _LIVE:
        return []
    more = [_ON] if step["status"] == "success" else []
    return [*_AGAIN, *more, *([_SAVED] if step["followedBy"]["nodes"] else [])]


def _session(session: Row) -> Row:
    return session | {"standing": continuation(session["sessionKind"], session["continuationStatus"])}


def _asks(step: Row) -> list[str]:
    """What a running step takes: a note always, all else where its runtime said so."""
    if step["status"] not in _LIVE:
        return []
    told = {kind for one in step["ranIn"]["nodes"] for kind in one["supportedInterventions"] or ()}
    return [_NOTE, *sorted(told - {_NOTE})]
