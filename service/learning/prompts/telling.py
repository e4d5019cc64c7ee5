"""What is learned from edits of prompts, and from what becomes of help with them. Nothing changes by it."""

from collections.abc import Mapping
from typing import Any

import orjson

from graph_schema.knowledge.prompt_relations import LIVES_IN
from graph_schema.knowledge.prompt_words import PromptFeedbackKind, PromptSurface, PromptUpdateKind
from graph_schema.learning.words import DesignUpdateKind, SignalOrigin
from graph_schema.model.fields import TEXT_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import TextTooLong
from service.knowledge.prompts.text import checked, hash_of
from service.learning.prompts.edits import RULES, PromptEdit, edits
from service.learning.prompts.inputs import PromptEditInput, PromptFeedbackInput
from service.learning.signals.emit import emit
from service.library.commands import content_of

SUBJECTS = ("Prompt", "PromptCandidate", *LIVES_IN)
_UPDATES: Mapping[PromptUpdateKind, DesignUpdateKind] = {
    PromptUpdateKind.prompt_design_guide_card_update: DesignUpdateKind.semantic_card_update,
    PromptUpdateKind.template_prompt_update_proposal: DesignUpdateKind.template_update_proposal,
    PromptUpdateKind.module_preset_prompt_update_proposal: DesignUpdateKind.preset_update_proposal,
    PromptUpdateKind.task_agent_instruction_candidate: DesignUpdateKind.task_agent_instruction_candidate,
    PromptUpdateKind.user_preference_overlay: DesignUpdateKind.none,
    PromptUpdateKind.none: DesignUpdateKind.none,
}
_SAID: Mapping[PromptFeedbackKind, str] = {
    PromptFeedbackKind.viewed: "What was found in the prompt was looked at.",
    PromptFeedbackKind.rewrite_requested: "A rewrite of the prompt was asked for.",
    PromptFeedbackKind.rewrite_accepted: "The rewrite of the prompt was accepted.",
    PromptFeedbackKind.rewrite_dismissed: "The rewrite of the prompt was dismissed.",
    PromptFeedbackKind.accepted_then_edited: "The rewrite was accepted, and then changed.",
    PromptFeedbackKind.saved_as_recipe: "The prompt was saved as a recipe.",
    PromptFeedbackKind.judge_found_prompt_weak: "A judge found the prompt weak.",
    PromptFeedbackKind.downstream_parser_failed: "What stands behind the prompt could not read its result.",
    PromptFeedbackKind.reusable_artifact_produced: "The prompt produced something that was used again.",
}


class PromptTelling:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def edited(self, viewer: Viewer, given: PromptEditInput, *, command_id: str | None = None) -> Outcome:
        """Compare the texts, and keep what the change teaches; by their hashes, not by their words."""
        given.about.check("about", *SUBJECTS)
        checked(given.before, "before")
        checked(given.after, "after")

        async def plan(work: Work) -> dict[str, Any]:
            about = work.existing(given.about, "about", SUBJECTS)
            seen = [about]
            if given.design_session:
                seen.append(work.existing(given.design_session, "design_session", ("DesignSession",)))
            surface = PromptSurface(about.properties.get("surface", PromptSurface.doc23_module_instruction))
            found = edits(given.before, given.after, surface)
            signals = [one for each in found if (one := _edit(work, seen, given, each))]
            return {"signals": [one.id for one in signals], "edit_kinds": [one.kind.value for one in found]}

        reads = [given.about, *([given.design_session] if given.design_session else [])]
        return await self._commands.execute(viewer, _request("recordPromptEdit", given, reads, command_id), plan)

    async def feedback(self, viewer: Viewer, given: PromptFeedbackInput, *, command_id: str | None = None) -> Outcome:
        given.about.check("about", *SUBJECTS)
        if given.note is not None and len(given.note) > TEXT_LENGTH:
            raise TextTooLong("note", TEXT_LENGTH, len(given.note))

        async def plan(work: Work) -> dict[str, Any]:
            about = work.existing(given.about, "about", SUBJECTS)
            payload = {
                "before_prompt_hash": given.before_hash,
                "after_prompt_hash": given.after_hash,
                "note": given.note,
            }
            values = {
                "result": given.feedback.value,
                "summary": _SAID[given.feedback],
                "payload": orjson.dumps(payload).decode(),
                "evidence_ref": given.evidence_ref,
            }
            made = emit(work, SignalOrigin.prompt_help, [about], values)
            return {"signals": [made.id] if made else [], "edit_kinds": []}

        return await self._commands.execute(
            viewer, _request("recordPromptFeedback", given, [given.about], command_id), plan
        )


def _request(name: str, given: Any, reads: list[RecordRef], command_id: str | None) -> Request:
    return Request(name, KeyScope.report, {"given": content_of(given)}, reads=reads, command_id=command_id)


def _edit(work: Work, seen: list[State], given: PromptEditInput, one: PromptEdit) -> State | None:
    payload = {
        "edit_kind": one.kind,
        "before_prompt_hash": hash_of(given.before),
        "after_prompt_hash": hash_of(given.after),
        "interpreted_lesson": one.lesson,
        "recommended_update_kind": one.update,
        "rules": RULES,
    }
    values = {
        "result": one.kind.value,
        "summary": one.lesson,
        "payload": orjson.dumps(payload).decode(),
        "recommended_update_kind": _UPDATES[one.update].value,
        "evidence_ref": given.evidence_ref,
    }
    return emit(work, SignalOrigin.prompt_edit, seen, values)
