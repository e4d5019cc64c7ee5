"""`tasklore key`, `tasklore principal`, `tasklore signin`: who may use the service. Needs the database's password."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar

import typer

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service import clock
from service.access.viewer import OPERATOR, KeyScope
from service.cli import output
from service.cli.state import State
from service.graph.database import Database
from service.graph.open import opened
from service.principals import read
from service.principals.commands import KeyCreated, Principals
from service.principals.inputs import PrincipalKind
from service.principals.owner import OWNER, ensure_owner, operator_commands
from service.principals.pages import sign_in_address
from service.principals.principals import check_scopes
from service.settings import Settings
from service.web.address import base_address

T = TypeVar("T")
Work = Callable[[Database, Principals], Awaitable[T]]

DEFAULT_DAYS = 90
LONGEST_DAYS = 366

key = typer.Typer(name="key", help="Create, list and revoke keys.", no_args_is_help=True, rich_markup_mode=None)
principal = typer.Typer(
    name="principal", help="Say who may use the service.", no_args_is_help=True, rich_markup_mode=None
)

Who = Annotated[str, typer.Argument(help="Name or id of the principal.")]
Matters = Annotated[list[str], typer.Argument(help="Ids of matters.")]
Scope = Annotated[list[KeyScope], typer.Option("--scope", help="What the key may be used for. Repeat for more.")]
Days = Annotated[int, typer.Option(min=1, max=LONGEST_DAYS, help="Days until it expires.")]


@key.command("create")
def create_key(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What the key is for, in words.")],
    owner: Annotated[str, typer.Option("--principal", help="Name or id of the principal.")] = OWNER,
    scope: Scope = [KeyScope.read],  # noqa: B006 - typer copies it
    days: Days = DEFAULT_DAYS,
    *,
    memory_mode: Annotated[
        MemoryMode | None, typer.Option(help="How runs are remembered, where what reports them does not say.")
    ] = None,
    data_class: Annotated[DataClass | None, typer.Option(help="How sensitive such runs are.")] = None,
    matter: Annotated[list[str], typer.Option(help="Id of a matter that such runs belong to. Repeat for more.")] = [],  # noqa: B006
    source: Annotated[str | None, typer.Option(help="The system that runs are named by, where nothing says.")] = None,
) -> None:
    """Create a key and show it, this once.

    Example: tasklore key create "nightly import" --principal importer --scope report --days 30
    Example: tasklore key create "agent traces" --scope report --memory-mode standard --data-class internal
    """
    defaults = _defaults(memory_mode, data_class, matter, source)
    created = _run(context, lambda _database, commands: _new_key(commands, owner, name, scope, days, defaults))
    _show_key(created)


@key.command("list")
def list_keys(
    context: typer.Context,
    owner: Annotated[str | None, typer.Option("--principal", help="Only the keys of this principal.")] = None,
    include_dead: Annotated[bool, typer.Option("--all", help="Also those that no longer work.")] = False,
) -> None:
    """List keys, with their last four characters.

    Example: tasklore key list --principal owner --all
    """
    rows = _run(context, lambda database, _: read.keys(database, OPERATOR, owner, include_dead=include_dead))
    output.show_rows(rows if output.wants_json() else [_key_row(one) for one in rows], empty="There are no keys.")


@key.command("revoke")
def revoke_key(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(help="Id of the key, as `tasklore key list` shows it.")],
) -> None:
    """Revoke a key. It is dead at once, everywhere within a second.

    Example: tasklore key revoke key_01k9x3v7m2q8r5t1w4y6z0abcd
    """
    outcome = _run(context, lambda _database, commands: commands.revoke_key(OPERATOR, key_id))
    output.show(outcome.result["key"] if output.wants_json() else _key_row(outcome.result["key"]))


@principal.command("create")
def create_principal(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is called.")],
    *,
    kind: Annotated[PrincipalKind, typer.Option(help="What it is.")] = PrincipalKind.person,
    clearance: Annotated[DataClass, typer.Option(help="The most sensitive class it may see.")] = DataClass.internal,
    matter: Annotated[list[str], typer.Option(help="Id of a matter it is a member of. Repeat for more.")] = [],  # noqa: B006
    all_matters: Annotated[bool, typer.Option("--all-matters", help="Make it a member of every matter.")] = False,
    admin: Annotated[bool, typer.Option("--admin", help="Also create a key with every scope, and show it.")] = False,
) -> None:
    """Add somebody, or something, that may use the service.

    Example: tasklore principal create ada --clearance privileged --all-matters --admin
    """
    values = {"name": name, "kind": kind, "clearance": clearance, "matter_ids": matter, "all_matters": all_matters}

    async def work(_database: Database, commands: Principals) -> tuple[dict[str, Any], KeyCreated | None]:
        scopes = [*KeyScope]
        check_scopes(name, kind, scopes if admin else ())
        made = (await commands.create_principal(OPERATOR, values)).result["principal"]
        return made, await _new_key(commands, made["id"], "first key", scopes, DEFAULT_DAYS) if admin else None

    made, created = _run(context, work)
    if created is None:
        output.show(_principal_facts(made))
    elif output.wants_json():
        output.show({"principal": made, "key": created.key, "text": created.text})
    else:
        output.show(_principal_facts(made))
        output.say()
        _show_key(created)


@principal.command("list")
def list_principals(context: typer.Context) -> None:
    """List who may use the service.

    Example: tasklore principal list --json
    """
    rows = _run(context, lambda database, _: read.principals(database, OPERATOR))
    output.show_rows(
        rows if output.wants_json() else [_principal_row(one) for one in rows], empty="There are no principals."
    )


@principal.command("show")
def show_principal(context: typer.Context, who: Who) -> None:
    """Show one principal and its keys.

    Example: tasklore principal show ada
    """

    async def work(database: Database, _commands: Principals) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        found = await read.principal(database, OPERATOR, who)
        return found, await read.keys(database, OPERATOR, found["id"], include_dead=True)

    found, keys = _run(context, work)
    if output.wants_json():
        output.show({**found, "keys": keys})
        return
    output.show(_principal_facts(found))
    output.say()
    output.show_rows([_key_row(one) for one in keys], empty="It has no keys.")


@principal.command("change")
def change_principal(
    context: typer.Context,
    who: Who,
    *,
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    kind: Annotated[PrincipalKind | None, typer.Option(help="What it is.")] = None,
    clearance: Annotated[DataClass | None, typer.Option(help="The most sensitive class it may see.")] = None,
    all_matters: Annotated[
        bool | None, typer.Option("--all-matters/--no-all-matters", help="Whether it is a member of every matter.")
    ] = None,
) -> None:
    """Change a principal. What is not given stays as it is.

    Example: tasklore principal change ada --clearance local_only
    """
    given = {"name": name, "kind": kind, "clearance": clearance, "all_matters": all_matters}
    values = {field: value for field, value in given.items() if value is not None}
    _change(context, lambda commands: commands.change_principal(OPERATOR, who, values))


@principal.command("disable")
def disable_principal(context: typer.Context, who: Who) -> None:
    """Disable a principal. None of its keys works any more, everywhere within a second.

    Example: tasklore principal disable ada
    """
    _change(context, lambda commands: commands.disable_principal(OPERATOR, who))


@principal.command("enable")
def enable_principal(context: typer.Context, who: Who) -> None:
    """Enable a principal again, with the keys that it had.

    Example: tasklore principal enable ada
    """
    _change(context, lambda commands: commands.enable_principal(OPERATOR, who))


@principal.command("grant")
def grant(context: typer.Context, who: Who, matters: Matters) -> None:
    """Make a principal a member of matters.

    Example: tasklore principal grant ada ent_01k9x3v7m2q8r5t1w4y6z0abcd
    """
    _change(context, lambda commands: commands.grant_matters(OPERATOR, who, matters))


@principal.command("ungrant")
def ungrant(context: typer.Context, who: Who, matters: Matters) -> None:
    """End a principal's membership of matters.

    Example: tasklore principal ungrant ada ent_01k9x3v7m2q8r5t1w4y6z0abcd
    """
    _change(context, lambda commands: commands.revoke_matters(OPERATOR, who, matters))


def signin(
    context: typer.Context,
    who: Annotated[str, typer.Option("--principal", help="Who will be signed in.")] = OWNER,
    scope: Scope = [*KeyScope],  # noqa: B006 - typer copies it
) -> None:
    """Print an address that signs a browser in. It works once, for ten minutes.

    Example: tasklore signin
    """
    settings = _settings(context)

    async def work(database: Database, commands: Principals) -> KeyCreated:
        if settings.is_local and who == OWNER:
            await ensure_owner(database, settings.home)
        return await commands.create_sign_in(OPERATOR, who, scope)

    created = _run(context, work)
    address = sign_in_address(base_address(settings), created.text or "")
    if output.wants_json():
        output.show({"address": address, "expires_at": created.key["expires_at"]})
    else:
        output.say(address)


async def _new_key(  # noqa: PLR0917 - what a key is made of
    commands: Principals,
    owner: str,
    name: str,
    scopes: list[KeyScope],
    days: int,
    defaults: Mapping[str, Any] | None = None,
) -> KeyCreated:
    expires_at = clock.stamp(datetime.now(UTC) + timedelta(days=days))
    values = {"principal": owner, "name": name, "scopes": scopes, "expires_at": expires_at, **(defaults or {})}
    return await commands.create_key(OPERATOR, values)


def _defaults(
    memory_mode: MemoryMode | None, data_class: DataClass | None, matters: list[str], source: str | None
) -> dict[str, Any]:
    """What a key says by default. Whoever says how runs are remembered and names no matter means none."""
    told = {"default_memory_mode": memory_mode, "default_data_class": data_class, "default_source": source}
    given: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    if matters or memory_mode or data_class:
        given["default_matter_ids"] = matters
    return given


def _show_key(created: KeyCreated) -> None:
    if output.wants_json():
        output.show({**created.key, "text": created.text})
        return
    output.show(_key_row(created.key))
    output.say()
    output.say(str(created.text))
    output.say(created.note)


def _change(context: typer.Context, change: Callable[[Principals], Awaitable[Any]]) -> None:
    outcome = _run(context, lambda _database, commands: change(commands))
    output.show(_principal_facts(outcome.result["principal"]))


def _settings(context: typer.Context) -> Settings:
    state = context.find_object(State)
    assert state is not None  # noqa: S101 - the main command sets it before any other runs
    return state.settings


def _run(context: typer.Context, work: Work[T]) -> T:
    settings = _settings(context)

    async def opened_work() -> T:
        with output.progressing() as progress:
            async with opened(settings, progress) as database:
                return await work(database, operator_commands(database, settings.access_log))

    return output.run_async(opened_work())


def _principal_facts(found: dict[str, Any]) -> dict[str, Any]:
    if output.wants_json():
        return found
    return {**found, "matter_ids": ", ".join(found["matter_ids"]) or None}


def _principal_row(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": found["name"],
        "kind": found["kind"],
        "clearance": found["clearance"],
        "matters": "all" if found["all_matters"] else len(found["matter_ids"]),
        "keys": found["live_keys"],
        "disabled": found["disabled_at"],
        "id": found["id"],
    }


def _defaults_told(key: dict[str, Any]) -> str | None:
    """What a key says by default, in a few words: `standard, internal, 2 matters, source crewai`."""
    matters = key["default_matter_ids"]
    told = (
        key["default_memory_mode"],
        key["default_data_class"],
        f"{len(matters)} matters" if matters else None,
        f"source {key['default_source']}" if key["default_source"] else None,
    )
    return ", ".join(one for one in told if one) or None


def _key_row(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": found["name"],
        "principal": found["principal"],
        "scopes": " ".join(found["scopes"]),
        "ends with": found["hint"],
        "purpose": found["purpose"],
        "defaults": _defaults_told(found),
        "expires": found["expires_at"],
        "revoked": found["revoked_at"],
        "last used": found["last_used_at"],
        "id": found["id"],
    }
