"""Why a change to a record is refused."""

from collections.abc import Iterable, Sequence

from graph_schema.library.words import CaseGround
from service.errors import TaskloreError


class RelationUnknown(TaskloreError):
    code = "relation_not_allowed"

    def __init__(self, kind: str, tail: str, head: str, allowed: Iterable[str]) -> None:
        super().__init__(
            f"No relation {kind} leads from {tail} to {head}.",
            field="type",
            remedy=f"Allowed from {tail} to {head}: {', '.join(sorted(allowed)) or 'none'}.",
        )


class RelationManaged(TaskloreError):
    code = "relation_managed"

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"The relation {kind} is kept by the service itself.",
            field="type",
            remedy="It follows from other commands; docs/graph.md says from which.",
        )


class RelationSaved(TaskloreError):
    code = "relation_managed"

    def __init__(self, kind: str, tail: str) -> None:
        super().__init__(
            f"Where {kind} leads from a {tail} is saved with the blueprint, and compared with what it was.",
            field="type",
            remedy="Say it in saveBlueprint; a list that is given is the whole of it.",
        )


class FieldUnknown(TaskloreError):
    code = "invalid_input"

    def __init__(self, label: str, field: str) -> None:
        super().__init__(
            f"{label} has no field {field!r} that you can set.", field=field, remedy="docs/graph.md lists its fields."
        )


class HeldForLaw(TaskloreError):
    code = "legal_hold"

    def __init__(self, record_id: str, held_by: Sequence[str]) -> None:
        """`held_by` are the records under the hold, as far as the viewer may know of them."""
        where = f" on {', '.join(held_by[:5])}" if held_by else ""
        super().__init__(
            f"{record_id} cannot be erased: a legal hold{where} keeps it.",
            field="record",
            remedy="Lift the hold first (setLegalHold), if the law allows it.",
            facts={"held_by": list(held_by)},
        )


class TooManyToErase(TaskloreError):
    code = "too_many_to_erase"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count:,} records would go with it; at most {limit:,} are erased by one command.",
            field="record",
            remedy="Erase its parts first, then the whole.",
            facts={"count": count, "limit": limit},
        )


class KindsDiffer(TaskloreError):
    code = "wrong_kind"

    def __init__(self, problem: str, remedy: str = "Merge two entities of one kind that are both in use.") -> None:
        super().__init__(f"These entities cannot be merged: {problem}.", field="merge", remedy=remedy)


class StateUnknown(TaskloreError):
    code = "state_unknown"

    def __init__(self, label: str, state: str, allowed: Iterable[str]) -> None:
        super().__init__(
            f"A {label} is never in the state {state}.", field="state", remedy=f"Use one of {', '.join(allowed)}."
        )


class CaseGroundMissing(TaskloreError):
    code = "case_ground_missing"

    def __init__(self) -> None:
        super().__init__(
            "A case teaches only on a ground that is kept with it, and this one has none.",
            field="active_because",
            remedy=f"Save the case with `active_because`: one of {', '.join(CaseGround)}.",
        )
