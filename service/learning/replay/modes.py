"""Mode decisions, decided again from what they keep: the evidence of then, and the comparison with templates.

What feedback said of the class of context is taken as it was read then. How a changed text of a directive would have
compared is not kept, nor what a request would have called that has another name now.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.words import InvocationPolicy, UserResponse
from service.access.audience import Access
from service.access.viewer import Viewer
from service.capability import Ground
from service.graph.database import Database, Row
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import UNREADABLE, Case, Lane
from service.learning.replay.change import Patches, Target
from service.learning.replay.matches import Changed, changed_asset
from service.matching.assets import Asset
from service.matching.errors import ModelNotCalibrated
from service.matching.kept import Kept, kept_of
from service.routing.decision.decide import decide
from service.routing.decision.fits import calibration
from service.routing.decision.frozen import thawed
from service.routing.decision.grounds import Grounds, TaughtPhrase
from service.routing.evidence.kinds import EvidenceKind, ModeEvidence
from service.routing.evidence.scene import Target as Called
from service.routing.evidence.templates import fitting

DIRECT = frozenset({Mode.direct_chat.value})
_TAKEN = frozenset({UserResponse.accepted.value, "template_selected", "saved_as_is", "saved_with_user_edits"})
_WANTED = frozenset({UserResponse.later_requested_task.value, "complained_task_was_underused"})
_UNWANTED = frozenset({
    UserResponse.rejected.value, UserResponse.asked_direct_answer_instead.value, "complained_task_was_overused",
    "template_rejected",
})  # fmt: skip
_FITS = frozenset({EvidenceKind.template_match, EvidenceKind.template_close, EvidenceKind.template_none})
_OFFERED = frozenset({EvidenceKind.template_match.value, EvidenceKind.template_close.value})
_SILENT = frozenset({
    *("description", "prior_task_use_summary", "evidence_refs", "learned_from_refs", "lifecycle_reason"),
    *("confirmation_policy", "task_agent_entrypoint", "output_archetype_hints", "gather_matter_context"),
    *("gather_background_documents", "required_source_sets", "library_refs", "default_artifact_policy_ref"),
})  # fmt: skip
_READ = frozenset({"lifecycle_state", "invocation_policy"})
_HIDDEN = frozenset(one.value for one in HIDDEN_STATES)
DECIDING = ("Template", "Preset", "InvocationDirective", "Directive")


class ModeReplays:
    def __init__(self, database: Database, ground: Ground) -> None:
        self._database = database
        self._ground = ground

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        """The newest decisions that the record had a part in."""
        if target.kind.label not in DECIDING:
            return []
        weighed = [*target.steers] if target.kind.label == "Directive" else [target.id]
        rows = await self._database.read(
            cypher.MODES,
            id=target.id,
            weighed=weighed,
            judging=sorted({*_TAKEN, *_WANTED, *_UNWANTED}),
            most=most,
            audiences=viewer.audiences,
        )
        if not rows:
            return []
        ids = [row["match"] for row in rows if row["match"]]
        found = await self._database.read(cypher.KEPT_MATCHES, ids=ids, judging=[], audiences=viewer.audiences)
        matches = {one["kept"]["id"]: one for one in found}
        patches = Patches(target, self._ground)
        return [await self._case(row, matches.get(row["match"]), patches) for row in rows]

    async def _case(self, row: Row, match: Row | None, patches: Patches) -> Case:
        kept, said = row["kept"], next(iter(row["said"]), None)
        recorded = kept["selected_mode"]
        case = Case(
            kind=CaseKind.mode_decision,
            id=kept["id"],
            name=kept["name"],
            at=kept["decided_at"],
            access=Access.of(kept),
            recorded=_lane(recorded, recorded, said),
            judged_by=f"The user: {said.replace('_', ' ')}." if said else None,
        )
        try:
            frozen = _read(kept, row, match)
        except (ValueError, KeyError, TypeError):
            return replace(case, why=UNREADABLE.said)
        if isinstance(frozen, str):
            return replace(case, why=frozen)
        change = await _change(frozen, patches)
        if isinstance(change, str):
            return replace(case, why=change)
        return _decided(case, frozen, change, said)


@dataclass(frozen=True, slots=True)
class _Frozen:
    """What a decision keeps. `place`: where the record stands in it that the change is about."""

    grounds: Grounds
    recorded: str
    place: Mapping[str, list[int]]
    version: int | None
    match: Kept | None

    def mode(self, grounds: Grounds, assets: Sequence[Asset]) -> str:
        """By the rules of now."""
        return decide(self._fitted(grounds, assets), calibration()).mode.value

    def _fitted(self, grounds: Grounds, assets: Sequence[Asset]) -> Grounds:
        """With what the comparison says of these assets, where there was one."""
        if self.match is None:
            return grounds
        others = tuple(one for one in grounds.evidence if one.kind not in _FITS)
        fits = fitting(self.match.question.answer(assets), grounds.targets, frozenset(one.kind for one in others))
        return replace(grounds, evidence=(*others, *fits.evidence), template=fits.sure)

    @property
    def assets(self) -> list[Asset]:
        return [*self.match.facts.values()] if self.match else []


_NOWHERE: dict[str, list[int]] = {"evidence": [], "targets": [], "phrases": []}


def _read(kept: Mapping[str, Any], row: Row, match: Row | None) -> "_Frozen | str":
    """What it keeps; or why that is not enough."""
    if not kept.get("weighed"):
        return "It was kept before what is weighed was kept with it."
    if row["compared"] and match is None:
        return "It compared what you may not see."
    weighed = orjson.loads(kept["weighed"])
    offered = any(one in _OFFERED for one in weighed["evidence"])
    if offered and match is None:
        return "It keeps nothing of the templates that it compared."
    found = kept_of(match) if match else None
    if found and (found.withheld or found.lacking):
        return "It compared what you may not see, or keeps no facts of some of it."
    link: Mapping[str, Any] = row["link"] or {}
    place: dict[str, list[int]] = orjson.loads(link["facts"]) if link.get("facts") else _NOWHERE
    if link and not link.get("facts"):
        return "It was kept before the place of what it weighs was kept with it."
    return _Frozen(thawed(weighed), kept["selected_mode"], place, link.get("record_version"), found)


@dataclass(frozen=True, slots=True)
class _Change:
    """What the change makes of what was weighed, and the same change made of something else."""

    grounds: Grounds
    assets: Sequence[Asset]
    control: tuple[Grounds, Sequence[Asset]] | None = None


async def _change(frozen: _Frozen, patches: Patches) -> "_Change | str":
    target = patches.target
    if target.kind.label == "InvocationDirective":
        return _directed(frozen, target)
    grounds: Grounds | str = frozen.grounds
    if target.kind.label != "Directive":
        grounds = _called(frozen, target)
        if isinstance(grounds, str):
            return grounds
    changed = await _asset(frozen, patches)
    if isinstance(changed, str):
        return changed
    if changed is None:
        return _Change(grounds, frozen.assets)
    touched = {*target.steers} if target.kind.label == "Directive" else {target.id}
    facts: Mapping[str, Asset] = frozen.match.facts if frozen.match else {}
    others = sorted(one for one in facts if one not in touched)
    other = next((one for one in others if one > changed.id), others[0] if others else None)
    control = (frozen.grounds, _with(facts, changed, {other})) if other else None
    return _Change(grounds, _with(facts, changed, touched), control)


def _with(facts: Mapping[str, Asset], changed: Changed, touched: set[str]) -> list[Asset]:
    return [changed.on(one) if id_ in touched else one for id_, one in facts.items()]


async def _asset(frozen: _Frozen, patches: Patches) -> "Changed | str | None":
    """None: it was not among what was compared."""
    match, target = frozen.match, patches.target
    weighed = [*target.steers] if target.kind.label == "Directive" else [target.id]
    if match is None or not any(one in match.facts for one in weighed):
        return None
    versions = {one["id"]: one["version"] for one in match.told["weighed"]}
    changed = await changed_asset(match, versions, patches)
    return changed or "What the record said at the time is not kept."


def _called(frozen: _Frozen, target: Target) -> "Grounds | str":
    """What is called by name is no longer there where it is put away; what it would be called is not known."""
    contents = target.contents(frozen.version or target.version)
    if contents is None:
        return "What the record said at the time is not kept."
    changed = differing(*contents)
    if "name" in changed:
        return "Whether the request would have called it by another name is not known."
    gone = changed.get("lifecycle_state") in _HIDDEN
    return _without(frozen.grounds, frozen.place) if gone else frozen.grounds


def _without(grounds: Grounds, place: Mapping[str, Iterable[int]]) -> Grounds:
    evidence, targets = {*place["evidence"]}, {*place["targets"]}
    kept = [one for number, one in enumerate(grounds.targets) if number not in targets]
    return replace(
        grounds,
        evidence=tuple(one for number, one in enumerate(grounds.evidence) if number not in evidence),
        targets=tuple(kept),
    )


def _directed(frozen: _Frozen, target: Target) -> "_Change | str":
    """A directive that is put away, or asks for something else."""
    contents = target.contents(frozen.version or target.version)
    if contents is None:
        return "What the record said at the time is not kept."
    changed = differing(*contents)
    if unknown := sorted({*changed} - _SILENT - _READ):
        return f"How {', '.join(unknown)} would have compared is not known from what it keeps."
    if contents[0].links != contents[1].links:
        return "Where it would have led is not known from what it keeps."
    held = _redirected(frozen.grounds, frozen.place, changed)
    other = next((one for one in range(len(frozen.grounds.phrases)) if one not in frozen.place["phrases"]), None)
    control = None
    if other is not None:
        place = {"evidence": _of_phrase(frozen, other), "targets": [], "phrases": [other]}
        control = (_redirected(frozen.grounds, place, changed), frozen.assets)
    return _Change(held, frozen.assets, control)


_DIRECTING = frozenset({EvidenceKind.directive, EvidenceKind.directive_against})


def _of_phrase(frozen: _Frozen, _phrase: int) -> list[int]:
    """The evidence of another directive: any that the changed one did not give."""
    own = {*frozen.place["evidence"]}
    return [
        number for number, one in enumerate(frozen.grounds.evidence) if one.kind in _DIRECTING and number not in own
    ][:1]


def _redirected(grounds: Grounds, place: Mapping[str, list[int]], changed: Mapping[str, Any]) -> Grounds:
    phrases, evidence = [*grounds.phrases], [*grounds.evidence]
    gone = changed.get("lifecycle_state", "active") != "active"
    policy = InvocationPolicy(changed["invocation_policy"]) if "invocation_policy" in changed else None
    if gone:
        return _spoken(
            _without(grounds, place), [one for number, one in enumerate(phrases) if number not in place["phrases"]]
        )
    if policy is None:
        return grounds
    against = policy is InvocationPolicy.do_not_suggest_task
    kind = EvidenceKind.directive_against if against else EvidenceKind.directive
    for number in place["evidence"]:
        if evidence[number].kind in _DIRECTING:
            evidence[number] = ModeEvidence(kind)
    for number in place["phrases"]:
        phrases[number] = replace(phrases[number], policy=policy)
    held = replace(grounds, evidence=tuple(evidence))
    if against:  # what no task is to be suggested for calls none either
        named = [number for number in place["evidence"] if evidence[number].kind not in _DIRECTING]
        held = _without(held, {"evidence": named, "targets": place["targets"]})
    return _spoken(held, phrases)


def _spoken(grounds: Grounds, phrases: Sequence[TaughtPhrase]) -> Grounds:
    """The first phrase that was taught says what is asked for, and where it leads."""
    first = phrases[0] if phrases else None
    return replace(
        grounds,
        phrases=tuple(phrases),
        policy=first.policy if first else None,
        directed=tuple(Called(str(place), kind, kind) for place, kind in enumerate(first.targets)) if first else (),
    )


def _decided(case: Case, frozen: _Frozen, change: _Change, said: str | None) -> Case:
    try:
        today = frozen.mode(frozen.grounds, frozen.assets)
        candidate = frozen.mode(change.grounds, change.assets)
        control = frozen.mode(*change.control) if change.control else None
    except ModelNotCalibrated as error:
        return replace(case, why=f"The ranker of today refuses it: {error.message}")
    lanes = [_lane(one, frozen.recorded, said) if one else None for one in (today, candidate, control)]
    why = "The change makes no difference to it." if today == candidate else f"With it: {_told(candidate)}"
    return replace(case, today=lanes[0], candidate=lanes[1], control=lanes[2], why=why)


def _lane(mode: str, recorded: str, said: str | None) -> Lane:
    return Lane((mode,), _told(mode), _right(mode, recorded, said))


def _told(mode: str) -> str:
    return f"It becomes {mode.replace('_', ' ')}."


def _right(mode: str, recorded: str, said: str | None) -> bool | None:
    """What was accepted was right as it was; what was refused should have been answered directly."""
    if said in _TAKEN:
        return mode == recorded
    if said in _UNWANTED:
        return mode in DIRECT
    return mode not in DIRECT if said in _WANTED else None
