"""From sources to cards. Pure: the same sources give the same cards, in the same order."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from graph_schema.knowledge.words import AuthorityLevel, CardFamily, MayAffect
from graph_schema.library.words import SourceKind
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH

Row = Mapping[str, Any]
_SCHEMA, _REGISTRY = SourceKind.generated_from_doc23_schema, SourceKind.generated_from_doc24_registry
_WRITTEN, _LEARNED = SourceKind.architect_authored, SourceKind.learned_from_trace
ADVICE = (MayAffect.recommendation, MayAffect.question_policy, MayAffect.graph_generation)


@dataclass(frozen=True, slots=True)
class Sources:
    """All that a pack is made from."""

    types: Sequence[Row] = ()
    assets: Sequence[Row] = ()
    codes: Mapping[str, str] = field(default_factory=dict[str, str])
    operations: Sequence[str] = ()
    authored: Mapping[str, Sequence[Row]] = field(default_factory=dict[str, Sequence[Row]])
    documents: Mapping[str, str] = field(default_factory=dict[str, str])
    """Hash of each registered document, by how it is cited."""
    models: Sequence[Row] = ()
    """Classes of models, each with its words and the rules of the policy that ask for it."""
    controls: Sequence[Row] = ()
    """What a user or agent can ask the Task Agent for, each with the operations behind it."""

    def hashes(self) -> dict[str, str]:
        """The hash of each source by its name: `ports step.judge`, `template tpl_…`, `code validation.…`."""
        found: dict[str, str] = {}
        for one in self.types:
            own = {name: value for name, value in one.items() if name not in ("id", "ports", "fields")}
            name = one["module_type"]
            found |= {f"module {name}": hashed(own), f"ports {name}": hashed(one["ports"])}
            found[f"fields {name}"] = hashed(one["fields"])
        found |= {asset_ref(one): asset_hash(one) for one in self.assets}
        found |= {f"document {key}": one for key, one in self.documents.items()}
        found |= {f"code {code}": hashed(said) for code, said in self.codes.items()}
        found |= {f"model {one['name']}": hashed(one) for one in self.models}
        found |= {f"control {one['entrypoint']}": hashed(one) for one in self.controls}
        found["operations"] = hashed(sorted(self.operations))
        found |= {f"{part} {one['about']}": hashed(one) for part, some in self.authored.items() for one in some}
        return found

    def versions(self) -> dict[str, int]:
        """The version of each asset, by its name as a source: what has the same version says the same."""
        return {asset_ref(one): one["version"] for one in self.assets if "version" in one}


def asset_ref(one: Row) -> str:
    return f"{one['kind'].lower()} {one['id']}"


def asset_hash(one: Row) -> str:
    return hashed({name: value for name, value in one.items() if name != "version"})


@dataclass(frozen=True, slots=True)
class CardContent:
    """A card before it is stored."""

    family: CardFamily
    subject: str
    title: str
    body: str
    source_ref: str
    authority: SourceKind
    level: AuthorityLevel
    may_affect: tuple[MayAffect, ...]
    detail: str | None = None

    def hash(self, sources: Mapping[str, str]) -> str:
        said = [self.family, self.subject, self.title, self.body, self.detail, self.authority, self.level]
        return hashed([*said, *self.may_affect, self.source_ref, sources[self.source_ref]])

    def values(self, content_hash: str, source_hash: str, source_version: int | None) -> dict[str, Any]:
        told = {
            "name": self.title[:NAME_LENGTH],
            "family": self.family.value,
            "subject": self.subject,
            "body": self.body[:LONG_TEXT_LENGTH],
            "detail": self.detail,
            "authority": self.authority.value,
            "authority_level": self.level.value,
            "may_affect": [one.value for one in self.may_affect],
            "source_ref": self.source_ref,
            "source_hash": source_hash,
            "source_version": source_version,
            "content_hash": content_hash,
        }
        return {name: value for name, value in told.items() if value is not None}


def hashed(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()


def cards_of(sources: Sources) -> list[CardContent]:
    """Learned cards bear on recommendations alone: what was learned changes no check."""
    found = [*_of_types(sources), *_of_codes(sources), *_of_assets(sources), *_authored(sources)]
    found += [*_of_models(sources), *_of_controls(sources)]
    return sorted(found, key=lambda one: (one.family, one.subject, one.source_ref))


def _of_types(sources: Sources) -> Iterator[CardContent]:
    hard = (_SCHEMA, AuthorityLevel.hard_rule, (MayAffect.validation, MayAffect.graph_generation))
    for one in sources.types:
        kind, name = one["module_type"], one["name"]
        yield CardContent(
            CardFamily.module_card,
            kind,
            name,
            _module_text(one),
            f"module {kind}",
            *hard,
            _json(one, "ports", "fields"),
        )
        if one["ports"]:
            ports = [_port_text(port) for port in one["ports"]]
            yield CardContent(
                CardFamily.port_card, kind, f"Ports of {name}", "\n".join(ports), f"ports {kind}", *hard,
                orjson.dumps(one["ports"]).decode(),
            )  # fmt: skip
        if one["fields"]:
            fields = [_field_text(each) for each in one["fields"]]
            yield CardContent(
                CardFamily.config_card, kind, f"What can be set of {name}", "\n".join(fields), f"fields {kind}", *hard,
                orjson.dumps(one["fields"]).decode(),
            )  # fmt: skip


def _module_text(one: Row) -> str:
    lines = [one.get("purpose") or ""]
    for title, name in (
        ("Use it when", "when_to_use"),
        ("Not when", "when_not_to_use"),
        ("Commonly", "common_patterns"),
        ("Mistakes", "common_mistakes"),
    ):
        lines += [f"{title}: {' '.join(one[name])}"] if one.get(name) else []
    told = ("context_behavior", "chain_history_behavior", "session_behavior", "side_effect_behavior")
    lines += [one[name] for name in told if one.get(name)]
    return "\n".join(line for line in lines if line)


def _port_text(port: Row) -> str:
    must = ", required" if port["required"] else ""
    return f"{port['port_name']} ({port['direction']}, {port['port_kind']}{must}): {port.get('description') or ''}"


def _field_text(each: Row) -> str:
    must = ", required" if each["required"] else ""
    choices = f" One of {', '.join(each['choices'])}." if each.get("choices") else ""
    default = f" {each['default_value']} unless set." if each.get("default_value") else ""
    return f"{each['field_name']} ({each['config_kind']}{must}): {each.get('description') or ''}{choices}{default}"


def _of_codes(sources: Sources) -> Iterator[CardContent]:
    for code, said in sorted(sources.codes.items()):
        yield CardContent(
            CardFamily.validation_card, code, code, said, f"code {code}", _SCHEMA, AuthorityLevel.hard_rule,
            (MayAffect.validation,),
        )  # fmt: skip


def _of_models(sources: Sources) -> Iterator[CardContent]:
    for one in sources.models:
        name, told = one["name"], [f"A model is of this class when it says {', '.join(one['words'])}."]
        told += [f"{_condition(each['when'])}: {each['because']}" for each in one["rules"]]
        yield CardContent(
            CardFamily.model_selection_card, name, f"When a {name} model", "\n".join(told), f"model {name}", _WRITTEN,
            AuthorityLevel.strong_default, ADVICE, _json(one),
        )  # fmt: skip


def _condition(when: Row) -> str:
    told = (f"{name.replace('_', ' ')} {' or '.join(values)}" for name, values in sorted(when.items()))
    return f"For {', '.join(told)}" if when else "Else"


def _of_controls(sources: Sources) -> Iterator[CardContent]:
    for one in sources.controls:
        needs = [word for name, word in _NEEDS.items() if one.get(name)]
        told = [
            f"“{one['user_facing_label']}” asks {', '.join(one['operations'])}.",
            f"It needs {', '.join(needs)}." if needs else "It needs nothing beside what is kept here.",
            "" if one["may_run_without_llm"] else "A model thinks; what is here is looked up and proposed with.",
        ]
        yield CardContent(
            CardFamily.ui_control_card, one["entrypoint"], one["user_facing_label"],
            "\n".join(line for line in told if line), f"control {one['entrypoint']}", _SCHEMA, AuthorityLevel.hard_rule,
            (MayAffect.recommendation,), _json(one),
        )  # fmt: skip


_NEEDS = {
    "requires_knowledge_pack": "the knowledge pack",
    "requires_run_truth": "what runs were reported to do",
    "requires_task_memory": "what is remembered of tasks",
}
_ASSETS = {
    "Template": (CardFamily.template_card, _WRITTEN, AuthorityLevel.strong_default, (MayAffect.template_matching,)),
    "Preset": (CardFamily.preset_card, _WRITTEN, AuthorityLevel.strong_default, (MayAffect.template_matching,)),
    "Capability": (CardFamily.capability_card, _REGISTRY, AuthorityLevel.hard_rule, (MayAffect.recommendation,)),
    "Pattern": (CardFamily.pattern_card, _WRITTEN, AuthorityLevel.soft_heuristic, ADVICE),
    "Case": (CardFamily.design_case, _LEARNED, AuthorityLevel.example, (MayAffect.recommendation,)),
    "Lesson": (CardFamily.hint_card, _LEARNED, AuthorityLevel.example, (MayAffect.recommendation,)),
}


def _of_assets(sources: Sources) -> Iterator[CardContent]:
    for one in sources.assets:
        family, authority, level, affects = _ASSETS[one["kind"]]
        if one.get("pattern_kind") == "anti_pattern":
            family = CardFamily.anti_pattern_card
        text = _asset_text(one)
        yield CardContent(family, one["id"], one["name"], text, asset_ref(one), authority, level, affects)


def _asset_text(one: Row) -> str:
    told = ("description", "purpose", "summary", "user_intent_summary", "final_blueprint_summary", "outcome_summary",
            "why_this_preset_exists", "config_summary", "instead", "design_choice", "because",
            "actual_effect")  # fmt: skip
    lists = (("Makes", "expected_outputs"), ("Use it when", "use_conditions"), ("Not when", "non_use_conditions"),
             ("Limits", "known_limitations"), ("Shapes", "canonical_graph_shapes"), ("Again when", "when_to_reuse"),
             ("Not again when", "when_not_to_reuse"))  # fmt: skip
    lines = [one[name] for name in told if one.get(name)]
    lines += [f"{title}: {', '.join(one[name])}" for title, name in lists if one.get(name)]
    return "\n".join(lines) or one["name"]


FAMILIES = {
    "doctrine": CardFamily.doctrine_card,
    "rationale": CardFamily.rationale_card,
    "config_rationale": CardFamily.config_rationale_card,
    "hints": CardFamily.hint_card,
    "decisions": CardFamily.decision_card,
    "prompts": CardFamily.prompt_guide_card,
    "invocation": CardFamily.invocation_card,
    "examples": CardFamily.worked_example,
}


def _authored(sources: Sources) -> Iterator[CardContent]:
    titles = {f"{part} {one['about']}": one["title"] for part, some in sources.authored.items() for one in some}
    for part, some in sources.authored.items():
        for one in some:
            example = part == "examples"
            level = AuthorityLevel(one.get("level") or ("example" if example else "strong_default"))
            body = f"{one['request']}\n{one['says']}" if example else one["says"]
            body += "".join(f"\nNot otherwise: {each}" for each in one.get("why_not", ()))
            body += "".join(f"\nSee: {titles[each]}." for each in one.get("see", ()))
            detail = _json(one, "about", "title", "says", "level", "see") if example else None
            yield CardContent(
                FAMILIES[part], one["about"], one["title"], body, f"{part} {one['about']}", _WRITTEN, level, ADVICE,
                detail,
            )  # fmt: skip


def _json(one: Row, *without: str) -> str:
    told = {name: value for name, value in one.items() if name not in without and name != "id"}
    return orjson.dumps(told, option=orjson.OPT_SORT_KEYS).decode()
