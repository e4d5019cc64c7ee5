"""A graph of modules with the cables between them."""

from typing import Any

from service.web.pages.pictures.layers import Shape, layered

SHAPE = Shape(width=188, height=42)


def modules(snapshot: dict[str, Any] | None) -> dict[str, Any]:
    """Boxes and lines of a graph snapshot as the API gives it; none where there is no snapshot."""
    found: list[dict[str, Any]] = snapshot["hasModule"]["nodes"] if snapshot else []
    edges = [(one["id"], head["id"]) for one in found for head in one["cable"]["nodes"]]
    picture = layered([one["id"] for one in found], edges, SHAPE)
    boxes = [
        one | {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        for one, box in zip(found, picture.boxes, strict=True)
    ]
    lines = [{"path": one.path, "back": one.back} for one in picture.lines]
    return {"boxes": boxes, "lines": lines, "width": picture.width, "height": picture.height}
