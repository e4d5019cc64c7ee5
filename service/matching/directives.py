"""What was taught: when an asset is preferred, avoided, or not taken without asking."""

from dataclasses import dataclass

from graph_schema.library.words import DirectiveKind as Kind
from graph_schema.model.record import LifecycleState
from service.matching.assets import Asset, Directive
from service.matching.request import Asked
from service.matching.saying import negates, said
from service.words import spoken

_PREFERS = (Kind.prefer_when_phrase, Kind.prefer_for_task_type, Kind.prefer_output_archetype)
_AVOIDS = (Kind.avoid_when_phrase, Kind.avoid_for_task_type)
ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Taught:
    """The directives that hold for a request, by what they ask for."""

    prefers: tuple[Directive, ...]
    avoids: tuple[Directive, ...]
    confirms: tuple[Directive, ...]


def taught(asked: Asked, asset: Asset) -> Taught:
    """Only what is active steers: a candidate or a rejected directive is as if it were not there."""
    active = (one for one in asset.directives if one.state is LifecycleState.active)
    held = sorted((one for one in active if holds(one, asked, asset)), key=lambda one: (-one.confidence, one.id))
    return Taught(
        tuple(one for one in held if one.kind in _PREFERS),
        tuple(one for one in held if one.kind in _AVOIDS),
        tuple(one for one in held if one.kind is Kind.require_user_confirmation),
    )


def holds(directive: Directive, asked: Asked, asset: Asset) -> bool:
    if directive.limited_to is not None and not {*directive.limited_to} & {*(asked.request.entities or ())}:
        return False
    about = directive.phrase_or_condition
    match directive.kind:
        case Kind.prefer_when_phrase | Kind.avoid_when_phrase:
            return says(asked, about) is not None or means(asked, directive)
        case Kind.prefer_for_task_type | Kind.avoid_for_task_type:
            return _same(asked.request.task_type, about)
        case Kind.prefer_output_archetype:
            return _archetype(asked, asset, about)
        case Kind.require_user_confirmation:
            always = spoken(about) in ("", ALWAYS) or _same(asked.request.task_type, about)
            return always or says(asked, about) is not None or means(asked, directive)


def says(asked: Asked, phrase: str) -> str | None:
    """The words of the request that are the phrase; None when it does not say it, or denies it."""
    return said(asked.compared, phrase) if asked.compared else None


def means(asked: Asked, directive: Directive) -> bool:
    """Whether the request says the same in other words. Whatever negates anything may as well deny it."""
    return directive.meant and not negates(asked.compared)


def told(directive: Directive, asked: Asked) -> str:
    """What was taught, quoting of the request only what it says."""
    verb = "avoided" if directive.kind in _AVOIDS else "preferred"
    about = directive.phrase_or_condition
    match directive.kind:
        case Kind.prefer_for_task_type | Kind.avoid_for_task_type:
            return f"It was taught that it is {verb} for tasks of type “{about}”."
        case Kind.prefer_output_archetype:
            return f"It was taught that “{about}” is what is liked, and it makes that."
        case Kind.require_user_confirmation:
            return f"It was taught that it is not taken without asking ({about or ALWAYS})."
        case _:
            return f"It was taught that it is {verb} for “{about}”; {_how(directive, asked)}."


def _how(directive: Directive, asked: Asked) -> str:
    words = says(asked, directive.phrase_or_condition)
    return f"the request says “{words}”" if words else "the request means that"


def _archetype(asked: Asked, asset: Asset, wanted: str) -> bool:
    made = any(_same(one, wanted) for one in asset.output_archetypes)
    liked = any(_same(one, wanted) for one in asked.request.outputs or ())
    return made and liked


def _same(one: str | None, other: str) -> bool:
    return one is not None and spoken(one) == spoken(other) != ""
