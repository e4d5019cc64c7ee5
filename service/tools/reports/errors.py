"""Why a report about tools or asks is refused, and what is said beside one that is taken."""

from collections.abc import Sequence

from service.errors import TaskloreError


class EvidenceRequired(TaskloreError):
    """Without evidence, "not my job" would be an escape that costs nothing."""

    code = "referral_evidence_required"

    def __init__(self) -> None:
        super().__init__(
            "A referral says what shows that the request crosses the tool's boundary.",
            field="metadata.evidence",
            remedy="Say in metadata.evidence what was tried and what came of it, or report execution_error.",
        )


class AxesRequired(TaskloreError):
    code = "boundary_axes_required"

    def __init__(self, known: Sequence[str]) -> None:
        super().__init__(
            "A referral says on which axes the request crosses the tool's boundary.",
            field="metadata.boundary_axes",
            remedy=f"Name at least one, in a word or two. Known are {', '.join(known)}; others are taken as they are.",
        )


class AxisUnreadable(TaskloreError):
    code = "boundary_axis_unreadable"

    def __init__(self, said: str) -> None:
        super().__init__(
            f"Nothing is left of the axis {said!r} but marks.",
            field="metadata.boundary_axes",
            remedy="Name the axis in a word or two, such as transport.",
        )


class ReferralMisplaced(TaskloreError):
    code = "invalid_input"

    def __init__(self, outcome: str) -> None:
        super().__init__(
            f"A call that ended with {outcome} names no boundary axes and suggests no split.",
            field="metadata",
            remedy="Report wrong_tool_boundary or low_utility, or leave them out.",
        )


class ErrorMisplaced(TaskloreError):
    code = "invalid_input"

    def __init__(self, outcome: str) -> None:
        super().__init__(
            f"A call that ended with {outcome} has no error class and no error code.",
            field="outcome_type",
            remedy="Report execution_error, or leave them out.",
        )


class SourceNeeded(TaskloreError):
    code = "missing_field"

    def __init__(self) -> None:
        super().__init__(
            "Which system this comes from is not told.",
            field="source",
            remedy="Give `source`, or use a key that has one by default.",
        )


class SpanNeedsRun(TaskloreError):
    code = "missing_field"

    def __init__(self) -> None:
        super().__init__(
            "A span is one of a run, and no run is named.",
            field="run",
            remedy="Name the run with the span, or leave the span out.",
        )


class RunUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, ref: object) -> None:
        super().__init__(
            f"There is no run {ref} that you can see.",
            field="run",
            remedy="Report the run first (reportRunEvents), or leave it out and say whose this is (matterIds).",
        )


class RunKeptPrivate(TaskloreError):
    code = "validation.incognito_blocks_requested_memory"

    def __init__(self) -> None:
        super().__init__(
            "The run is private: nothing is learned from it.",
            field="run",
            remedy="Leave the report out, or report it without the run.",
        )
