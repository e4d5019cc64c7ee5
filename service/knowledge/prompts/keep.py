"""Keeping prompts, what was found in them, and candidates: by reference and hash, by text where that is allowed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from graph_schema.knowledge.prompt_relations import LIVES_IN
from graph_schema.knowledge.prompt_words import CandidateMethod, PromptOwner, PromptPromotionState, PromptSurface
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, TEXT_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.knowledge.errors import PromptDiffers, PromptHashMissing, PromptMissing, TooManyCandidates
from service.knowledge.prompts import cypher
from service.knowledge.prompts.check import PromptCheck, check
from service.knowledge.prompts.gaps.rules import findings
from service.knowledge.prompts.holding import capture, capture_of, class_of, keeps_text
from service.knowledge.prompts.inputs import PromptCandidateInput, PromptCandidatesInput, PromptInput
from service.knowledge.prompts.load import PromptPlaces, PromptRequest
from service.knowledge.prompts.methods import METHODS, open_method
from service.knowledge.prompts.place import Place
from service.knowledge.prompts.rewrite import PromptRewrite, rewrite
from service.knowledge.prompts.text import checked, hash_of, sentences
from service.library.commands import content_of
from service.records import rules

ASSESSED = "task.prompt.quality_assessed"
GENERATED = "task.prompt.candidates_generated"
MOST_CANDIDATES = 50
KEEPS_NOTHING = "warning.prompt_candidate_keeps_nothing"
_FIRST = (PromptPromotionState.draft, PromptPromotionState.active)

OWNERS: Mapping[PromptSurface, PromptOwner] = {
    PromptSurface.doc23_module_instruction: PromptOwner.doc23_task_module,
    PromptSurface.doc23_judge_rubric: PromptOwner.doc23_task_module,
    PromptSurface.doc23_output_contract: PromptOwner.doc23_task_module,
    PromptSurface.task_template_prompt: PromptOwner.doc23_task_template,
    PromptSurface.module_preset_prompt: PromptOwner.doc23_module_preset,
    PromptSurface.prompt_recipe: PromptOwner.doc17_prompt_recipe,
    PromptSurface.overlay: PromptOwner.doc17_overlay,
    PromptSurface.room_role_prompt: PromptOwner.doc12_room_role,
    PromptSurface.red_team_prompt: PromptOwner.doc14_red_team,
}
"""Who a prompt belongs to that lives there. What is typed into a chat belongs to nobody yet."""
_SHA_256 = re.compile(r"[0-9a-f]{64}")


class KeptPrompts:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._places = PromptPlaces(database)

    async def record(self, viewer: Viewer, given: PromptInput, *, command_id: str | None = None) -> Outcome:
        given.lives_in.check("lives_in", *LIVES_IN)
        _check_ref(given.prompt_text_ref, "prompt_text_ref")
        digest = _digest(given.text, given.prompt_text_hash, "prompt_text_hash")
        if given.promotion_state not in _FIRST:
            raise InputInvalid("promotion_state", "a prompt begins as draft or active; a proposal promotes it")

        async def plan(work: Work) -> dict[str, Any]:
            home = work.existing(given.lives_in, "lives_in", LIVES_IN)
            held = capture(
                given.capture_prompts, [home.properties.get("capture_prompts"), capture_of(viewer.defaults.memory_mode)]
            )
            rules.check_access(viewer, {"data_class": class_of(held).value})
            told = {name: getattr(given, name) for name in _TOLD}
            values = {
                **told,
                "owner_surface": given.owner_surface or OWNERS.get(given.surface),
                "prompt_text_hash": digest,
                "capture_prompts": held.value,
                "data_class": class_of(held).value,
                "text": given.text if keeps_text(held) else None,
            }
            made = work.create(work.registry.types["Prompt"], _said(values), [home])
            work.link(made, "PROMPTS", home)
            return {"id": made.id, "version": made.version}

        return await self._commands.execute(viewer, _request("recordPrompt", given, [given.lives_in], command_id), plan)

    async def assess(
        self,
        viewer: Viewer,
        of: RecordRef,
        asked: PromptRequest,
        evidence_refs: Sequence[str],
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """Look at a prompt and keep what was found. `of`: the kept prompt, or what it belongs to."""
        found = await self._places.find(viewer, of.id, asked)
        told = check(found.text, found.place, found.told, asked.mode)

        async def plan(work: Work) -> dict[str, Any]:
            about = work.existing(of, "of", ("Prompt", *LIVES_IN))
            if about.type.label == "Prompt" and about.properties["prompt_text_hash"] != told.prompt_hash:
                raise PromptDiffers("text")
            words = keeps_text(about.properties.get("capture_prompts", "never")) and about.type.label == "Prompt"
            values = {**_assessed(told, words=words), "evidence_refs": [*evidence_refs], "assessed_at": work.at}
            made = work.create(
                work.registry.types["PromptAssessment"], {**values, "assessed_by": viewer.principal_id}, [about]
            )
            work.link(made, "CHECKS", about)
            work.event(ASSESSED, made, other=about.id)
            return {"id": made.id, "version": made.version}

        content = {"of": str(of), "asked": asked, "hash": told.prompt_hash, "evidence": [*evidence_refs]}
        return await self._commands.execute(viewer, _request("recordPromptCheck", content, [of], command_id), plan)

    async def bundle(self, viewer: Viewer, given: PromptCandidatesInput, *, command_id: str | None = None) -> Outcome:
        given.prompt.check("prompt", "Prompt")
        _check_methods(given)

        async def plan(work: Work) -> dict[str, Any]:
            prompt = work.existing(given.prompt, "prompt", ("Prompt",))
            winners = await _winners(work, prompt) if CandidateMethod.prior_winner in given.generate else []
            made = [_candidate(work, prompt, one) for one in _values(prompt, given)]
            whole = [*made, *winners]
            if not 1 <= len(whole) <= MOST_CANDIDATES:
                raise TooManyCandidates(len(whole), MOST_CANDIDATES)
            bundle = _bundle(work, prompt, given, whole)
            work.event(GENERATED, bundle, other=prompt.id)
            other = any(one.properties.get("preserved_count") == 0 for one in made)
            return {
                "id": bundle.id,
                "version": bundle.version,
                "candidates": [one.id for one in whole],
                "warnings": [KEEPS_NOTHING] if other else [],
            }

        return await self._commands.execute(
            viewer, _request("recordPromptCandidates", given, [given.prompt], command_id), plan
        )


def _check_ref(ref: str | None, field: str) -> None:
    """A reference has no blanks: what has them is the text, which would be kept past its policy."""
    if ref is not None and (not ref or any(one.isspace() for one in ref)):
        raise InputInvalid(field, "says where the text is kept, without blanks; the text itself goes into text")


def _request(name: str, content: Any, reads: Sequence[RecordRef], command_id: str | None) -> Request:
    """A command's content is only hashed, so that no text is kept by it."""
    return Request(name, KeyScope.curate, {"given": content_of(content)}, reads=reads, command_id=command_id)


