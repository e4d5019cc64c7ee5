"""Beginnings of conversations that a person can choose in their client."""

from collections.abc import Mapping
from dataclasses import dataclass

import mcp_types as types

from service.mcp.errors import MissingArgument, UnknownPrompt


@dataclass(frozen=True)
class Prompt:
    name: str
    description: str
    argument: str
    about: str
    text: str

    @property
    def described(self) -> types.Prompt:
        argument = types.PromptArgument(name=self.argument, description=self.about, required=True)
        return types.Prompt(name=self.name, description=self.description, arguments=[argument])


PROMPTS = (
    Prompt(
        "inspect_this_run",
        "Where a run is, what it made and what went wrong",
        "run",
        "Id of the run, or source:key",
        "Inspect the run {run} with inspect_run. Say in three sentences where it is, what it has made and delivered, "
        "and what needs somebody's attention. Name only what the answer holds; where something is not known, say so.",
    ),
    Prompt(
        "design_a_task",
        "From a wish to a task that can be saved, using what exists",
        "request",
        "What the task is to do",
        "I want a task for this: {request}\n\nFirst ask route_request whether it should be a task at all, and "
        "find_template what can be used again. If a template fits, say which and why, and what would have to change. "
        "If nothing fits, say so and outline the steps, what each takes and gives, where a person must approve, and "
        "what it must never do; design_task, where you have it, knows which question is worth asking. Ask at most two.",
    ),
)


def prompt(name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    one = next((one for one in PROMPTS if one.name == name), None)
    if one is None:
        raise UnknownPrompt(name)
    if not arguments.get(one.argument):
        raise MissingArgument(one.argument)
    text = one.text.replace(f"{{{one.argument}}}", arguments[one.argument])
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=one.description, messages=[message])
