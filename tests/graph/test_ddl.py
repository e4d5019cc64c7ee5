"""The schema that the registry asks for is the one that the server shows."""

import pytest

from graph_schema import REGISTRY
from graph_schema.ddl import (
    FULLTEXT_INDEX,
    NAMES_INDEX,
    IndexKind,
    embedded_labels,
    schema_ddl,
    vector_ddl,
    vector_property,
)
from service.graph.database import Database
from service.graph.migrations.schema import missing, shown_indexes


async def test_the_server_shows_what_the_registry_asks_for(database: Database) -> None:
    shown = await shown_indexes(database)
    assert missing(schema_ddl(REGISTRY), shown) == []
    assert {row["state"] for row in shown.values()} == {"ONLINE"}


def test_every_indexed_field_of_a_record_type_has_an_index() -> None:
    indexed = {(one.labels[0], one.properties) for one in schema_ddl(REGISTRY) if one.kind is not IndexKind.fulltext}
    for record_type in REGISTRY.types.values():
        own = [one for name, one in record_type.fields.items() if name not in REGISTRY.common_fields and one.indexed]
        assert {(record_type.label, (one.name,)) for one in own} <= indexed
        assert (record_type.label, ("audience", "created_at")) in indexed


def test_constraints_come_before_indexes() -> None:
    kinds = [one.kind is IndexKind.unique for one in schema_ddl(REGISTRY)]
    assert kinds == sorted(kinds, reverse=True)


def test_full_text_covers_every_searched_field() -> None:
    found = {one.name: one for one in schema_ddl(REGISTRY) if one.kind is IndexKind.fulltext}
    assert {*found} == {FULLTEXT_INDEX, NAMES_INDEX}
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
