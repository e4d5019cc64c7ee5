"""The schema that the registry asks for is the one that the server shows."""

import pytest

from graph_schema.model.registry import Registry
from graph_schema.output.ddl import (
    CALLED_INDEX,
    FULLTEXT_INDEX,
    NAMES_INDEX,
    IndexKind,
    embedded_labels,
    schema_ddl,
    vector_ddl,
    vector_property,
)
from graph_schema.registry import REGISTRY
from service.graph.database import Database
from service.graph.migrations.schema import missing, shown_indexes
from tests.graph.conftest import GROWN


async def test_the_server_shows_what_the_registry_asks_for(database: Database) -> None:
    shown = await shown_indexes(database)
    assert missing(schema_ddl(REGISTRY), shown) == []
    assert {row["state"] for row in shown.values()} == {"ONLINE"}


MOST_INDEXES = 325
MOST_OF_ONE_TYPE = 5
WITH_MORE = {"Run": 16, "Card": 7, "Activation": 8, "Delivery": 6, "Artifact": 6}
"""Runs are what people list in most ways; cards are sought by what is still to be embedded; steps are found in runs of
any size by where they stand."""


def _ranges(registry: Registry) -> dict[str, set[tuple[str, ...]]]:
    """The properties of all range indexes by label, those of constraints among them."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for one in schema_ddl(registry):
        if one.kind in (IndexKind.range, IndexKind.unique):
            found.setdefault(one.labels[0], set()).add(one.properties)
    return found


@pytest.mark.parametrize("label", list(REGISTRY.types))
def test_what_is_looked_up_or_ordered_by_has_an_index_and_nothing_else_has(label: str) -> None:
    kind = REGISTRY.types[label]
    looked_up = {(one.name,) for one in kind.fields.values() if one.indexed}
    orders = {("audience", one.name) for one in kind.fields.values() if one.ordered}
    declared = {*kind.indexed_together, *([kind.natural_key] if kind.natural_key else [])}
    assert _ranges(REGISTRY)[label] == looked_up | orders | declared
    assert ("audience", "created_at") in orders
    assert ("created_at",) in looked_up


def test_what_can_be_filtered_need_not_be_indexed() -> None:
    fields = [one for kind in REGISTRY.types.values() for one in kind.fields.values()]
    assert [one for one in fields if one.filtered and not one.indexed and not one.ordered]
    assert not [one for one in fields if (one.indexed or one.ordered) and not one.filtered]


def test_there_are_no_more_indexes_than_are_worth_their_writes() -> None:
    found = _ranges(REGISTRY)
    assert sum(len(one) for one in found.values()) <= MOST_INDEXES
    sizes = {label: len(found[label]) for label in REGISTRY.types}
    assert {label: size for label, size in sizes.items() if size > MOST_OF_ONE_TYPE} == WITH_MORE


def test_a_further_record_type_adds_two_indexes_and_one_for_what_it_looks_up() -> None:
    assert len(_ranges(GROWN)["Later"]) == 3


def test_constraints_come_before_indexes() -> None:
    kinds = [one.kind is IndexKind.unique for one in schema_ddl(REGISTRY)]
    assert kinds == sorted(kinds, reverse=True)


def test_full_text_covers_every_searched_field() -> None:
    found = {one.name: one for one in schema_ddl(REGISTRY) if one.kind is IndexKind.fulltext}
    assert {*found} == {FULLTEXT_INDEX, NAMES_INDEX, CALLED_INDEX}
    assert set(found[CALLED_INDEX].labels) == {one.label for one in REGISTRY.types.values() if one.named}
    fulltext = found[FULLTEXT_INDEX]
    searched = {name for one in REGISTRY.types.values() for name, field in one.fields.items() if field.fulltext}
    assert set(fulltext.properties) == searched


def test_each_model_has_its_own_property_and_index() -> None:
    mini, bge = vector_ddl(REGISTRY, "mini_q1", 384), vector_ddl(REGISTRY, "bge_q1", 384)
    for one, other in zip(mini, bge, strict=True):
        assert one.labels == other.labels
        assert one.name != other.name
        assert one.properties != other.properties


def test_cards_and_phrases_are_the_labels_with_vectors() -> None:
    assert set(embedded_labels(REGISTRY)) == {"Card", "Phrase"}


@pytest.mark.parametrize("key", ["", "with space", "Upper", "a`b", "1a"])
def test_a_key_that_is_no_identifier_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        vector_property(key)
