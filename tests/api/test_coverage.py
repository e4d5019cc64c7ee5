"""The tables of docs/coverage.md are true: every field of the sections is told of, every place is in the schema."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from graphql import GraphQLEnumType, get_named_type

from graph_schema.model.names import api_name
from tests.api.schema import committed_schema
from tests.api.specified import SECTIONS, WORDS

PAGE = (Path(__file__).parents[2] / "docs/coverage.md").read_text()
EVERYWHERE = "Everywhere"
NOT_HERE = "**not here**: "
_ROW = re.compile(r"^\| (`.+`) \| (.+) \|$", re.MULTILINE)
_PLACE = re.compile(r"`([A-Z]\w*)(?:\.(\w+))?`")


class Row(NamedTuple):
    """Fields of a structure, and what is said of where they are."""

    fields: list[str]
    told: str

    def places(self, field: str) -> Iterator[tuple[str, str]]:
        """The type and the name there. A type alone has the field under its own name, a word of an enum as it is."""
        for type_, name in _PLACE.findall(self.told):
            own = field.rpartition(".")[2]
            is_enum = isinstance(committed_schema().type_map.get(type_), GraphQLEnumType)
            yield type_, name or (own if is_enum else api_name(own))


def _tables() -> dict[str, list[Row]]:
    _, whole = PAGE.split("## 004, field by field")
    parts = re.split(r"^### (.+)$", whole.split("\n## ")[0], flags=re.MULTILINE)[1:]
    return {
        name: [Row(re.findall(r"`([\w.]+)`", fields), told) for fields, told in _ROW.findall(text)]
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


TABLES = _tables()
ROWS = [(name, row) for name, rows in TABLES.items() for row in rows]


def _there(type_: str, name: str) -> Any:
    """The field of a type, or the word of an enum."""
    found: Any = committed_schema().type_map.get(type_)
    if isinstance(found, GraphQLEnumType):
        return found.values.get(name)
    return found.fields.get(name) if hasattr(found, "fields") else None


def test_there_is_a_table_for_every_structure_and_no_other() -> None:
    assert [*TABLES] == [EVERYWHERE, *SECTIONS]


@pytest.mark.parametrize("name", SECTIONS)
def test_every_field_of_a_structure_is_told_of_once(name: str) -> None:
    told = [one for row in (*TABLES[EVERYWHERE], *TABLES[name]) for one in row.fields]
    assert sorted(told) == sorted(SECTIONS[name].split())


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name} {row.fields[0]}" for name, row in ROWS])
def test_what_is_told_to_be_somewhere_is_there(name: str, row: Row) -> None:
    del name
    if row.told.startswith(NOT_HERE):
        assert row.told.removeprefix(NOT_HERE)
        return
    for field in row.fields:
        places = list(row.places(field))
        assert places, field
        assert not [place for place in places if _there(*place) is None]


@pytest.mark.parametrize(("name", "row"), [one for one in ROWS if one[1].told.startswith(NOT_HERE)])
def test_what_is_told_to_be_missing_is_not_there_by_its_name(name: str, row: Row) -> None:
    homes = {
        type_ for other in TABLES[name] if other is not row for type_, name in _PLACE.findall(other.told) if not name
    }
    for field in row.fields:
        own = api_name(field.rpartition(".")[2])
        called = {own, own.replace("Ids", "Keys")}  # modules are known by their keys here
        assert not [(home, one) for home in homes for one in called if _there(home, one) is not None]


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in WORDS.items() for field in fields])
def test_a_field_of_words_has_all_words_of_the_specification(name: str, field: str) -> None:
    [row] = [one for one in TABLES[name] if field in one.fields]
    kinds: list[Any] = [
        get_named_type(_there(*place).type) for place in row.places(field) if _there(*place) is not None
    ]
    words = [{*kind.values} for kind in kinds if isinstance(kind, GraphQLEnumType)]
    assert any({*WORDS[name][field].split()} <= one for one in words), kinds