_TOLD = (
    *("name", "surface", "prompt_role", "module_key", "prompt_text_ref", "prompt_recipe_id", "runtime_truth_ref"),
    "promotion_state",
)


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _digest(text: str | None, given: str | None, field: str) -> str:
    told = None if given is None else given.lower().removeprefix("sha256:")
    if told is not None and not _SHA_256.fullmatch(told):
        raise InputInvalid(field, "is no SHA-256: 64 hexadecimal digits")
    digest = told if text is None else hash_of(checked(text))
    if digest is None:
        raise PromptHashMissing(field)
    if told not in {None, digest}:
        raise InputInvalid(field, "is not the hash of this text")
    return digest


def _assessed(told: PromptCheck, *, words: bool) -> dict[str, Any]:
    """Places stay in what is kept; words of the prompt, and what would repeat its surroundings, only where they may."""
    found = [_finding(one, words=words) for one in told.quality_findings]
    gaps = list(dict.fromkeys(one.finding_kind.value for one in told.quality_findings))
    return {
        "name": f"Prompt check: {_counted(len(gaps), 'kind')} of gaps" if told.judged else "Prompt check: not judged",
        "surface": told.place.surface.value,
        "prompt_hash": told.prompt_hash,
        **({"module_key": told.place.module_key} if told.place.module_key else {}),
        "finding_kinds": gaps,
        "findings": _fitting(found),
        "confidence": told.confidence,
        "recommended_next_step": told.recommended_next_step.value,
        "rules": told.rules,
    }


def _counted(count: int, one: str) -> str:
    return f"{count} {one if count == 1 else one + 's'}"


def _finding(one: Any, *, words: bool) -> dict[str, Any]:
    shown = [asdict(each) if words else {"start": each.start, "end": each.end} for each in one.shown_by]
    return {"finding_kind": one.finding_kind, "severity": one.severity, "rule": one.rule, "shown_by": shown}


def _fitting(found: Sequence[dict[str, Any]]) -> str:
    text = orjson.dumps(found).decode()
    if len(text) <= LONG_TEXT_LENGTH:
        return text
    return orjson.dumps([{**one, "shown_by": one["shown_by"][:3]} for one in found]).decode()[:LONG_TEXT_LENGTH]


