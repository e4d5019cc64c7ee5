"""Viewers for tests, with the audiences that the rule of the graph model gives them."""

from collections.abc import Iterable

from graph_schema.model.fields import DataClass
from service.access.audience import cleared
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.graph.database import Database


async def viewer_of(
    database: Database,
    principal_id: str = "prin_admin",
    *,
    clearance: DataClass = DataClass.local_only,
    matters: Iterable[str] | None = None,
    scopes: Iterable[KeyScope] = tuple(KeyScope),
    kind: PrincipalKind = PrincipalKind.person,
) -> Viewer:
    """A viewer of these matters; of all when none are given."""
    rows = await database.read(
        "MATCH (a:Audience) RETURN a.audience AS audience, a.data_class AS data_class, a.matter_ids AS matter_ids, "
        "a.principal_ids AS principal_ids"
    )
    member = None if matters is None else frozenset(matters)
    admin = KeyScope.admin in scopes

    def sees(row: dict[str, object]) -> bool:
        if str(row["audience"]).startswith("stub|"):
            return admin or principal_id in row["principal_ids"]  # pyright: ignore[reportOperatorIssue]
        inside = member is None or member.issuperset(row["matter_ids"])  # pyright: ignore[reportArgumentType]
        return inside and cleared(clearance, str(row["data_class"]))

    return Viewer(
        principal_id=principal_id,
        name=principal_id,
        scopes=frozenset(scopes),
        clearance=clearance,
        matter_ids=member or frozenset(),
        all_matters=member is None,
        audiences=tuple(str(row["audience"]) for row in rows if sees(row)),
        kind=kind,
    )
