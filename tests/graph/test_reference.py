"""What is generated from the registry mentions all of it."""

import re

from graph_schema.output.browser_style import grass
from graph_schema.output.ddl import schema_ddl
from graph_schema.output.reference import reference
from graph_schema.registry import REGISTRY


def test_the_reference_names_every_label_field_relation_and_index() -> None:
    text = reference(REGISTRY)
    for record_type in REGISTRY.types.values():
        assert f"### {record_type.label}\n" in text
        assert all(f"| `{name}` |" in text for name in record_type.fields)
    assert all(f"-[:{one.type}]->" in text for one in REGISTRY.relations)
    assert all(f"`{one.name}`" in text or one.labels[0] in REGISTRY.system for one in schema_ddl(REGISTRY))


def test_the_style_has_a_colour_and_a_caption_for_every_label() -> None:
    rules = dict(re.findall(r"node\.(\w+) \{([^}]*)\}", grass(REGISTRY)))
    second = {label for one in REGISTRY.types.values() for label in one.second_labels}
    assert rules.keys() == {*REGISTRY.types, *REGISTRY.system, *second}
    assert all("color: #" in rule and "caption: " in rule for rule in rules.values())


def test_the_style_uses_only_identifiers_and_known_units() -> None:
    for line in grass(REGISTRY).splitlines():
        assert re.fullmatch(r'|[\w.]+ \{|\}|  [\w-]+: (#[0-9a-f]{6}|\d+px|"[^"]+");', line), line
