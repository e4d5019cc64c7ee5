"""Why something of the knowledge is refused."""

from service.errors import TaskloreError


class CatalogueAmbiguous(TaskloreError):
    code = "catalogue_ambiguous"

    def __init__(self, field: str, what: str, name: str) -> None:
        super().__init__(
            f"The {what} {name!r} is there twice.",
            field=field,
            remedy="Name each one once: graphs name it, and must lead to one.",
        )


class CatalogueTooLarge(TaskloreError):
    code = "catalogue_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"{field} has {size:,} entries; at most {limit:,} are kept.",
            field=field,
            remedy="Split the catalogue by source, or leave out what no graph uses.",
            facts={"limit": limit, "size": size},
        )


class CatalogueUnreadable(TaskloreError):
    code = "catalogue_unreadable"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"{field}: {problem}.", field=field, remedy="seeds/knowledge/catalogue.yaml shows the shape of a catalogue."
        )


class PreflightSubject(TaskloreError):
    code = "preflight_subject_invalid"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"There is nothing to examine: {problem}.",
            field="of",
            remedy="Name a task, template, blueprint or graph in `of`, or give a whole graph in `graph`.",
        )


class PreflightTooLarge(TaskloreError):
    code = "preflight_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"What was known or found takes {size:,} characters; at most {limit:,} are kept.",
            field=field,
            remedy="Ask for it with `preflight`, which keeps nothing, or split the graph.",
            facts={"limit": limit, "size": size},
        )


class PackNotUsable(TaskloreError):
    code = "knowledge_pack_rejected"

    def __init__(self, pack_id: str, reason: str) -> None:
        super().__init__(
            f"The pack {pack_id} was rejected: {reason}",
            field="pack",
            remedy="Mend what is named, and compile again (compileKnowledge).",
        )
