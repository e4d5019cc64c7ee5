"""Why an artifact does not go further."""

from service.errors import TaskloreError


class NotFurther(TaskloreError):
    code = "not_a_promotion"

    def __init__(self, held: str, wanted: str) -> None:
        super().__init__(
            f"The artifact is at {held} already; {wanted} is not further.",
            field="level",
            remedy="Name a level that goes further; docs/artifacts.md lists them in order.",
        )


class NothingToReview(TaskloreError):
    code = "nothing_to_review"

    def __init__(self, artifact_id: str) -> None:
        super().__init__(
            f"Nobody is asked about {artifact_id}.",
            field="artifact",
            remedy="Use promoteArtifact to have it go further.",
        )


class RunNotKnown(TaskloreError):
    code = "run_unknown"

    def __init__(self, artifact_id: str) -> None:
        super().__init__(
            f"The run that made {artifact_id} is not known, so nothing says whether it may be promoted.",
            field="artifact",
            remedy="Report the run's artifact_produced event first.",
        )


class ArtifactCompacted(TaskloreError):
    code = "artifact_compacted"

    def __init__(self, artifact_id: str) -> None:
        super().__init__(
            f"Of {artifact_id} only its place in the lineage is left.",
            field="artifact",
            remedy="Report what you have of it as an artifact of a new run.",
        )


class LibraryMissing(TaskloreError):
    code = "validation.doc73_library_missing"

    def __init__(self) -> None:
        super().__init__(
            "It is not said which library this is for, or there is no such library that you can see.",
            field="library",
            remedy="Name an entity of the kind library (saveEntity makes one).",
        )


class ProcessingMissing(TaskloreError):
    code = "validation.doc25_required_but_unavailable"

    def __init__(self, intent_id: str) -> None:
        super().__init__(
            f"{intent_id} has to be processed as a document first, and no reference of that is known.",
            field="document_ingestion_ref",
            remedy="Give the reference of the processing, or record that it failed.",
        )


class AlreadySettled(TaskloreError):
    code = "receipt_conflict"

    def __init__(self, intent_id: str, held: str, told: str) -> None:
        super().__init__(
            f"{intent_id} is {held}; it cannot become {told}.",
            field="status",
            remedy="The first outcome stands. Create a new intent for another attempt.",
        )


class IntakeTooLow(TaskloreError):
    code = "promotion_needed"

    def __init__(self, artifact_id: str, level: str) -> None:
        super().__init__(
            f"{artifact_id} is at {level}, which does not lead into a library.",
            field="artifact",
            remedy="Use promoteArtifact with level doc73_library_ingestion and the library.",
        )
