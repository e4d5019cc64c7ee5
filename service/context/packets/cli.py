"""`tasklore packet`: what a module was given, or would be, and what was kept from it."""

from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking, nothing_found
from service.client import Packet, asked, reference


def packet(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Id of the run, or source:key.")],
    module: Annotated[str, typer.Argument(help="The module, as the executor calls it.")],
    *,
    activation: Annotated[int, typer.Option(min=1, help="Which activation of it.")] = 1,
    preview: Annotated[bool, typer.Option("--preview", help="What it would be given now. Nothing is kept.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="The text as it goes into the prompt, and nothing else.")
    ] = False,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Show the context that a module of a run was given, with what was kept from it and why.

    Example: tasklore packet sample:run-marex-filing-alert evaluate
    """
    with asking(context, url, key_file) as client:
        if preview:
            found = client.packet(run, module, activation=activation, preview=True)
        else:
            named = {"run": ("RecordRefInput", reference(run)), "moduleKey": ("String", module)}
            found = client.send(asked("contextPacket", {**named, "activationSeq": ("Int", activation)}, Packet))
    if output.wants_json():
        as_json(found)
    elif text:
        output.say(found.markdown)
    else:
        _show(found)
    if not found.applicable:
        raise nothing_found("")


def _show(found: Packet) -> None:
    budget = found.token_budget
    pretty.show(
        pretty.facts(
            (
                ("packet", found.id or "a preview; nothing was kept"),
                ("", found.explanation),
                ("tokens", pretty.bar(budget.actual_tokens / budget.max_tokens) if budget else None),
                ("", f"{budget.actual_tokens:,} of {budget.max_tokens:,} ({budget.tokenizer})" if budget else None),
            )
        )
    )
    if found.items:
        rows = [(one.name, one.record_kind, one.layer, str(one.tokens), one.explanation) for one in found.items]
        pretty.show(pretty.heading("Given"), pretty.table(("name", "kind", "layer", "tokens", "why"), rows))
    if found.excluded_candidates:
        kept = [(one.name, one.record_kind, one.code, one.message) for one in found.excluded_candidates]
        pretty.show(pretty.heading("Kept out"), pretty.table(("name", "kind", "code", "why"), kept))
    if found.withheld:
        pretty.show("Some of it is not for you to see.")
    for one in found.warnings:
        pretty.show(f"{one.code}: {one.message}")
