"""What an administrator may say about a principal or a key."""

from typing import Annotated

from pydantic import AfterValidator
from pydantic import Field as PydanticField

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import MOST_MATTERS, DataClass, Name, Timestamp, field
from graph_schema.model.record import Properties
from service.access.viewer import OPERATOR, SIGN_IN, KeyScope, PrincipalKind

RESERVED_NAMES = frozenset({OPERATOR.name, SIGN_IN.name})


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be one line of printable characters, with no space around it")
    return text


def _free(name: str) -> str:
    if name.lower() in RESERVED_NAMES:
        raise ValueError("is the name that the service itself acts under")
    if name.startswith("prn_"):
        raise ValueError("must not look like an id")
    return name


Label = Annotated[Name, AfterValidator(_printable)]
PrincipalName = Annotated[Label, AfterValidator(_free)]
Matters = Annotated[list[Label], PydanticField(max_length=MOST_MATTERS)]
Scopes = Annotated[list[KeyScope], PydanticField(min_length=1, max_length=len(KeyScope))]


class NewPrincipal(Properties):
    """Somebody or something that may call the service."""

    name: PrincipalName = field("What it is called; unique.")
    kind: PrincipalKind = field("What it is in the world.", default=PrincipalKind.person)
    clearance: DataClass = field("The most sensitive class that it may see.", default=DataClass.internal)
    matter_ids: Matters = field("The matters that it is a member of.", make=list)
    all_matters: bool = field("Whether it is a member of every matter, also of later ones.", default=False)


class PrincipalChange(Properties):
    """What is left out stays as it is."""

    name: PrincipalName | None = field("A new name.", default=None)
    kind: PrincipalKind | None = field("What it is in the world.", default=None)
    clearance: DataClass | None = field("The most sensitive class that it may see.", default=None)
    all_matters: bool | None = field("Whether it is a member of every matter.", default=None)


class NewKey(Properties):
    """A key for a principal. Its text is made by the service and shown once."""

    principal: Label = field("Id or name of the principal.")
    name: Label = field("What the key is for, in words.")
    scopes: Scopes = field("What it may be used for.")
    expires_at: Timestamp | None = field("When it ceases to work; without it in 90 days.", default=None)
    default_memory_mode: MemoryMode | None = field("How new runs are remembered, where no report says.", default=None)
    default_data_class: DataClass | None = field("How sensitive they are, where no report says.", default=None)
    default_matter_ids: Matters | None = field("The matters that they belong to, where no report says.", default=None)
    default_source: Label | None = field("The system that runs are named by, where no report says.", default=None)


class PrincipalRef(Properties):
    principal: Label = field("Id or name of the principal.")


class KeyRef(Properties):
    key: Label = field("Id of the key.")


class Membership(PrincipalRef):
    """Matters to add to a principal, or to take from it."""

    matter_ids: Annotated[Matters, PydanticField(min_length=1)] = field("Ids of the matters.")
