"""The style sheet for Neo4j Browser: a colour and a caption for each label."""

from collections.abc import Iterator

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.registry import Registry

_LAYER_COLOURS = {
    EvidenceLayer.run_truth: "#4c8eda",
    EvidenceLayer.memory: "#7a8290",
    EvidenceLayer.learning: "#c990c0",
}
_PLAIN = "#a5abb6"


def grass(registry: Registry) -> str:
    return "\n".join(_rules(registry)) + "\n"


def _rules(registry: Registry) -> Iterator[str]:
    yield _rule("node", {"diameter": "50px", **_node(_PLAIN, "<id>"), "border-width": "2px", "font-size": "10px"})
    yield _rule(
        "relationship",
        {
            "color": _PLAIN,
            "shaft-width": "1px",
            "font-size": "8px",
            "padding": "3px",
            "text-color-external": "#000000",
            "text-color-internal": "#ffffff",
            "caption": '"<type>"',
        },
    )
    for one in registry.types.values():
        for label in (one.label, *one.second_labels):
            yield _rule(f"node.{label}", _node(one.colour, "{name}"))
    for system in registry.system.values():
        yield _rule(f"node.{system.label}", _node(system.colour, f"{{{system.caption}}}"))
    for type_, layer in {relation.type: relation.layer for relation in registry.relations}.items():
        yield _rule(f"relationship.{type_}", {"color": _LAYER_COLOURS[layer], "caption": '"<type>"'})


def _node(colour: str, caption: str) -> dict[str, str]:
    return {
        "color": colour,
        "border-color": _darker(colour),
        "text-color-internal": _readable_on(colour),
        "caption": f'"{caption}"',
    }


def _rule(selector: str, properties: dict[str, str]) -> str:
    return "\n".join([f"{selector} {{", *(f"  {name}: {value};" for name, value in properties.items()), "}", ""])


def _darker(colour: str) -> str:
    return "#" + "".join(f"{int(part * 0.8):02x}" for part in _channels(colour))


def _readable_on(colour: str) -> str:
    red, green, blue = _channels(colour)
    brightness = (299 * red + 587 * green + 114 * blue) / 1000
    return "#2a2c34" if brightness > 150 else "#ffffff"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
