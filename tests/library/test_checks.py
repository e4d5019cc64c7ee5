"""What is refused because it says nothing or contradicts itself."""

from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.library.errors import GraphInvalid, NeedContradicts, PhraseSaysNothing
from service.library.graphs import CableInput, GraphInput, ModuleInput, canonical
from service.records import Records
from service.runtime.compose import hooks
from tests.viewers import viewer_of


@pytest.fixture
def records(database: Database) -> Records:
    return Records(Commands(database, REGISTRY, lambda _new_audience: None), hooks())


@pytest.mark.parametrize(
    ("label", "values", "field"),
    [
        ("Template", {"trigger_phrases": ["draft it", "  "]}, "trigger_phrases"),
        ("Template", {"non_use_conditions": ["what is it"]}, "non_use_conditions"),
        ("Directive", {"directive_kind": "prefer_when_phrase", "phrase_or_condition": "do it"}, "phrase_or_condition"),
        ("Directive", {"directive_kind": "avoid_for_task_type", "phrase_or_condition": " "}, "phrase_or_condition"),
    ],
)
async def test_a_phrase_that_says_nothing_is_refused(
    records: Records, database: Database, label: str, values: dict[str, Any], field: str
) -> None:
    with pytest.raises(PhraseSaysNothing) as refused:
        await records.save(await viewer_of(database), label, {"name": "X", **values})
    assert (refused.value.code, refused.value.field) == ("phrase_says_nothing", field)
    assert refused.value.remedy


async def test_asking_always_needs_no_phrase(records: Records, database: Database) -> None:
    asks = {"name": "X", "directive_kind": "require_user_confirmation", "phrase_or_condition": ""}
    await records.save(await viewer_of(database), "Directive", asks)


async def test_a_blank_name_is_refused(records: Records, database: Database) -> None:
    with pytest.raises(InputInvalid) as refused:
        await records.save(await viewer_of(database), "Template", {"name": "   "})
    assert (refused.value.field, "blank" in refused.value.message) == ("name", True)


async def test_nothing_requires_what_it_denies(records: Records, database: Database) -> None:
    viewer = await viewer_of(database)
    template = (await records.save(viewer, "Template", {"name": "T"})).result["id"]
    capability = (await records.save(viewer, "Capability", {"name": "Mail", "capability_kind": "tool"})).result["id"]
    tail, head, viewer = RecordRef(id=template), RecordRef(id=capability), await viewer_of(database)
    await records.link(viewer, tail, "REQUIRES", head, {})
    with pytest.raises(NeedContradicts):
        await records.link(viewer, tail, "DENIES", head, {})
    await records.link(viewer, tail, "REQUIRES", head, {}, remove=True)
    await records.link(viewer, tail, "DENIES", head, {})


async def test_an_unknown_polarity_is_refused_with_the_known_ones(records: Records, database: Database) -> None:
    viewer = await viewer_of(database)
    template = (await records.save(viewer, "Template", {"name": "T"})).result["id"]
    liked = (await records.save(viewer, "Preference", {"name": "P", "statement": "short memos"})).result["id"]
    viewer = await viewer_of(database)
    with pytest.raises(InputInvalid, match="prefer, avoid, require, forbid"):
        await records.link(viewer, RecordRef(id=liked), "APPLIES_TO", RecordRef(id=template), {"polarity": "perfer"})


def test_a_cable_to_a_port_that_the_module_does_not_have_is_refused() -> None:
    modules = [
        ModuleInput("a", "x", output_ports=["out"]),
        ModuleInput("b", "x", input_ports=["in"]),
        ModuleInput("c", "x"),
    ]
    canonical(GraphInput(modules, [CableInput("a", "b", "out", "in"), CableInput("a", "c", None, "any")]))
    for cable in (CableInput("a", "b", "out", "typo"), CableInput("a", "b", "typo", "in")):
        with pytest.raises(GraphInvalid, match="typo"):
            canonical(GraphInput(modules, [cable]))