def _check_methods(given: PromptCandidatesInput) -> None:
    for number, one in enumerate(given.candidates):
        open_method(one.generation_method, "candidates")
        _check_ref(one.prompt_text_ref, f"candidates.{number}.prompt_text_ref")
    for method in given.generate:
        if not open_method(method, "generate").made_here:
            raise InputInvalid("generate", f"{method} is not made here: bring its candidates")


def _values(prompt: State, given: PromptCandidatesInput) -> Iterator[dict[str, Any]]:
    text = given.text if given.text is not None else prompt.properties.get("text")
    if text is not None and hash_of(text) != prompt.properties["prompt_text_hash"]:
        raise PromptDiffers("text")
    for one in given.candidates:
        yield _received(one, text)
    if CandidateMethod.template_based_variant in given.generate:
        yield _structured(prompt, text)


def _received(one: PromptCandidateInput, source: str | None) -> dict[str, Any]:
    method = METHODS[one.generation_method]
    known = {**asdict(method), "model_ref": one.model_ref}
    if one.requires_llm_call is not None:
        known["requires_llm_call"] = one.requires_llm_call
    kept = _kept(source, one.text) if source and one.text else None
    return {
        "name": one.label[:NAME_LENGTH],
        "prompt_hash": _digest(one.text, one.prompt_hash, "candidates"),
        "prompt_text_ref": one.prompt_text_ref,
        "text": one.text,
        "generation_method": one.generation_method.value,
        "method_metadata": orjson.dumps(known).decode(),
        "rationale": one.rationale,
        "preserved_constraints": kept,
        "preserved_count": len(kept) if kept is not None else None,
        "changed_elements_summary": [*one.changed_elements_summary],
    }


def _kept(source: str, text: str) -> list[str]:
    """Sentences of the prompt that stand in the candidate, word for word."""
    return [one.text[:TEXT_LENGTH] for one in sentences(source) if one.text in text]


def _structured(prompt: State, text: str | None) -> dict[str, Any]:
    if text is None:
        raise PromptMissing("text", "a variant is made from the prompt's own words, and these are not kept")
    place = Place(surface=PromptSurface(prompt.properties["surface"]))
    told = _rewritten(text, place)
    method = METHODS[CandidateMethod.template_based_variant]
    kept = [one.text[:TEXT_LENGTH] for one in sentences(text)]
    return {
        "name": f"With what is missing: {prompt.properties['name']}"[:NAME_LENGTH],
        "prompt_hash": told.prompt_hash,
        "text": told.text,
        "generation_method": method.method.value,
        "method_metadata": orjson.dumps(asdict(method)).decode(),
        "rationale": f"Closes {', '.join(dict.fromkeys(one.because.value for one in told.additions))}.",
        "preserved_constraints": kept,
        "preserved_count": len(kept),
        "changed_elements_summary": [*told.changed_elements_summary],
    }


def _rewritten(text: str, place: Place) -> PromptRewrite:
    told = rewrite(text, place, findings(text, place))
    if told is None:
        raise InputInvalid("generate", "nothing is missing by the rules, so there is no variant by structure")
    return told


def _candidate(work: Work, prompt: State, values: Mapping[str, Any]) -> State:
    """Words only where the prompt's own are kept."""
    words = keeps_text(prompt.properties["capture_prompts"])
    told = dict(values) if words else {**values, "text": None, "preserved_constraints": None}
    made = work.create(work.registry.types["PromptCandidate"], _said(told), [prompt])
    work.link(made, "VARIES", prompt)
    return made


async def _winners(work: Work, prompt: State) -> list[State]:
    rows = await work.transaction.run(cypher.WINNERS, id=prompt.id, audiences=work.viewer.audiences)
    kind = work.registry.types["PromptCandidate"]
    return [State(kind, (kind.label, "Record"), row["candidate"]) for row in rows]


def _bundle(work: Work, prompt: State, given: PromptCandidatesInput, whole: Sequence[State]) -> State:
    methods = sorted({one.properties["generation_method"] for one in whole})
    preserved = {name: getattr(given, name) for name in _PRESERVED}
    values = {
        "name": f"{_counted(len(whole), 'candidate')}: {prompt.properties['name']}"[:NAME_LENGTH],
        "surface": prompt.properties["surface"],
        "source_prompt_hash": prompt.properties["prompt_text_hash"],
        "generation_methods_used": methods,
        "generation_context_ref": given.generation_context_ref,
        "made_by": given.made_by.value,
        "recorded_by": work.viewer.principal_id,
        **preserved,
    }
    bundle = work.create(work.registry.types["PromptBundle"], _said(values), [prompt, *whole])
    work.link(bundle, "BUNDLED_FOR", prompt)
    for one in whole:
        work.link(bundle, "BUNDLES", one)
    return bundle


_PRESERVED = ("preserve_constraints", "preserve_output_contract", "preserve_tool_policy")
