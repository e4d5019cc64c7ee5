"""Inputs that are made from what services take."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import strawberry

from resolvers.engine.execution import ReadSchema
from resolvers.generated.inputs import input_type
from service.commands import RecordRef
from service.views import OrNull


@dataclass(frozen=True, slots=True, kw_only=True)
class PartInput:
    """A part."""

    words: Annotated[OrNull[tuple[str, ...]], "Words."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeInput:
    """A whole."""

    run: Annotated[RecordRef, "A run."]
    count: Annotated[int, "How many."] = 1
    refs: Annotated[tuple[RecordRef, ...], "Records."] = ()
    others: Annotated[OrNull[tuple[RecordRef, ...]], "Others."] = ()
    part: Annotated[OrNull[PartInput], "A part."] = PartInput()
    name: Annotated[str | None, "A name."] = None
    own: str = "of the service alone"


Whole = Annotated[WholeInput, strawberry.argument(graphql_type=input_type(WholeInput))]
GIVEN: list[WholeInput] = []


@strawberry.type
class Query:
    @strawberry.field
    def take(self, whole: Whole) -> bool:
        GIVEN.append(whole)
        return True


SHOWN = '''"""A whole."""
input WholeInput {
  """A run."""
  run: RecordRefInput!

  """How many."""
  count: Int! = 1

  """Records."""
  refs: [RecordRefInput!]! = []

  """Others."""
  others: [RecordRefInput!] = null

  """A part."""
  part: PartInput = null

  """A name."""
  name: String = null
}'''
A, B = RecordRef(id="a"), RecordRef(source="s", key="b")
ALL = WholeInput(run=A, count=2, refs=(A, B), others=(B,), part=PartInput(words=("x",)), name="n")


TOLD = """run: {id: "a"}, count: 2, refs: [{id: "a"}, {source: "s", key: "b"}], others: [{source: "s", key: "b"}],
part: {words: ["x"]}, name: "n\""""


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        ('run: {id: "a"}', WholeInput(run=A)),
        ('run: {id: "a"}, others: null, part: null, name: null', WholeInput(run=A)),
        (TOLD, ALL),
    ],
)
def test_a_resolver_is_handed_what_the_service_takes(told: str, taken: WholeInput) -> None:
    # Strawberry's own schema would change how every schema of the process tells about itself.
    schema = ReadSchema(Query)
    assert SHOWN in schema.as_str()
    answer = schema.execute_sync(f"{{ take(whole: {{{told}}}) }}")
    assert not answer.errors
    assert GIVEN.pop() == taken
