"""Which class of model fits, by a policy that is written down: `seeds/knowledge/models.yaml`. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Annotated, Any, cast

import yaml

from service.words import stems

Row = Mapping[str, Any]


class ModelBudget(StrEnum):
    """What a call may cost."""

    low = "low"
    normal = "normal"
    high = "high"


class ModelLatency(StrEnum):
    """How long somebody waits."""

    interactive = "interactive"
    normal = "normal"
    batch = "batch"


class ModelQuality(StrEnum):
    """How good it must be."""

    draft = "draft"
    normal = "normal"
    high = "high"


class ModelPrivacy(StrEnum):
    """Where the data may go."""

    any = "any"
    local_only = "local_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNeed:
    """What a model is needed for."""

    module_type: Annotated[str | None, "The type of module that asks it."] = None
    task_type: Annotated[str | None, "The type of the task."] = None
    budget: Annotated[ModelBudget, "What a call may cost."] = ModelBudget.normal
    latency: Annotated[ModelLatency, "How long somebody waits."] = ModelLatency.normal
    quality: Annotated[ModelQuality, "How good it must be."] = ModelQuality.normal
    privacy: Annotated[ModelPrivacy, "Where the data may go."] = ModelPrivacy.any


@dataclass(frozen=True, slots=True)
class Advice:
    model_class: str
    because: str
    words: frozenset[str]
    """Words by which a model says that it is of the class."""


@cache
def model_policy() -> Row:
    text = (resources.files("seeds") / "knowledge" / "models.yaml").read_text("utf-8")
    return cast("Row", yaml.safe_load(text))


def model_classes() -> list[dict[str, Any]]:
    """Each class with the rules that ask for it, in the order of the policy."""
    told = model_policy()
    return [
        {"name": name, "words": words, "rules": [
            {"when": one.get("when") or {}, "because": one["because"]} for one in told["rules"] if one["use"] == name
        ]}
        for name, words in sorted(told["classes"].items())
    ]  # fmt: skip


def advised(need: ModelNeed, policy: Row | None = None) -> Advice:
    """The first rule of the policy that holds. Its last one holds always."""
    told = policy or model_policy()
    rules: Sequence[Row] = told["rules"]
    rule = next(one for one in rules if _holds(one.get("when") or {}, need))
    words = frozenset(stem for word in told["classes"][rule["use"]] for stem in stems(word))
    return Advice(rule["use"], rule["because"], words)


def is_of(advice: Advice, name: str, summary: str) -> bool:
    return bool(advice.words & (stems(name) | stems(summary)))


def _holds(when: Row, need: ModelNeed) -> bool:
    said = {name: str(value) for name, value in asdict(need).items() if value is not None}
    return all(said.get(name) in values for name, values in when.items())
