"""Texts of assessors outside: attached to an assessment as they came, and never made into findings."""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import InputInvalid, TextTooLong
from service.library.commands import content_of
from service.routing.times import moment
from service.views import Time


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessorNoteInput:
    """What an assessor outside says, in its own words."""

    assessor: Annotated[str, "Who or what says so."]
    text: Annotated[str, "What it says."]
    model_ref: Annotated[str | None, "Model that wrote it, if one did."] = None
    written_at: Annotated[Time | None, "When it was written; now, when left out."] = None


class AssessorNotes:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def attach(
        self, viewer: Viewer, assessment: RecordRef, given: AssessorNoteInput, *, command_id: str | None = None
    ) -> Outcome:
        _check(given)

        async def plan(work: Work) -> dict[str, Any]:
            on = work.existing(assessment, "assessment", ["Assessment"])
            values = {
                "name": f"{given.assessor} on {on.properties['name']}"[:NAME_LENGTH],
                "assessor": given.assessor,
                "model_ref": given.model_ref,
                "text": given.text,
                "written_at": moment(given.written_at, "written_at"),
                "attached_by": work.viewer.principal_id,
            }
            told = {name: value for name, value in values.items() if value is not None}
            made = work.create(work.registry.types["AssessorNote"], told, [on])
            work.link(made, "REMARKS_ON", on)
            return {"id": made.id, "version": made.version}

        content = {"assessment": str(assessment), "note": content_of(given)}
        request = Request("attachAssessorNote", KeyScope.curate, content, reads=[assessment], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


def _check(given: AssessorNoteInput) -> None:
    for name in ("assessor", "text"):
        if not getattr(given, name).strip():
            raise InputInvalid(name, "it must not be blank")
    if len(given.text) > LONG_TEXT_LENGTH:
        raise TextTooLong("text", LONG_TEXT_LENGTH, len(given.text))
