"""`tasklore mcp`: the agent's door by standard input and output."""

from typing import Annotated

import typer

from service.cli import output
from service.cli.asking import KeyFile, Url, address_of
from service.cli.keys import key_of
from service.mcp.mount import MCP, MCP_FULL
from service.mcp.stdio import run_stdio


def mcp(
    context: typer.Context,
    *,
    url: Url = None,
    full: Annotated[bool, typer.Option("--full", help="All tools instead of the few that most agents need.")] = False,
    key_file: KeyFile = None,
) -> None:
    """Serve the Model Context Protocol on standard input and output, for a client that starts it.

    Example: tasklore mcp --key-file ./agent.key
    """
    key = key_of(context.obj, key_file)
    address = address_of(context.obj, url).rstrip("/")
    output.run_async(run_stdio(f"{address}{MCP_FULL if full else MCP}", key))
