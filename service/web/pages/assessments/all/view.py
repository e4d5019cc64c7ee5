"""The scores of those that are shown, over time."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.points import points


def view(data: Data, _asked: Asked) -> Data:
    scored = [one for one in data.get("assessments", {"nodes": []})["nodes"] if one["qualityScore"] is not None]
    return {"plot": points([(one["assessedAt"], one["qualityScore"], one) for one in scored])}
