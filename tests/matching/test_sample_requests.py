"""Requests to the library of the sample world, with the default model: what is there is found, no more is offered."""

import pytest

from embeddings import Embedder
from graph_schema.library.words import MatchOutcome as Outcome
from graph_schema.library.words import RecommendedAction as Action
from graph_schema.registry import REGISTRY
from service.commands import phrases
from service.commands.card_text import card_text
from service.matching.answer import MatchAnswer
from service.matching.calibration import calibration_for
from service.matching.decide import decide
from service.matching.likeness import Known
from service.seeding import read_world
from tests.matching.conftest import ask, asset


@pytest.fixture(scope="module")
def library(embedder: Embedder) -> dict[str, Known]:
    known: dict[str, Known] = {}
    for one in read_world().records:
        if one.label == "Template":
            said = phrases.of_record("", one.values).values()
            invoking = [each.text for each in said if phrases.relation_of(each.kind) == phrases.INVOKES]
            texts = [card_text(REGISTRY.types["Template"], one.values), *invoking]
            known[one.values["name"]] = Known(texts, embedder.embed_texts(texts))
    return known


def answer(text: str, library: dict[str, Known], embedder: Embedder) -> MatchAnswer:
    request = ask(text)
    vector = embedder.embed_texts([text])[0]
    assets = [asset(name, known.likeness(vector, request.stems)) for name, known in library.items()]
    return decide(request, assets, calibration_for(embedder.key))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["water the plants", "translate a poem to Latin", "book a dentist appointment"])
def test_nothing_is_offered_for_what_nobody_made(text: str, library: dict[str, Known], embedder: Embedder) -> None:
    found = answer(text, library, embedder)
    assert (found.outcome, found.recommended, found.recommended_action) == (
        Outcome.nothing_fits,
        (),
        Action.create_new_blank,
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [("audit this complaint", "Complaint Evaluation"), ("watch the docket for new filings", "Docket Monitor")],
)
def test_what_is_there_is_found(text: str, name: str, library: dict[str, Known], embedder: Embedder) -> None:
    found = answer(text, library, embedder)
    assert (found.outcome, [one.asset.name for one in found.recommended]) == (Outcome.match, [name])


def test_a_weak_request_is_asked_about_only_with_what_it_might_mean(
    library: dict[str, Known], embedder: Embedder
) -> None:
    found = answer("quotes for the kitchen", library, embedder)
    assert found.outcome in (Outcome.ask, Outcome.several_close)
    assert found.recommended_action is Action.customize
    assert found.recommended[0].asset.name == "Compare Quotes"


def test_a_word_that_several_share_is_asked_about(library: dict[str, Known], embedder: Embedder) -> None:
    found = answer("complaint", library, embedder)
    assert found.outcome is Outcome.several_close
    assert {one.asset.name for one in found.recommended} >= {"Revise Complaint", "Complaint Evaluation"}


def test_what_has_far_lower_odds_than_the_first_is_not_offered_beside_it(
    library: dict[str, Known], embedder: Embedder
) -> None:
    """Nobody made a template for an answer to a complaint: those about complaints are close, others are not."""
    found = answer("Draft an answer to a complaint", library, embedder)
    assert found.outcome is Outcome.several_close
    assert found.recommended[0].asset.name == "Draft Complaint"
    assert all("Complaint" in one.asset.name for one in found.recommended)
    assert all(one.confidence >= found.confidence / 4 for one in found.recommended)
