"""Imports point downwards only: the order of the packages is written down here, once, and holds."""

import ast
from collections.abc import Iterator
from pathlib import Path

from graph_schema.capabilities import CAPABILITIES, parts_of

ROOT = Path(__file__).parents[1]
ORDER = (
    "graph_schema.capabilities",
    "graph_schema",
    "embeddings",
    "service.client",
    "service.errors",
    "service.progress",
    "service.clock",
    "service.collector",
    "service.ids",
    "service.notices",
    "service.words",
    "service.rarity",
    "service.lexical",
    "service.titles",
    "service.views",
    "service.replay",
    "service.settings",
    "service.observe",
    "service.artifacts",
    "service.graph",
    "service.access",
    "service.commands",
    "service.principals",
    "service.cards",
    "service.events",
    "service.search",
    "service.records",
    "service.capability",
    *(f"service.{name}" for name in CAPABILITIES),
    "service.doctor",
    "service.runtime",
    "service.seeding",
    "resolvers.engine",
    "resolvers.generated",
    "resolvers.capability",
    "resolvers",
    "service.mcp",
    "service.web",
    "service.generate",
    "service.cli",
)
"""Each imports only what stands before it, and itself."""


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("graph_schema", "embeddings", "service", "resolvers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield name, ast.parse(path.read_text())


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


def _place(module: str) -> str | None:
    """The most specific package of the order. What a capability has for the command line belongs there."""
    if module.startswith("service.") and ".cli" in module:
        return "service.cli"
    found = [one for one in ORDER if module == one or module.startswith(f"{one}.")]
    return max(found, key=len, default=None)


def test_every_module_has_a_place() -> None:
    assert [name for name, _ in _modules() if name != "service" and _place(name) is None] == []


def test_imports_point_downwards() -> None:
    upward = [
        f"{module} imports {name}"
        for module, tree in _modules()
        for name in _imported(tree)
        if (here := _place(module)) and (there := _place(name)) and ORDER.index(there) > ORDER.index(here)
    ]
    assert upward == []


def test_the_registry_and_the_embeddings_know_nothing_else_of_ours() -> None:
    ours = ("graph_schema", "embeddings", "service", "resolvers", "seeds")
    for module, tree in _modules():
        folder = module.partition(".")[0]
        if folder in {"graph_schema", "embeddings"}:
            others = {name.partition(".")[0] for name in _imported(tree)} & {*ours} - {folder}
            assert not others, module


def test_services_know_no_graphql_and_resolvers_no_driver() -> None:
    for module, tree in _modules():
        names = {name.partition(".")[0] for name in _imported(tree)}
        if module.startswith(("service.mcp", "service.web.pages")):
            continue  # shells above the resolvers: tools and pages are GraphQL documents
        if module.startswith("service."):
            assert names.isdisjoint({"strawberry", "graphql"}), module
        elif module.startswith("resolvers"):
            assert "neo4j" not in names, module


def test_the_engine_and_what_is_generated_know_no_capability() -> None:
    theirs = tuple(f"{folder}.{name}." for folder in ("service", "resolvers") for name in CAPABILITIES)
    for module, tree in _modules():
        if module.startswith(("resolvers.engine", "resolvers.generated")):
            assert [name for name in _imported(tree) if name.startswith(theirs)] == [], module


def test_a_capability_has_folders_only_where_it_has_something_to_say() -> None:
    assert parts_of("service", ("nowhere",)) == parts_of("resolvers", ("nowhere",), "capability") == []
    assert [one.__name__ for one in parts_of("service", ("nowhere", "memory"), "capability")] == [
        "service.memory.capability"
    ]
