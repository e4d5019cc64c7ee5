"""`tasklore lineage`: where something came from, or what came of it, as a tree."""

from collections import defaultdict
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking
from service.client import Lineage


def lineage(
    context: typer.Context,
    record: Annotated[str, typer.Argument(help="Id of the record, or source:key.")],
    *,
    down: Annotated[bool, typer.Option("--down", help="What came of it, instead of where it came from.")] = False,
    sentences: Annotated[bool, typer.Option("--sentences", help="Say of each link what it means.")] = False,
    depth: Annotated[int, typer.Option(min=1, max=30, help="How many links far.")] = 5,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Show where something came from, or with --down what came of it.

    Example: tasklore lineage sample:art-complaint-amended --depth 10
    """
    with asking(context, url, key_file) as client:
        found = client.lineage(record, direction="downstream" if down else "upstream", depth=depth)
    if output.wants_json():
        as_json(found)
        return
    pretty.show(_tree(found, down=down, sentences=sentences))
    for one in found.cuts:
        pretty.show(one.message)


def _tree(found: Lineage, *, down: bool, sentences: bool) -> pretty.Tree:
    """Every record once, below the nearest one that it hangs on."""
    names = {one.id: f"{one.what} {one.name}" for one in found.nodes} | {
        found.of.id: f"{found.of.what} {found.of.name}"
    }
    depths = {found.of.id: 0} | {one.id: one.depth for one in found.nodes}
    below: dict[str, list[tuple[str, str]]] = defaultdict(list)
    hung = {found.of.id}
    for edge in sorted(found.edges, key=lambda one: min(depths.get(one.from_, 99), depths.get(one.to, 99))):
        upper = edge.upstream
        lower = edge.to if edge.from_ == upper else edge.from_
        near, far = (upper, lower) if down else (lower, upper)
        if far not in hung and depths.get(near, 99) < depths.get(far, -1):
            hung.add(far)
            below[near].append((far, edge.reason if sentences else edge.type.replace("_", " ").lower()))
    root = pretty.tree(names[found.of.id])
    _grow(root, found.of.id, below, names)
    return root


def _grow(tree: pretty.Tree, at: str, below: dict[str, list[tuple[str, str]]], names: dict[str, str]) -> None:
    for record, reason in below[at]:
        branch = tree.add(pretty.two(names.get(record, record), reason))
        _grow(branch, record, below, names)
