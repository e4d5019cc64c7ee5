"""A fix of a preflight as a proposal: what was found, and the patch that would mend it, for a person to decide."""

from graph_schema.learning.proposal_words import Operation, ProposalKind
from service.access.viewer import Viewer
from service.commands import Outcome, RecordRef
from service.graph.database import Database
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightFix, PreflightIssue
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.patching import GRAPH_OPERATIONS
from service.knowledge.preflight.report import PreflightReport
from service.learning.errors import FixNotProposable, FixUnknown
from service.learning.proposals import cypher
from service.learning.proposals.commands import Proposals
from service.learning.proposals.graph_patch import plain
from service.learning.proposals.inputs import ProposalInput, ProposalStep


class ProposedFixes:
    def __init__(self, database: Database, preflights: KeptPreflights, proposals: Proposals) -> None:
        self._database = database
        self._preflights = preflights
        self._proposals = proposals

    async def propose(self, viewer: Viewer, preflight_id: str, title: str, *, command_id: str | None = None) -> Outcome:
        """Propose the fix of this title, as a kept preflight found it, for the task or template that it examined."""
        try:
            report = (await self._preflights.replay(viewer, preflight_id)).now
        except (ValueError, KeyError, TypeError):  # it was kept in words that are no longer known
            raise FixUnknown(title, ()) from None
        issue, fix = _found(report, title)
        of_blueprint = _is_of_blueprint(fix)
        statement = cypher.EXAMINED_BLUEPRINT if of_blueprint else cypher.EXAMINED
        row = await self._database.read_one(statement, id=preflight_id, audiences=viewer.audiences)
        if row is None:
            what = "blueprint" if of_blueprint else "task or template"
            raise FixNotProposable(title, f"what it examined is no {what} that you can see")
        given = ProposalInput(
            proposal_kind=ProposalKind.task_template_update,
            target=RecordRef(id=row["id"]),
            steps=steps_of_fix(fix),
            rationale=issue.message,
            expected_effect=f"{issue.code} is found no more.",
            supported_by=(RecordRef(id=preflight_id),),
        )
        return await self._proposals.propose(viewer, given, command_id=command_id)


def _found(report: PreflightReport, title: str) -> tuple[PreflightIssue, PreflightFix]:
    issues = (*report.blocking_issues, *report.warnings)
    found = next(((one, one.fix) for one in issues if one.fix and one.fix.title == title), None)
    if found is None:
        raise FixUnknown(title, [one.title for one in report.recommended_fixes])
    return found


def steps_of_fix(fix: PreflightFix) -> tuple[ProposalStep, ...]:
    kinds = {one.op for one in fix.operations}
    if kinds <= GRAPH_OPERATIONS:
        return (ProposalStep(operation=Operation.patch_graph, value=plain(fix.operations)),)
    if kinds == {FixOp.allow_capability}:
        return tuple(
            ProposalStep(operation=Operation.link, relation="ALLOWS", head=RecordRef(id=str(one.record_id)))
            for one in fix.operations
        )
    if _is_of_blueprint(fix):
        return tuple(_of_blueprint(one) for one in fix.operations)
    others = ", ".join(sorted(one.value for one in kinds - GRAPH_OPERATIONS))
    why = fix.not_proposable_because or f"{others} is no change of a graph, a blueprint or of what a task is allowed."
    raise FixNotProposable(fix.title, why.removesuffix("."))


_BINDING = frozenset({FixOp.bind_step, FixOp.declare_side_effect, FixOp.set_artifact_level})


def _is_of_blueprint(fix: PreflightFix) -> bool:
    return fix.not_proposable_because is None and all(one.op in _BINDING for one in fix.operations)


def _of_blueprint(one: FixOperation) -> ProposalStep:
    if one.op is FixOp.set_artifact_level and one.step_key is None:
        return ProposalStep(operation=Operation.set_value, field="artifact_policy", value=one.value)
    if one.op is FixOp.set_artifact_level:
        values = {"artifact_policy_override": one.value}
        level = {"op": "set_part", "part": "steps", "key": one.step_key, "values": values}
        return ProposalStep(operation=Operation.patch_blueprint, value=[level])
    bound = {"op": "set_part", "part": "steps", "key": one.step_key, "values": {"bound_modules": [one.module_key]}}
    declared = {"side_effect_class": one.field_name, "review_required": one.value == "true"}
    patch = bound if one.op is FixOp.bind_step else {"op": "add_part", "part": "side_effects", "values": declared}
    return ProposalStep(operation=Operation.patch_blueprint, value=[patch])
