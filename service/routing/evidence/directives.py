"""What was taught about such requests: invocation directives, met by a taught phrase or by meaning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.directives.rules import MatchedDirective, misspelt
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.kinds import ModeEvidence
from service.routing.evidence.scene import Scene
from service.routing.words import Sentence
from service.routing.words.said import line_of

LIKELY = 0.5
"""A directive that is met by meaning alone counts from here on."""


@dataclass(frozen=True, slots=True)
class Taught:
    """`policy` is what a phrase that was taught word for word asks for; what is only meant alike does not decide."""

    evidence: tuple[ModeEvidence, ...] = ()
    policy: Policy | None = None
    best: MatchedDirective | None = None
    holding: tuple[MatchedDirective, ...] = ()


def taught(found: Sequence[MatchedDirective], scene: Scene) -> Taught:
    """What holds. Taught is what to do when somebody wishes for it: not when they ask, tell of it or call it off."""
    likely = [one for one in found if one.taught or one.probability >= LIKELY]
    holding = [one for one in likely if one.against is None and _wished(one, scene)]
    against = [one for one in likely if one.against is not None]
    best = next((one for one in holding if one.taught), next(iter(holding), None))
    evidence = [*(_for(one) for one in holding), *(_against(one) for one in against)]
    policy = best.invocation_policy if best and best.taught else None
    return Taught(tuple(evidence), policy, best, tuple(holding))


def _wished(one: MatchedDirective, scene: Scene) -> bool:
    """Of what is met by meaning alone, one sentence that wishes for something is enough."""
    if not one.taught or one.phrase is None:
        return any(scene.wishes(sentence) for sentence in scene.sentences)
    places = list(_places(one.phrase, scene))
    if one.invocation_policy is Policy.do_not_suggest_task:
        return not places or any(not scene.negated(sentence.full, at) for sentence, at in places)
    return any(_meant(scene, sentence, at) for sentence, at in places)


def _meant(scene: Scene, sentence: Sentence, at: int) -> bool:
    if scene.negated(sentence.full, at) or scene.called_off(sentence.full):
        return False
    # A phrase that a sentence begins with says itself what kind of sentence it is.
    return scene.wishes(sentence) or at <= 1 + len(sentence.full) - len(sentence.line)


def _places(phrase: str, scene: Scene) -> Iterator[tuple[Sentence, int]]:
    """Where it stands, in each sentence: the place of its first letter."""
    wanted = line_of(phrase).split()
    for sentence in scene.sentences:
        words = sentence.full.split()
        for start in range(len(words) - len(wanted) + 1):
            if all(misspelt(one, other) for one, other in zip(words[start:], wanted, strict=False)):
                yield sentence, len(" ".join(["", *words[:start]])) + 1


def _for(one: MatchedDirective) -> ModeEvidence:
    if one.invocation_policy is Policy.do_not_suggest_task:
        return ModeEvidence(Kind.directive_against, one.phrase, f"{one.name}: no task is to be suggested here.", one.id)
    return ModeEvidence(Kind.directive, one.phrase, f"{one.name}: {one.why}", one.id)


def _against(one: MatchedDirective) -> ModeEvidence:
    return ModeEvidence(Kind.directive_against, one.phrase, f"{one.name} does not hold: {one.against}", one.id)
