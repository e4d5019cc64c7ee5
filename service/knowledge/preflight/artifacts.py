"""How far outputs will go: whether the policies do what the blueprint asks for, and what was used before."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import Endpoint, IntakeLevel, IntakeRule, OutputClass
from service.knowledge.preflight.facts import NONE, Facts, ModuleFacts, Raw
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightFix, PreflightIssue, fix

ORDER = {level: rank for rank, level in enumerate(IntakeLevel)}
DOCUMENTS, WORK_PRODUCT, LIBRARY = (
    IntakeLevel.doc25_document_ingestion,
    IntakeLevel.doc25_work_product_ingestion,
    IntakeLevel.doc73_library_ingestion,
)
PRIVATE = frozenset({"memory_incognito", "full_ephemeral_test"})
INTAKE = "output.library"
_REMEMBER = fix("Remember the run", FixOperation(op=FixOp.set_memory_mode, value="standard"))
REUSED_FROM = 2
"""Uses of earlier outputs that show that people come back to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightArtifact:
    """How far an output of a module will go, by the policies of now."""

    module_key: Annotated[str, "The module."]
    output_class: Annotated[OutputClass, "What part it plays in a run."]
    level: Annotated[IntakeLevel, "How far it goes."]
    rule: Annotated[IntakeRule, "What decides this."]
    endpoint: Annotated[Endpoint | None, "Where it ends up once it was processed."]
    made: Annotated[int, "How many earlier runs made."]
    used: Annotated[int, "How many of these were opened, bookmarked, cited or taken up by another step."]


def previews(facts: Facts) -> list[PreflightArtifact]:
    past = {one["module_key"]: one for one in facts.raw.get("outputs") or ()}
    return [
        PreflightArtifact(
            module_key=one["module_key"],
            output_class=OutputClass(one["output_class"]),
            level=IntakeLevel(one["level"]),
            rule=IntakeRule(one["rule"]),
            endpoint=Endpoint(one["endpoint"]) if one.get("endpoint") else None,
            made=past.get(one["module_key"], {}).get("made", 0),
            used=past.get(one["module_key"], {}).get("used", 0),
        )
        for one in facts.raw.get("intake") or ()
    ]


def artifacts(facts: Facts) -> Iterator[PreflightIssue]:
    for where, level in _asked(facts):
        yield from _asked_for(facts, where, level)
    for module in facts.enabled:
        if module.type_name == INTAKE:
            yield from _put_in(facts, module)
    yield from _kept_with_run(facts)
    for one in facts.raw.get("outputs") or ():
        if _is_reused(facts, one):
            yield _reused(facts, one)


def _asked(facts: Facts) -> list[tuple[str | None, IntakeLevel]]:
    """What the blueprint and its steps ask for, beyond what is kept with a run."""
    whole = (facts.blueprint or NONE).get("artifact_policy")
    steps = [(one["step_key"], one.get("artifact_policy_override")) for one in facts.steps()]
    told: list[tuple[str | None, str | None]] = [(None, whole), *steps]
    return [(where, IntakeLevel(level)) for where, level in told if level and IntakeLevel(level) in ORDER]


def _asked_for(facts: Facts, where: str | None, level: IntakeLevel) -> Iterator[PreflightIssue]:
    mode = facts.raw.get("memory_mode")
    if mode in PRIVATE and ORDER[level] > ORDER[IntakeLevel.run_only]:
        yield PreflightIssue(
            check=PreflightCheck.memory_blocked,
            message=f"The run would be {mode}, and the blueprint asks for {level} of what it makes.",
            step_key=where,
            fix=_REMEMBER,
        )
    elif level is DOCUMENTS and not _named_endpoint(facts):
        yield PreflightIssue(
            check=PreflightCheck.documents_not_routed,
            message="Documents are to be processed, and no policy says where they end up.",
            step_key=where,
            fix=fix(
                "Save them as work products",
                FixOperation(op=FixOp.set_artifact_level, step_key=where, value=WORK_PRODUCT.value),
            ),
        )
    elif level is LIBRARY and not _has_library(facts):
        yield PreflightIssue(
            check=PreflightCheck.library_missing,
            message="What is made is to become part of a library, and no library is named.",
            step_key=where,
        )
    elif level in (DOCUMENTS, WORK_PRODUCT, LIBRARY):
        yield from _held_back(facts, where, level)


