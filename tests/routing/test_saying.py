"""What could be said and pressed: every button is an operation that takes what it is given."""

from typing import Any

import pytest
from graphql import (
    GraphQLObjectType,
    coerce_input_value,  # pyright: ignore[reportUnknownVariableType] - its lists have no type
    is_required_argument,
)

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.routing.agent.entrypoints import ENTRYPOINTS
from service.routing.agent.parts import WITHOUT
from service.routing.decision.answer import MeantRecord, TaskChip
from service.routing.decision.saying import AGENTS, Scenery, chips, intent, say
from service.routing.decision.table import TABLE
from service.routing.decision.vetoes import TOLD
from service.routing.opportunity.packet import ADVICE, HANDLING
from tests.api.schema import committed_schema
from tests.routing.walk import banned


def meant(kind: str) -> tuple[MeantRecord, ...]:
    return (MeantRecord(f"{kind.lower()}_1", kind, f"A {kind}", 1.0, "It is called so."),)


def scenery(mode: Mode, **given: Any) -> Scenery:
    found: dict[str, Any] = {
        "level": Level.explicit,
        "request_ref": "chat://1",
        "text": "review the contract",
        "context_class": "contract/review/legal",
        "templates": meant("Template"),
        "tasks": meant("Task"),
        "runs": meant("Run"),
        "outputs": meant("Artifact"),
    }
    return Scenery(mode=mode, **{**found, **given})


def operation(name: str) -> Any:
    for root in ("Query", "Mutation"):
        kind = committed_schema().type_map[root]
        assert isinstance(kind, GraphQLObjectType)
        if name in kind.fields:
            return kind.fields[name]
    raise AssertionError(f"there is no operation {name}")


def check(chip: TaskChip) -> None:
    """That the operation is there, has these arguments and takes these values."""
    field = operation(chip.operation)
    assert {*chip.arguments} <= {*field.args}, chip
    required = {name for name, one in field.args.items() if is_required_argument(one)}
    assert required <= {*chip.arguments}, chip
    for name, value in chip.arguments.items():
        coerce_input_value(value, field.args[name].type)


@pytest.mark.parametrize("mode", list(Mode))
def test_every_chip_calls_an_operation_with_arguments_that_it_takes(mode: Mode) -> None:
    nothing: dict[str, Any] = {"templates": (), "tasks": (), "runs": (), "outputs": ()}
    for given in ({}, nothing, {"prompt": True}, {"portfolio": True, **nothing}, {"tasks": ()}):
        for chip in chips(scenery(mode, **given)):
            check(chip)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("level", [Level.none, Level.low])
def test_nothing_is_said_or_shown_below_medium(mode: Mode, level: Level) -> None:
    assert say(scenery(mode, level=level)) is None
    assert chips(scenery(mode, level=level)) == ()


NOTHING: dict[str, Any] = {"templates": (), "tasks": (), "runs": (), "outputs": ()}
SITUATIONS: tuple[dict[str, Any], ...] = (
    {}, NOTHING, {"prompt": True}, {"portfolio": True}, {"usable": frozenset[Entrypoint]()}, {"adapts": True},
    {"confirms_run": False, "confirms_save": False}, {"lacks_input": True, "needs": ("map",)},
)  # fmt: skip


def test_product_words_alone_are_said_whatever_the_mode_and_whatever_is_known() -> None:
    """What can be said of each mode and level, what stands in tables, what is refused, and how the tools for models and
    the API describe themselves."""
    told: list[Any] = []
    for mode in Mode:
        for given in SITUATIONS:
            one = scenery(mode, **given)
            told += [say(one), chips(one), intent(one, "")]
    told += [[row.because for row in TABLE], list(TOLD.values()), list(WITHOUT.values()), packet_lines()]
    told += [one.user_facing_label for one in ENTRYPOINTS.values()]
    schema = committed_schema().type_map.values()
    told += [one.description for one in schema if one.description]
    told += [each.description for one in schema if isinstance(one, GraphQLObjectType) for each in one.fields.values()]
    assert len(told) > 2_000
    assert banned([one for one in told if one is not None]) == []
    assert banned(["Use Task Agent", "It is kept in DOC72"]) != []


def packet_lines() -> list[str]:
    lines = [*ADVICE.values()]
    assert {*ADVICE} == {*HANDLING.values()}
    return lines


@pytest.mark.parametrize("mode", sorted(AGENTS))
@pytest.mark.parametrize("entrypoint", list(Entrypoint))
def test_what_the_agent_cannot_be_asked_has_no_chip_and_no_promise(mode: Mode, entrypoint: Entrypoint) -> None:
    closed = scenery(mode, entrypoint=entrypoint, usable=frozenset[Entrypoint]())
    assert all(chip.entrypoint is None for chip in chips(closed))
    assert "cannot be asked" in (say(closed) or "")
    opened = scenery(mode, entrypoint=entrypoint, usable=frozenset(Entrypoint))
    assert "cannot" not in (say(opened) or "")
    if mode is Mode.invoke_task_agent_for_review:
        assert chips(opened)[0].label == ENTRYPOINTS[entrypoint].user_facing_label
