"""Documents that can be looked up section by section."""

from graph_schema.model.fields import EvidenceLayer, Key, LongText, Name, Text, field
from graph_schema.model.record import Record


class SpecSection(Record):
    """A section of a document that the operator has registered for exact look-up."""

    label = "SpecSection"
    plural = "spec_sections"
    prefix = "spec"
    layer = EvidenceLayer.memory
    colour = "#a9c7bd"

    document_key: Key = field("The document, as it is cited.", indexed=True, authored=False)
    document_title: Name = field("What people call the document.", authored=False)
    owner: Key | None = field("Which part of the system it is about.", default=None, filtered=True, authored=False)
    anchor: Key = field("The section in the document, as it is cited.", authored=False)
    path: Text = field("The headings that lead to it.", authored=False)
    body: LongText = field("What it says.", authored=False)
    body_hash: Key = field("Hash of what it says.", authored=False)
    place: int = field("Its place in the document, from 1.", default=1, authored=False, ge=1)