def _put_in(facts: Facts, module: ModuleFacts) -> Iterator[PreflightIssue]:
    """A module that puts something into a library asks for what the level of the same name asks for."""
    mode = facts.raw.get("memory_mode")
    if mode in PRIVATE:
        yield PreflightIssue(
            check=PreflightCheck.memory_blocked,
            message=f"The run would be {mode}, and {module.key} puts what it is given into a library.",
            module_key=module.key,
            fix=_REMEMBER,
        )
    if not module.config.get("library") and not facts.raw.get("libraries"):
        yield PreflightIssue(
            check=PreflightCheck.library_missing,
            message=f"{module.key} puts what it is given into a library, and no library is named.",
            module_key=module.key,
        )


def _held_back(facts: Facts, where: str | None, level: IntakeLevel) -> Iterator[PreflightIssue]:
    """A policy that stands above the blueprint keeps an output from going where the blueprint has it go."""
    for one in facts.raw.get("intake") or ():
        told = {IntakeRule.module_port, IntakeRule.task_port, IntakeRule.capture_mode, IntakeRule.output_class}
        lower = ORDER[IntakeLevel(one["level"])] < ORDER[level]
        if where is None and one["output_class"] == OutputClass.final_output and lower and one["rule"] in told:
            yield PreflightIssue(
                check=PreflightCheck.documents_not_routed,
                message=f"The blueprint asks for {level} of what {one['module_key']} makes, and a policy has it "
                f"{one['level']}.",
                module_key=one["module_key"],
                evidence=(f"The rule that decides is {one['rule']}.",),
                fix=_further(one["module_key"], level),
            )


def _named_endpoint(facts: Facts) -> bool:
    return bool(facts.raw.get("endpoints"))


def _has_library(facts: Facts) -> bool:
    named = (one.config.get("library") for one in facts.enabled if one.type_name == INTAKE)
    return bool(facts.raw.get("libraries")) or any(named)


def _kept_with_run(facts: Facts) -> Iterator[PreflightIssue]:
    """Of what binds somebody a work product is made, unless the blueprint says how far it goes."""
    blueprint = facts.blueprint or NONE
    if blueprint.get("output_stakes") != "filing_or_binding" or blueprint.get("artifact_policy"):
        return
    for one in facts.raw.get("intake") or ():
        if one["output_class"] == OutputClass.final_output and ORDER[IntakeLevel(one["level"])] < ORDER[WORK_PRODUCT]:
            yield PreflightIssue(
                check=PreflightCheck.final_output_kept_with_run,
                message=f"What {one['module_key']} makes binds somebody, and becomes no work product.",
                module_key=one["module_key"],
                fix=fix(
                    f"Make a work product of what {one['module_key']} makes",
                    FixOperation(op=FixOp.set_artifact_level, value=WORK_PRODUCT.value),
                ),
            )


def _is_reused(facts: Facts, one: Raw) -> bool:
    goes = next((each for each in facts.raw.get("intake") or () if each["module_key"] == one["module_key"]), None)
    level = IntakeLevel(goes["level"]) if goes else IntakeLevel.run_only
    return one["used"] >= REUSED_FROM and ORDER[level] <= ORDER[IntakeLevel.run_only]


def _reused(facts: Facts, one: Raw) -> PreflightIssue:
    bound = next((step["step_key"] for step in facts.steps() if one["module_key"] in step["modules"]), None)
    return PreflightIssue(
        check=PreflightCheck.output_reused,
        message=f"What {one['module_key']} makes stays with its run, and {one['used']} of {one['made']} earlier ones "
        "were used again.",
        module_key=one["module_key"],
        fix=_further(one["module_key"], IntakeLevel.doc72_summary_reference, bound),
    )


def _further(module_key: str, level: IntakeLevel, step_key: str | None = None) -> PreflightFix:
    """`step_key`: the step of the blueprint that says so; where a policy decides, nothing of the blueprint does."""
    said = "findable with summary" if level is IntakeLevel.doc72_summary_reference else "go as far as is asked"
    return fix(
        f"Make what {module_key} makes {said}",
        FixOperation(op=FixOp.set_artifact_level, module_key=module_key, step_key=step_key, value=level.value),
    )
