"""What traces have in common, from their words alone."""

import pytest

from service.routing.invocations.candidates import common_phrases


@pytest.mark.parametrize(
    ("texts", "often", "phrases"),
    [
        (["complaint audit"] * 3, 3, ["complaint audit"]),
        (["run the complaint audit now", "Complaint audit!", "do a complaint audit for Marex"], 3, ["complaint audit"]),
        (["complaint audit", "complaint audit", "review it"], 3, []),
        (
            ["audit of the complaint", "an audit of the complaint", "audit of the complaint please"],
            3,
            ["audit of the complaint"],
        ),
        (["quick look here", "quick look there", "quick look again"], 3, ["quick look"]),
        (["it is that", "it is that", "it is that"], 3, []),
    ],
)
def test_phrases_are_runs_of_words_that_enough_requests_share(texts: list[str], often: int, phrases: list[str]) -> None:
    assert [*common_phrases(texts, often)] == phrases
