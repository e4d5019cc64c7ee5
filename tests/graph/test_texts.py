"""No text of any record takes a character that only controls; tabs and line ends stay."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from graph_schema.model.fields import Kind
from graph_schema.model.texts import control_in
from graph_schema.registry import REGISTRY
from service.commands.errors import ControlCharacter
from service.commands.validation import validated
from service.principals.inputs import NewKey

CONTROLS = [*map(chr, range(32)), "\x7f"]
ALLOWED = "\t\n\r"
MADE_HERE = {"audience", "word_stems"}
"""Never given by anybody."""


def _text_fields() -> list[Any]:
    return [
        pytest.param(one.model, name, field.many, id=f"{one.label}.{name}")
        for one in REGISTRY.types.values()
        for name, field in one.fields.items()
        if field.kind is Kind.string and field.enum is None and name not in MADE_HERE and name != "id"
    ]


def test_what_a_control_character_is() -> None:
    assert [one for one in CONTROLS if control_in(f"a{one}b") is None] == [*ALLOWED]
    assert control_in("Zoë 🦓\u0085\u200b") is None
    assert control_in("a\x00b\x1b") == "U+0000"


def test_every_text_of_every_record_refuses_control_characters() -> None:
    fields = _text_fields()
    assert len(fields) > 300
    for one in fields:
        model, name, many = one.values
        info = model.model_fields[name]
        adapter: TypeAdapter[Any] = TypeAdapter(info.rebuild_annotation())
        for text, fine in (("a\tb\r\nc", True), ("a\x00b", False), ("a\x1b[0m", False)):
            assert _takes(adapter, [text] if many else text) is fine, (one.id, text)


def _takes(adapter: TypeAdapter[Any], value: Any) -> bool:
    """Whether nothing is said against its characters; its sense is not the question here."""
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        return not any(one["type"] == "string_pattern_mismatch" for one in error.errors())
    return True


def test_the_error_names_the_field_and_the_character() -> None:
    with pytest.raises(ControlCharacter) as caught:
        validated(NewKey, {"principal": "a\x00b", "name": "x", "scopes": ["read"]})
    assert (caught.value.field, caught.value.facts) == ("principal", {"character": "U+0000"})
    assert caught.value.remedy
