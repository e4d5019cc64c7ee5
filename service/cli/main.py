"""The command `tasklore`: its global options, its list of commands, and how an error looks."""

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import Abort, TyperException

from graph_schema.capabilities import parts_of
from service import collector
from service.capability import CommandAt
from service.cli import output
from service.errors import TaskloreError

GLOBAL_OPTIONS = ("--json", "--debug")
HELP_OPTIONS = ("-h", "--help")
WITHOUT_SETTINGS = ("version",)
INTERRUPTED = 130


ELSEWHERE = (
    CommandAt("serve", "service.cli.serve", "Run the service, with a local Neo4j unless TASKLORE_NEO4J_URI names one."),
    CommandAt("db", "service.cli.db", "Start, stop, inspect, back up and restore the local Neo4j."),
    CommandAt("mcp", "service.mcp.cli", "Serve the Model Context Protocol on standard input and output."),
    CommandAt("seed", "service.cli.seed", "Load the sample world."),
    CommandAt("signin", "service.principals.cli", "Print an address that signs a browser in, once."),
    CommandAt("principal", "service.principals.cli", "Create, change and list who may use the service."),
    CommandAt("key", "service.principals.cli", "Create, list and revoke keys."),
    CommandAt("search", "service.search.cli", "Search everything that you may see."),
    CommandAt("query", "service.cli.query", "Ask the API any GraphQL document."),
    CommandAt("events", "service.events.cli", "Follow what happens, as it happens."),
    *(one for part in parts_of("service") for one in getattr(part, "COMMANDS", ())),
    CommandAt("doctor", "service.cli.upkeep", "Check the graph against the registry and list what is wrong."),
    CommandAt("migrate", "service.cli.upkeep", "Bring the graph's constraints and indexes up to date."),
    CommandAt("reembed", "service.cli.upkeep", "Embed again what another model embedded."),
)


class Commands(TyperGroup):
    """Lists all commands without importing their modules: `tasklore --help` answers at once."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if found := [one for one in ELSEWHERE if args and args[0] == one.name]:
            self.add_command(load(found), found[0].name)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="tasklore",
    cls=Commands,
    help="Tasklore: the memory and judgement of a task system, as a Neo4j graph behind one GraphQL API.",
    epilog="Example: tasklore serve",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": list(HELP_OPTIONS)},
)


def load(parts: Sequence[CommandAt]) -> Any:
    """The command itself. A `Typer` becomes a group, a function a command; a group has parts in several modules."""
    name, around = parts[0].name, typer.Typer(rich_markup_mode=None, add_completion=False)
    around.callback()(lambda: None)
    with collector.paused():
        found, *others = (getattr(import_module(one.module), one.found_as or one.name) for one in parts)
    if isinstance(found, typer.Typer):
        joined = typer.Typer()
        joined.info, joined.registered_callback = found.info, found.registered_callback
        for one in (found, *others):
            joined.registered_commands += one.registered_commands
        around.add_typer(joined, name=name)
    else:
        around.command(name)(found)
    return typer.main.get_group(around).commands[name]


def _placeholder() -> None:
    """Stands in the list until the command itself is loaded."""


for _name in dict.fromkeys(one.name for one in ELSEWHERE):
    app.command(_name, help=next(one.summary for one in ELSEWHERE if one.name == _name))(_placeholder)


@app.callback()
def options(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables and sentences.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    output.set_mode(output.Mode(json=json, debug=debug))
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def provision(context: typer.Context) -> None:
    """Fetch what is missing: the database, the models, the web files. What is there is not fetched again.

    Example: tasklore provision
    """
    from service.artifacts import ensure, load_lock  # noqa: PLC0415
    from service.graph.local import provision as provision_neo4j  # noqa: PLC0415

    settings = context.obj.settings
    with output.progressing() as progress:
        if settings.is_local:
            provision_neo4j(settings, progress)
        groups = [group for group in load_lock().groups if group != "neo4j" or settings.is_local]
        files = {group: ensure(group, settings.cache, progress) for group in groups}
    output.show_rows(
        {"group": group, "files": len(paths), "MB": round(sum(path.stat().st_size for path in paths) / 1e6, 1)}
        for group, paths in files.items()
    )


@app.command("settings")
def show_settings(context: typer.Context) -> None:
    """Show the settings in force and where each comes from. Secrets are masked.

    Example: TASKLORE_PORT=9000 tasklore settings
    """
    from service.settings import effective, unknown_keys  # noqa: PLC0415

    output.show_rows(
        {"setting": one.key, "value": one.value, "from": one.key if one.origin == "environment" else "default"}
        for one in effective(context.obj.settings)
    )
    for key in unknown_keys():
        output.complain(f"Warning: {key} is set, and no setting has that name.")


@app.command()
def version() -> None:
    """Show the versions of Tasklore, of Python and of the Neo4j that it provisions.

    Example: tasklore version --json
    """
    import platform  # noqa: PLC0415
    from importlib.metadata import version as version_of  # noqa: PLC0415

    from service.artifacts import load_lock  # noqa: PLC0415

    neo4j = next(
        one.version for one in load_lock().group("neo4j") if (one.group, one.artifact) == ("org.neo4j", "neo4j")
    )
    output.show({"tasklore": version_of("tasklore"), "python": platform.python_version(), "neo4j": neo4j})


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    given = _global_options_first(sys.argv[1:] if arguments is None else arguments)
    try:
        code = typer.main.get_command(app).main(given, prog_name="tasklore", standalone_mode=False, obj=_state(given))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if "--debug" in given:
            traceback.print_exc()
        sys.exit(complain(error))
    sys.exit(code if isinstance(code, int) else 0)


def _state(given: Sequence[str]) -> Any:
    """What commands find in their context. Help and versions are told even when a setting is wrong."""
    command = next((one for one in given if not one.startswith("-")), None)
    if command is None or command in WITHOUT_SETTINGS or not set(HELP_OPTIONS).isdisjoint(given):
        return None
    from service.cli.state import State  # noqa: PLC0415
    from service.settings import load_settings  # noqa: PLC0415

    return State(load_settings(), json="--json" in given, debug="--debug" in given)


def _global_options_first(arguments: Sequence[str]) -> list[str]:
    """`tasklore db status --json` means the same as `tasklore --json db status`."""
    ours = [one for one in arguments if one in GLOBAL_OPTIONS]
    return [*ours, *(one for one in arguments if one not in GLOBAL_OPTIONS)]


def complain(error: Exception) -> int:
    """One line on stderr, and the exit code."""
    if isinstance(error, TaskloreError):
        output.complain(f"Error: {error.one_line()}")
        return error.exit_code
    if isinstance(error, Abort):
        output.complain("Stopped; nothing was changed.")
        return 1
    if isinstance(error, TyperException):
        output.complain(_usage(error))
        return getattr(error, "exit_code", 2)
    words = str(error).strip().splitlines() or ["no further words"]
    remedy = "" if output.wants_debug() else " Run again with --debug to see where it came from."
    output.complain(f"Unexpected error: {type(error).__name__}: {words[0]}.{remedy}")
    return 1


def _usage(error: Any) -> str:
    message: str = error.format_message()
    path = error.ctx.command_path if getattr(error, "ctx", None) else "tasklore"
    return message if "\n" in message else f"Error: {message} See `{path} --help`."
