"""A design session as its rules see it: what is kept of it, and what hangs on it. Plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import orjson

from graph_schema.learning.design_words import ConsideredAs, DesignSlot, SuggestionAnswer
from graph_schema.library.words import MatchOutcome, OutputStakes
from service.knowledge.preflight.issues import PreflightIssue
from service.library.diffs import content_for
from service.library.profile import measured

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """`row` is what the statement SESSION tells; `modules` are those of the latest graph, `needed` the capabilities
    that the blueprint cannot do without."""

    row: Values
    modules: Sequence[Values] = ()
    needed: Sequence[Values] = ()
    seen: frozenset[str] | None = None
    """What the blueprint names that the reader may see; None: whoever writes sees what they name."""
    shape: Sequence[PreflightIssue] = ()
    """What a preflight finds in the shape of the latest graph."""

    @property
    def session(self) -> Values:
        return cast("Values", self.row["session"])

    def considered(self, *roles: ConsideredAs) -> list[Values]:
        return [one for one in self.row["considered"] if one["role"] in roles]

    @property
    def basis(self) -> Values | None:
        """The template that the design starts from: one that is adapted, was accepted, or was found to match."""
        if self.row["adapts"]:
            return cast("Values", self.row["adapts"])
        found = [one for one in self.considered(ConsideredAs.template) if one["response"] != SuggestionAnswer.rejected]
        taken = [one for one in found if one["response"] == SuggestionAnswer.accepted]
        matched = self.row["match"] and self.row["match"]["outcome"] == MatchOutcome.match
        first = taken or (found if matched and not self.session["new_graph_requested"] else [])
        return cast("Values", first[0]["record"]) if first else None

    @property
    def taken(self) -> str | None:
        """The template that the user knows of: one that was to be adapted, or that they accepted."""
        if self.row["adapts"]:
            return str(self.row["adapts"]["id"])
        accepted = (
            str(one["record"]["id"])
            for one in self.considered(ConsideredAs.template)
            if one["response"] == SuggestionAnswer.accepted
        )
        return next(accepted, None)

    @property
    def wishes(self) -> list[str]:
        """What the user said of how they want to be served: here, and as preferences that hold for this."""
        here = [str(one["quote"]) for one in self.row["statements"] if one["lifecycle_state"] != "rejected"]
        held = self.considered(ConsideredAs.preference, ConsideredAs.restriction)
        return [*here, *(str(one["record"]["statement"]) for one in held if one["record"].get("statement"))]

    @property
    def judged(self) -> list[str]:
        """The search for reuse and the decision that led to the design, as far as there are such."""
        match = self.row["match"]
        return [one for one in (match["id"] if match else None, self.row["decision"]) if one]

    @property
    def blueprint(self) -> Values | None:
        """The blueprint as it was last proposed."""
        return self.row["blueprints"][0] if self.row["blueprints"] else None

    @property
    def content(self) -> Values | None:
        """All that the blueprint says, with its parts."""
        told = self.blueprint.get("content") if self.blueprint else None
        whole = orjson.loads(told) if told else None
        return whole if whole is None or self.seen is None else content_for(whole, self.seen)

    @property
    def graph(self) -> Values | None:
        return self.row["graphs"][0] if self.row["graphs"] else None

    @property
    def stakes(self) -> str:
        return str((self.blueprint or {}).get("output_stakes") or OutputStakes.internal_advisory)

    @property
    def complexity(self) -> Values | None:
        """How much there is to what is proposed; else to the template that it starts from; else it is unknown."""
        if self.content is None and not self.modules:
            return cast("Values | None", (self.basis or {}).get("profile"))
        sides = [one.get("side") for one in (self.content or {"contracts": {}})["contracts"].values()]
        told = measured(self.modules, sides.count("output"), sides.count("input"), self.stakes)
        return {**told, "output_stakes": self.stakes}

    @property
    def is_complex(self) -> bool:
        return (self.complexity or {}).get("overall_complexity") == "complex"

    @property
    def side_effects(self) -> list[str]:
        """Classes of side effect that the design would have, as far as it is known."""
        found = {name for one in self.modules if not one.get("disabled") for name in one["side_effect_classes"]}
        found |= {name for one in self.needed for name in one["side_effect_classes"]}
        if self.content:
            found |= {str(one["side_effect_class"]) for one in self.content["side_effects"].values()}
        elif self.basis:
            found |= {*(self.basis.get("side_effect_classes") or ())}
        return sorted(found)

    def is_told(self, slot: DesignSlot) -> bool:
        return slot in self.session["told_slots"]

    def is_answered(self, slot: DesignSlot) -> bool:
        return slot in self.session["answered_slots"]
