"""The run that the finder is narrowed to, if any, and the words of its filters."""

from graph_schema.memory.words import ArtifactKind, IntakeLevel
from service.web.pages.engine.page import Asked, Data

FILTERS = ("runs", "tasks", "about", "kinds", "levels", "producedFrom", "producedBefore")


def view(data: Data, asked: Asked) -> Data:
    return {
        "kinds": [one.value for one in ArtifactKind],
        "levels": [one.value for one in IntakeLevel],
        "narrowed": any(asked.all(one) for one in FILTERS),
        "hits": data.get("searchArtifacts", {"hits": []})["hits"],
    }
