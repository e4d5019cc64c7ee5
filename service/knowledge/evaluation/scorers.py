"""The scorers: each looks at one thing, by what the example expects of it, and says why it is not met. Pure.

A scorer gives None where the example expects nothing of it, an empty text where all is met, else what is wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from service.knowledge.evaluation.proposals import Scored
from service.knowledge.evaluation.suite import Expected
from service.knowledge.lookup.graphs import validated_graph
from service.knowledge.preflight.asking import unasked
from service.knowledge.preflight.effects import OUTSIDE
from service.knowledge.preflight.facts import Cable, Facts
from service.knowledge.preflight.issues import PreflightCheck
from service.words import spoken, stems

Said = str | None
_SENTENCE = re.compile(r"[.!?](?:\s|$)")
LONGEST_SENTENCE = 40
"""Words. What explains a design is read by people who do not draw graphs."""


class Scorer(StrEnum):
    """What is looked at."""

    template_reuse = "template_reuse"
    module_choice = "module_choice"
    port_routing = "port_routing"
    context_routing = "context_routing"
    capability_binding = "capability_binding"
    artifact_policy = "artifact_policy"
    side_effect_safety = "side_effect_safety"
    graph_validity = "graph_validity"
    preflight_quality = "preflight_quality"
    question_quality = "question_quality"
    preference_alignment = "preference_alignment"
    explanation_clarity = "explanation_clarity"
    behaviour = "behaviour"


def _template_reuse(expect: Expected, given: Scored) -> Said:
    wanted: Sequence[str] | None = expect.get("template")
    if wanted is None:
        return None
    told = spoken(given.told.template or "")
    if not wanted:
        return "a template was used where none fits" if told else ""
    return "" if told in {spoken(one) for one in wanted} else f"none of {', '.join(wanted)} is reused"


def _module_choice(expect: Expected, given: Scored) -> Said:
    wanted: Sequence[str] | None = expect.get("modules")
    if wanted is None:
        return None
    types = {one.type_name for one in given.facts.enabled} if given.facts else set[str]()
    return _joined(_chosen(wanted, types))


def _chosen(wanted: Sequence[str], types: set[str]) -> Iterator[str]:
    """`a|b`: one of them; `!a`: none of it."""
    for one in wanted:
        among = [any(fnmatchcase(each, pattern) for each in types) for pattern in one.removeprefix("!").split("|")]
        if one.startswith("!") and any(among):
            yield f"{one[1:]} has no place here"
        elif not one.startswith("!") and not any(among):
            yield f"{one} is missing"


def _port_routing(expect: Expected, given: Scored) -> Said:
    if "cables" not in expect and given.facts is None:
        return None
    if given.facts is None:
        return "there is no graph"
    wrong = [
        one.message
        for one in validated_graph(given.facts).issues
        if one.check in (PreflightCheck.port_unknown, PreflightCheck.port_mismatch)
    ]
    return _joined([*wrong, *_cabled(given.facts, expect.get("cables") or ())])


def _context_routing(expect: Expected, given: Scored) -> Said:
    if "context" not in expect:
        return None
    return _joined(_cabled(given.facts, expect["context"])) if given.facts else "there is no graph"


def _cabled(facts: Facts, wanted: Sequence[str]) -> Iterator[str]:
    """`source.*.documents > step.agent_task.context_in`: types with ports; `!` in front: no such cable."""
    told = [_as_types(one) for one in facts.active_cables]
    for one in wanted:
        there = any(fnmatchcase(each, one.removeprefix("!")) for each in told)
        if there is one.startswith("!"):
            yield f"{one[1:]} is wrong" if one.startswith("!") else f"{one} is missing"


def _as_types(cable: Cable) -> str:
    return f"{cable.tail.type_name}.{cable.from_port} > {cable.head.type_name}.{cable.to_port}"


def _capability_binding(expect: Expected, given: Scored) -> Said:
    wanted: Mapping[str, Sequence[str]] | None = expect.get("capabilities")
    if wanted is None:
        return None
    bound = [stems(one) for one in given.told.capabilities]
    lacking = [one for one in wanted.get("needs", ()) if not any(stems(one) <= each for each in bound)]
    wrong = [one for one in wanted.get("never", ()) if any(stems(one) <= each for each in bound)]
    return _joined([*(f"{one} is not bound" for one in lacking), *(f"{one} must not be bound" for one in wrong)])


def _artifact_policy(expect: Expected, given: Scored) -> Said:
    wanted: Sequence[str] | None = expect.get("artifact_level")
    if wanted is None:
        return None
    told = given.told.artifact_level
    return "" if told in wanted else f"the output goes {told or 'nowhere that was told'}, and not {' or '.join(wanted)}"


def _side_effect_safety(expect: Expected, given: Scored) -> Said:
    """Nothing acts on the outside world unseen; where a person is expected, one is asked."""
    if given.facts is None:
        return None if not expect.get("gated") else "there is no graph"
    ungated = unasked(given.facts)
    found = [one.key for one in given.facts.enabled if one.effects & OUTSIDE and one.key in ungated]
    asked = any(one.waits for one in given.facts.enabled)
    lacking = ["nobody is asked"] if expect.get("gated") and not asked else []
    return _joined([*(f"{one} acts unseen" for one in found), *lacking])


def _graph_validity(expect: Expected, given: Scored) -> Said:
    del expect
    if given.facts is None:
        return None
    checked = validated_graph(given.facts)
    return "" if checked.valid else _joined(one.message for one in checked.issues)


def _preflight_quality(expect: Expected, given: Scored) -> Said:
    """It was examined as it is, and what was told of it holds by its shape."""
    if not expect.get("preflight"):
        return None
    if given.facts is None:
        return "there is no graph"
    checked = validated_graph(given.facts)
    if given.told.preflight_graph_hash != checked.graph_hash:
        return "this graph was not examined"
    ready = given.told.preflight_status in ("ready", "warning")
    return "it is told to be ready, and cannot be run" if ready and not checked.valid else ""


def _question_quality(expect: Expected, given: Scored) -> Said:
    wanted: Mapping[str, Any] | None = expect.get("questions")
    if wanted is None:
        return None
    asked = [stems(one) for one in given.told.questions]
    found = [f"{len(asked)} questions are more than {wanted['most']}"] if len(asked) > wanted.get("most", 3) else []
    found += [
        f"nobody asks about {one}" for one in wanted.get("about", ()) if not any(stems(one) & each for each in asked)
    ]
    known = [one for one in wanted.get("known", ()) if any(stems(one) <= each for each in asked)]
    return _joined([*found, *(f"{one} is known already" for one in known)])


def _preference_alignment(expect: Expected, given: Scored) -> Said:
    wanted: Sequence[str] | None = expect.get("prefers")
    if wanted is None:
        return None
    types = {one.type_name for one in given.facts.enabled} if given.facts else set[str]()
    return _joined(_chosen(wanted, types))


def _explanation_clarity(expect: Expected, given: Scored) -> Said:
    wanted: Mapping[str, Any] | None = expect.get("explanation")
    if wanted is None:
        return None
    text = given.told.explanation
    if not text.strip():
        return "nothing is explained"
    said = stems(text)
    lacking = [f"nothing is said of {one}" for one in wanted.get("says", ()) if not stems(one) & said]
    longest = max(len(one.split()) for one in _SENTENCE.split(text))
    long = [f"a sentence has {longest} words"] if longest > LONGEST_SENTENCE else []
    size = len(text.split())
    much = [f"it has {size} words"] if size > wanted.get("most_words", 200) else []
    return _joined([*lacking, *long, *much])


def _behaviour(expect: Expected, given: Scored) -> Said:
    wanted: Mapping[str, Any] | None = expect.get("behaviour")
    if wanted is None:
        return None
    told = given.told
    found: list[str] = []
    if "mode" in wanted and told.mode not in wanted["mode"]:
        found.append(f"it became {told.mode or 'nothing that was told'}, and not {' or '.join(wanted['mode'])}")
    if "entrypoint" in wanted and told.entrypoint not in wanted["entrypoint"]:
        found.append(f"it was asked by {told.entrypoint or 'no entrypoint'}")
    if wanted.get("graph") is False and told.graph is not None:
        found.append("a graph was drawn")
    if wanted.get("graph") is True and told.graph is None:
        found.append("no graph was drawn")
    if "most_tokens" in wanted and (told.context_tokens or 0) > wanted["most_tokens"]:
        found.append(f"it was given {told.context_tokens} tokens")
    text = " ".join((told.explanation, *told.questions)).lower()
    found += [f"it names {one}" for one in wanted.get("never_says", ()) if one.lower() in text]
    reasons = stems(" ".join(told.degraded_reasons))
    found += [f"it does not say that {one} is missing" for one in wanted.get("names", ()) if not stems(one) <= reasons]
    return _joined(found)


SCORERS: Mapping[Scorer, Callable[[Expected, Scored], Said]] = {
    Scorer.template_reuse: _template_reuse,
    Scorer.module_choice: _module_choice,
    Scorer.port_routing: _port_routing,
    Scorer.context_routing: _context_routing,
    Scorer.capability_binding: _capability_binding,
    Scorer.artifact_policy: _artifact_policy,
    Scorer.side_effect_safety: _side_effect_safety,
    Scorer.graph_validity: _graph_validity,
    Scorer.preflight_quality: _preflight_quality,
    Scorer.question_quality: _question_quality,
    Scorer.preference_alignment: _preference_alignment,
    Scorer.explanation_clarity: _explanation_clarity,
    Scorer.behaviour: _behaviour,
}
TAUGHT = frozenset({
    Scorer.module_choice, Scorer.port_routing, Scorer.context_routing, Scorer.side_effect_safety,
    Scorer.graph_validity, Scorer.preference_alignment,
})  # fmt: skip
"""What a worked example of the pack can be held to: it has a graph, and nobody has asked or bound anything."""


def _joined(found: Any) -> str:
    return "; ".join(found)
