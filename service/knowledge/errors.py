"""Why something of the knowledge is refused."""

from collections.abc import Sequence

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

    def __init__(self, pack_id: str, decision: str, reason: str) -> None:
        super().__init__(
            f"The pack {pack_id} was rejected ({decision}): {reason}",
            field="pack",
            remedy="Mend what is named, and compile again (compileKnowledge).",
            facts={"decision": decision},
        )


class PackDrifted(TaskloreError):
    """A pack that waited, and what it tells of has changed since."""

    code = "knowledge_pack_drifted"

    def __init__(self, pack_id: str, drift: Sequence[str]) -> None:
        super().__init__(
            f"Since {pack_id} was compiled, what nobody can design with has changed ({'; '.join(drift[:5])}).",
            field="pack",
            remedy="Compile a new one from what there is now (compileKnowledge), and activate that.",
            facts={"drift": list(drift)},
        )


class ModuleTypeUnknown(TaskloreError):
    code = "module_type_unknown"

    def __init__(self, module_type: str) -> None:
        super().__init__(
            f"The catalogue has no module type {module_type!r}.",
            field="moduleType",
            remedy="findModules lists what there is.",
        )


class FieldUnknown(TaskloreError):
    code = "config_field_unknown"

    def __init__(self, module_type: str, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"{module_type} has no setting {name!r}.",
            field="field",
            remedy=f"It has {', '.join(known)}." if known else "Nothing can be set of it.",
        )


class SampleUnknown(TaskloreError):
    code = "sample_input_unknown"

    def __init__(self, field: str, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"{name!r} is no module of the graph where that could be.",
            field=field,
            remedy=f"There are {', '.join(known)}." if known else "The graph has none.",
        )


class DocumentTooLarge(TaskloreError):
    code = "spec_document_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"The document has {size:,} characters or sections; at most {limit:,} are kept.",
            field=field,
            remedy="Register its parts as documents of their own.",
            facts={"limit": limit, "size": size},
        )


class PackChangedMeanwhile(TaskloreError):
    code = "knowledge_pack_changed"

    def __init__(self, before: str | None, now: str | None) -> None:
        super().__init__(
            f"While it was compiled, {now or 'no pack'} came into use in the place of {before or 'none'}.",
            field="activate",
            remedy="Look at what is in use now (knowledgeStatus), and compile again.",
        )


class PackRegressed(TaskloreError):
    code = "knowledge_pack_regressed"

    def __init__(self, pack_id: str, shown_by: str, regressions: Sequence[str]) -> None:
        """`shown_by`: the run of the suite, or the pack in use, that shows it."""
        super().__init__(
            f"{pack_id} does worse in the evaluation suite than the pack in use ({shown_by}): {regressions[0]}",
            field="pack",
            remedy="Mend the cards or the agent, and submit another run (submitEvalRun) or compile again.",
            facts={"regressions": list(regressions)},
        )


class ExampleUnknown(TaskloreError):
    code = "eval_example_unknown"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"The suite has no example {name!r}.", field="proposals", remedy=f"It has {', '.join(known)}.")


class EvalSuiteInvalid(TaskloreError):
    code = "eval_suite_invalid"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"{field}: {problem}.", field=field, remedy="seeds/knowledge/suite.yaml shows the shape of a suite."
        )


class EvalSuiteTaken(TaskloreError):
    """Runs are compared by the suite that scored them."""

    code = "eval_suite_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is a suite {name!r} that asks something else.",
            field="suite.version",
            remedy="Give it the next version: runs stay comparable with those of the version that scored them.",
        )


class EvalRunTooLarge(TaskloreError):
    code = "eval_run_too_large"

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(
            f"What was proposed takes {size:,} characters; at most {limit:,} are kept.",
            field="proposals",
            remedy="Score it with `scoreProposals`, which keeps nothing, or submit fewer examples.",
            facts={"limit": limit, "size": size},
        )


class GraphNotExamined(TaskloreError):
    code = "validation.graph_proposal_not_preflighted"

    def __init__(self, graph_hash: str, codes: Sequence[str]) -> None:
        found = f"something must be mended first ({', '.join(codes)})" if codes else "nobody has examined it as it is"
        super().__init__(
            f"An agent may not save this graph ({graph_hash[:12]}): {found}.",
            field="graph",
            remedy="Mend what is named, and keep a preflight of the very graph that is saved (recordPreflight).",
        )


class PackBehind(TaskloreError):
    code = "validation.task_knowledge_pack_stale_blocking"

    def __init__(self, pack_id: str) -> None:
        super().__init__(
            f"Modules or ports have changed since {pack_id} was compiled, and the education profile has agents wait.",
            field="graph",
            remedy="A person compiles and activates a new pack (compileKnowledge), or changes the profile.",
        )


class PromptEmpty(TaskloreError):
    code = "prompt_empty"

    def __init__(self, field: str) -> None:
        super().__init__("There is no prompt to look at.", field=field, remedy="Give its text.")


class PromptTooLarge(TaskloreError):
    code = "prompt_too_large"

    def __init__(self, field: str, limit: int, size: int) -> None:
        super().__init__(
            f"The prompt has {size:,} characters; at most {limit:,} are looked at.",
            field=field,
            remedy="Give the instruction alone, and its documents by reference.",
            facts={"limit": limit, "size": size},
        )


class PromptMissing(TaskloreError):
    code = "prompt_text_missing"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(
            f"There is no text to look at: {problem}.",
            field=field,
            remedy="Give the text; where a prompt is kept by reference and hash alone, its owner has it.",
        )


class PromptModuleUnknown(TaskloreError):
    code = "prompt_module_unknown"

    def __init__(self, module: str, known: Sequence[str]) -> None:
        super().__init__(
            f"There is no module {module!r} that you can see there.",
            field="module_key",
            remedy=f"Name one of {', '.join(known[:20])}." if known else "Name something that has a graph.",
        )


class PromptMethodClosed(TaskloreError):
    code = "prompt_method_unavailable"

    def __init__(self, method: str, status: str, field: str) -> None:
        reserved = status == "reserved_r5"
        super().__init__(
            f"{method} is {'reserved: nothing optimizes prompts here yet' if reserved else 'not plugged in'}.",
            field=field,
            remedy="Use another method; promptMethods lists them.",
            facts={"method": method, "status": status},
        )


class PromptPlanInvalid(TaskloreError):
    code = "prompt_plan_invalid"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The variants cannot be had so: {problem}.",
            field="variants",
            remedy="docs/prompts.md says which mode takes variants from where.",
        )


class PromptDiffers(TaskloreError):
    code = "prompt_text_differs"

    def __init__(self, field: str) -> None:
        super().__init__(
            "The text is not the one that is kept by its hash.",
            field=field,
            remedy="Record the prompt as it is now, or give the text that it had.",
        )


class PromptHashMissing(TaskloreError):
    code = "prompt_hash_missing"

    def __init__(self, field: str) -> None:
        super().__init__(
            "There is neither a text nor the hash of one.",
            field=field,
            remedy="Give the text, of which only the hash is kept where nothing else is allowed; or its SHA-256.",
        )


class TooManyCandidates(TaskloreError):
    code = "too_many_prompt_candidates"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count} candidates; a bundle has from 1 to {limit}.",
            field="candidates",
            remedy="Bring the best of them, or several bundles.",
            facts={"limit": limit, "size": count},
        )
