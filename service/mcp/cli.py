"""`tasklore mcp`: the agent's door by standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli import output
from service.cli.keys import key_of
from service.mcp.mount import MCP, MCP_FULL
from service.mcp.stdio import run_stdio


def mcp(
    context: typer.Context,
    *,
    url: Annotated[str, typer.Option(help="Address of the running service.")] = "http://127.0.0.1:8000",
    full: Annotated[bool, typer.Option("--full", help="All tools instead of the few that most agents need.")] = False,
    key_file: Annotated[
        Path | None, typer.Option(help="File with the key to use; without it, the owner's key of this home.")
    ] = None,
) -> None:
    """Serve the Model Context Protocol on standard input and output, for a client that starts it.

    Example: tasklore mcp --key-file ./agent.key
    """
    key = key_of(context.obj, key_file)
    output.run_async(run_stdio(f"{url.rstrip('/')}{MCP_FULL if full else MCP}", key))
