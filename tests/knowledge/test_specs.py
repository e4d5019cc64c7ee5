"""Documents as sections: cut at their headings, registered whole, found by heading first, and cited."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from service.commands.approval import PersonNeeded
from service.commands.errors import InputInvalid
from service.knowledge.errors import DocumentTooLarge
from service.knowledge.lookup.turn import Turn
from service.knowledge.specs.commands import MOST_CHARACTERS, SpecDocumentInput, SpecDocuments
from service.knowledge.specs.read import SpecLookup, SpecQuestion
from service.knowledge.specs.sections import Document, own_sections, sections
from tests.knowledge.desk import Desk
from tests.laws import law

TEXT = """Before all.

# Modules

## utility.hold

It waits for a signal, or for a condition.

```
# no heading
```

## utility.delay

It waits for a time.
"""
LINES = st.sampled_from(["# One", "## Two", "### Three", "words of it", "", "```", "more words", "# One"])


def test_a_document_is_cut_at_its_headings() -> None:
    found = sections(Document("runtime/modules.md", "Modules of the runtime", TEXT))
    assert [(one.anchor, one.path) for one in found] == [
        ("modules-of-the-runtime", "Modules of the runtime"),
        ("utility.hold", "Modules > utility.hold"),
        ("utility.delay", "Modules > utility.delay"),
    ]
    assert "# no heading" in found[1].body


@law(100)
@given(st.lists(LINES, max_size=30))
def test_no_text_is_lost_and_no_anchor_is_there_twice(lines: list[str]) -> None:
    found = sections(Document("a", "A", "\n".join(lines)))
    anchors = [one.anchor for one in found]
    assert len(anchors) == len({*anchors})
    said = " ".join(f"{one.path} {one.body}" for one in found)
    assert sum(line == "words of it" for line in lines) == said.count("words of it")
    assert found == sections(Document("a", "A", "\n".join(lines)))


def test_our_own_documents_are_there_by_default() -> None:
    cited = {one.citation for one in own_sections()}
    assert "docs/preflight.md#the-checks" in cited
    assert len(cited) == len(own_sections())


async def test_a_registered_document_is_found_by_heading_first_cited_and_replaced_whole(bare: Desk) -> None:
    desk = bare
    documents, specs = desk.services[SpecDocuments], desk.services[SpecLookup]
    viewer = await desk.viewer()
    given_ = SpecDocumentInput(key="runtime/modules.md", title="Modules of the runtime", text=TEXT, owner="runtime")
    assert (await documents.register(viewer, given_)).result == {"sections": 3, "changed": True}
    viewer = await desk.viewer()
    assert not (await documents.register(viewer, given_)).result["changed"]
    answer = await specs.look_up(viewer, Turn(), SpecQuestion("utility.hold"), 3)
    assert (answer.sections[0].citation, answer.sections[0].exact) == ("runtime/modules.md#utility.hold", True)
    assert answer.sections[0].section_id
    ours = await specs.look_up(viewer, Turn(), SpecQuestion("what blocks a preflight", "preflight"), 2)
    assert all(one.citation.startswith("docs/preflight.md#") for one in ours.sections)
    less = SpecDocumentInput(
        key="runtime/modules.md", title="Modules", text=TEXT.split("## utility.delay", maxsplit=1)[0]
    )
    await documents.register(viewer, less)
    gone = await specs.look_up(viewer, Turn(), SpecQuestion("utility.delay"), 3)
    assert "runtime/modules.md#utility.delay" not in [one.citation for one in gone.sections]
    # What one may not see is not looked at for them.
    secret = SpecDocumentInput(
        key="secret.md", title="Secret", text="# Hidden thing\n\nIt is so.", data_class=DataClass.privileged
    )
    await documents.register(viewer, secret)
    asked = SpecQuestion("hidden thing")
    assert (await specs.look_up(await desk.viewer(), Turn(), asked, 1)).sections[0].exact
    stranger = await desk.viewer(clearance=DataClass.internal)
    assert not any(one.exact for one in (await specs.look_up(stranger, Turn(), asked, 1)).sections)
    with pytest.raises(PersonNeeded):
        await documents.register(await desk.agent(), given_)


REFUSED = (
    ({"key": ""}, "input.key"),
    ({"key": "docs/own.md"}, "input.key"),
    ({"title": " "}, "input.title"),
    ({"text": "# Only a heading"}, "input.text"),
)


async def test_a_document_that_is_none_or_too_large_is_refused(bare: Desk) -> None:
    documents, viewer = bare.services[SpecDocuments], await bare.viewer()
    for values, field in REFUSED:
        said: dict[str, Any] = {"key": "a.md", "title": "A", "text": "# A\n\nB.", **values}
        with pytest.raises(InputInvalid) as refused:
            await documents.register(viewer, SpecDocumentInput(**said))
        assert refused.value.field == field
    large = SpecDocumentInput(key="a.md", title="A", text="a" * (MOST_CHARACTERS + 1))
    with pytest.raises(DocumentTooLarge) as much:
        await documents.register(viewer, large)
    assert (much.value.code, much.value.field) == ("spec_document_too_large", "input.text")
