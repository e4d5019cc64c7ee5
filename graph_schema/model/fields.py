"""The kinds of value a record may hold, with their bounds, and how a field is declared."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, StringConstraints
from pydantic import Field as PydanticField

from graph_schema.model.texts import PLAIN
from graph_schema.model.times import read_time

NAME_LENGTH = 200
TEXT_LENGTH = 2_000
LONG_TEXT_LENGTH = 20_000
OPAQUE_LENGTH = 200_000
KEY_LENGTH = 500
LIST_LENGTH = 200
MOST_MATTERS = 10_000


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


Name = Annotated[
    str, StringConstraints(min_length=1, max_length=NAME_LENGTH, pattern=PLAIN), AfterValidator(_not_blank)
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH, pattern=PLAIN)]
Text = Annotated[str, StringConstraints(max_length=TEXT_LENGTH, pattern=PLAIN)]
LongText = Annotated[str, StringConstraints(max_length=LONG_TEXT_LENGTH, pattern=PLAIN)]
Opaque = Annotated[str, StringConstraints(max_length=OPAQUE_LENGTH, pattern=PLAIN)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=KEY_LENGTH, pattern=PLAIN)]
Timestamp = Annotated[str, BeforeValidator(read_time), "timestamp"]
Long = Annotated[int, "long"]
Words = Annotated[list[Word], PydanticField(max_length=LIST_LENGTH)]
Texts = Annotated[list[Text], PydanticField(max_length=LIST_LENGTH)]
Keys = Annotated[list[Key], PydanticField(max_length=LIST_LENGTH)]
Matters = Annotated[list[Key], PydanticField(max_length=MOST_MATTERS)]


class DataClass(StrEnum):
    """How sensitive a record is, from least to most."""

    public = "public"
    internal = "internal"
    privileged = "privileged"
    local_only = "local_only"


class EvidenceLayer(StrEnum):
    """What kind of evidence a record or a link is."""

    run_truth = "run_truth"
    memory = "memory"
    learning = "learning"


class Kind(StrEnum):
    """The type of one value, as the graph, GraphQL and JSON all see it."""

    string = "string"
    integer = "integer"
    long = "long"
    number = "number"
    boolean = "boolean"
    timestamp = "timestamp"
    enum = "enum"


@dataclass(frozen=True, slots=True)
class Field:
    """One property of a record or of a link, read from its pydantic declaration."""

    name: str
    kind: Kind
    many: bool
    required: bool
    description: str
    max_length: int | None
    enum: type[StrEnum] | None
    indexed: bool
    fulltext: bool
    authored: bool
    hidden: bool
    filtered: bool = False
    ordered: bool = False
    counts: str = ""


def field(
    description: str,
    *,
    default: Any = ...,
    make: Callable[[], Any] | None = None,
    filtered: bool = False,
    ordered: bool = False,
    indexed: bool = False,
    fulltext: bool = False,
    authored: bool = True,
    hidden: bool = False,
    counts: str = "",
    alias: str | None = None,
    ge: float | None = None,
    le: float | None = None,
) -> Any:
    """Declare a property. `authored`: a caller may set it; `hidden`: it is no part of any API.

    `filtered`: lists can be filtered by it, which costs nothing when a record is written. `ordered`: lists can be
    ordered by it, so it has an index behind the audience. `indexed`: it is looked up, as keys and references are, so
    it has an index of its own. What is ordered or indexed can be filtered by, too. `counts`: what is stored counts all;
    who reads it is told how many they may see of what its relations lead to (`INJECTED|EXCLUDED`), or of the parts of
    the run that have this label (`Artifact`).
    """
    marks: dict[str, Any] = {
        "filtered": filtered or ordered or indexed,
        "ordered": ordered,
        "indexed": indexed,
        "fulltext": fulltext,
        "authored": authored and not hidden,
        "hidden": hidden,
        "counts": counts,
    }
    options: dict[str, Any] = {"description": description, "json_schema_extra": marks, "ge": ge, "le": le}
    if alias:
        options["alias"] = alias
    if make is not None:
        return PydanticField(default_factory=make, **options)
    return PydanticField(default=default, **options)
