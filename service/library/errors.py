"""Why a change of the library is refused."""

from service.errors import TaskloreError


class GraphInvalid(TaskloreError):
    code = "graph_invalid"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy="Correct the graph and send it again, whole.")


class GraphTooLarge(TaskloreError):
    code = "graph_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"The graph has {size:,} {field}; at most {limit:,} are kept.",
            field=field,
            remedy="Split the task, or keep the graph with its owner and save a summary of it.",
            facts={"limit": limit, "size": size},
        )


class PhraseSaysNothing(TaskloreError):
    code = "phrase_says_nothing"

    def __init__(self, field: str, text: str) -> None:
        what = "has only common words" if text.strip() else "is blank"
        super().__init__(
            f"{field}: “{text.strip()}” {what}, so that it tells no request from another.",
            field=field,
            remedy="Say it in words that carry meaning, as people would when they want it; or leave it out.",
        )


class NeedContradicts(TaskloreError):
    code = "need_contradicts"

    def __init__(self, field: str, capability: str) -> None:
        super().__init__(
            f"{capability} would be required and denied at once.",
            field=field,
            remedy="Take one of the two away (unlinkRecords), or leave one of them out.",
            facts={"capability": capability},
        )


class VersionUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, field: str, blueprint_id: str, version: int) -> None:
        super().__init__(
            f"{blueprint_id} has no version {version} that you can see.",
            field=field,
            remedy="Name a version that its `history` tells, or leave it out for the present one.",
        )


class VersionNotKept(TaskloreError):
    code = "blueprint_version_not_kept"

    def __init__(self, field: str, blueprint_id: str, version: int) -> None:
        super().__init__(
            f"The content of version {version} of {blueprint_id} was not kept: it is older than that, or too long.",
            field=field,
            remedy="Compare a later version; saveBlueprint keeps the content of what it saves.",
        )


class OwnerUnsaved(TaskloreError):
    code = "owner_unsaved"

    def __init__(self, ref: object) -> None:
        super().__init__(
            f"{ref} is known only by its outside key, so nobody knows yet who may see its graph.",
            field="of",
            remedy="Save the task or template first (saveTask, saveTemplate), with its class and matters.",
        )


class SearchRequired(TaskloreError):
    code = "validation.task_agent_template_search_required"

    def __init__(self, problem: str = "") -> None:
        """`problem`: why the match that was named does not count."""
        told = f" The match that is named does not show it: {problem}." if problem else ""
        super().__init__(
            f"An agent makes a new graph only after it has looked for a template that already does the work.{told}",
            field="searched",
            remedy="Keep the answer of matchTemplates (recordMatch) and name it, or make the task from a template.",
        )


class BlueprintGraphMismatch(TaskloreError):
    code = "validation.blueprint_graph_mismatch"

    def __init__(self, step: str, module: str) -> None:
        super().__init__(
            f"The step {step!r} is bound to the module {module!r}, which the graph does not have.",
            field="steps.bound_modules",
            remedy="Save the graph first (saveGraph), or bind the step to one of its modules.",
        )


class SegmentWithoutPorts(TaskloreError):
    code = "validation.task_segment_missing_exposed_io"

    def __init__(self) -> None:
        super().__init__(
            "These modules neither take nor give anything that a cable outside of them could carry.",
            field="modules",
            remedy="Choose modules with ports that lead outside, or give the modules their ports (saveGraph).",
        )


class SegmentNotInGraph(TaskloreError):
    code = "segment_not_in_graph"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The segment is not in this graph: {problem}.",
            field="graph.segments",
            remedy="Name each module of the segment by its key in the graph, with the cables between them.",
        )


class SelectionInvalid(TaskloreError):
    code = "selection_invalid"

    def __init__(self, problem: str) -> None:
        super().__init__(f"modules: {problem}.", field="modules", remedy="Name modules of the graph by their keys.")
