"""Twelve kinds of gaps, by rules: how well they do on prompts with known gaps, and what holds of every text."""

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.prompt_words import OutputForm, PromptGap, PromptSurface
from service.knowledge.prompts.gaps.rules import RULES, findings
from service.knowledge.prompts.measured import SOUND, TRUE
from service.knowledge.prompts.place import Place, PromptConsumer
from service.knowledge.prompts.rewrite import MARK, rewrite
from service.knowledge.prompts.text import language_of, sentences
from tests.knowledge.known_gaps import counted, labelled
from tests.laws import law

RECALL = 0.85
FALSE = 0.1
WIDENED = ("everyday", "lengthy", "offhand", "formal", "mixed", "plain", "various")
GAPS = 333
texts = (
    st.lists(
        st.sampled_from([one.text for half in ("seen", "unseen") for one in labelled(half)]).map(lambda text: text)
        | st.text(max_size=200),
        min_size=1,
        max_size=3,
    )
    .map("\n".join)
    .filter(str.strip)
)
places = st.builds(
    Place,
    surface=st.sampled_from(PromptSurface),
    downstream=st.lists(
        st.builds(PromptConsumer, name=st.just("next"), reads=st.sampled_from(OutputForm)), max_size=2
    ).map(tuple),
    capabilities=st.lists(st.sampled_from(["web_search", "mail"]), max_size=2).map(tuple),
    named_outputs=st.lists(st.sampled_from(["issue_matrix", "memo"]), max_size=2).map(tuple),
)


def test_there_are_120_prompts_a_third_of_them_without_a_gap() -> None:
    halves = [labelled("seen"), labelled("unseen")]
    assert [len(one) for one in halves] == [60, 60]
    assert [sum(not one.gaps for one in half) for half in halves] == [20, 20]
    assert all({gap for one in half for gap in one.gaps} == {*PromptGap} for half in halves)
    assert len({one.key for half in halves for one in half}) == 120


def test_the_rules_find_what_a_reader_finds_on_prompts_that_they_were_not_written_with() -> None:
    found = counted("unseen")
    assert found.recall >= RECALL
    assert found.false_share <= FALSE
    assert found.sound_flagged <= FALSE * found.sound


def test_the_rules_find_what_a_reader_finds_on_prompts_that_they_were_written_with() -> None:
    found = counted("seen")
    assert found.recall == 1
    assert found.false_share == 0


def test_the_rules_fit_prompts_of_many_trades() -> None:
    """These were looked at while the rules were widened: how well they fit, not how well they generalise."""
    told = [counted(one) for one in WIDENED]
    assert sum(one.hits.total() + one.missed.total() for one in told) == GAPS
    assert sum(one.hits.total() for one in told) >= 0.93 * GAPS
    assert sum(one.sound_flagged for one in told) <= 0.05 * sum(one.sound for one in told)


def test_how_sure_a_finding_is_was_measured() -> None:
    found = counted("unseen")
    assert {gap: found.true(gap) for gap in PromptGap} == TRUE
    assert found.sound_when_silent == SOUND


@law()
@given(texts, places)
def test_a_finding_shows_words_that_stand_there(text: str, place: Place) -> None:
    for one in findings(text, place):
        assert all(text[each.start : each.end] == each.text for each in one.shown_by)
        assert one.missing
        assert one.shown_by or one.rule in {"tool_policy", "named_outputs"}
    assert findings(text, place) == findings(text, place)


@law()
@given(texts, places)
def test_a_rewrite_keeps_every_sentence_and_marks_what_it_adds(text: str, place: Place) -> None:
    found = findings(text, place)
    told = rewrite(text, place, found)
    assert (told is None) is (not found)
    if told is None:
        return
    kept, added = told.text[: len(text.rstrip())], told.text[len(text.rstrip()) :]
    assert kept == text.rstrip()
    assert all(one.text in kept for one in sentences(text))
    assert added.count(f" {MARK}\n") >= len(told.additions)
    assert {one.because for one in told.additions} <= {one.finding_kind for one in found}


@law()
@given(st.text(max_size=300))
def test_sentences_are_all_of_a_text_in_their_order(text: str) -> None:
    found = sentences(text)
    assert [text[one.start : one.end] for one in found] == [one.text for one in found]
    assert "".join("".join(one.text for one in found).split()) == "".join(text.split())


def test_every_kind_of_gap_has_a_rule_that_finds_it() -> None:
    said = {gap for half in ("seen", "unseen") for one in labelled(half) for gap in one.found}
    assert said == {*PromptGap}
    assert len({rule.__name__ for rule in RULES}) == len(RULES)


def test_another_language_is_told() -> None:
    told = {
        "Bitte fasse den Vertrag zusammen und gib mir eine Liste der Fristen, die für uns wichtig sind.": "German",
        "Résume le contrat pour le client et donne une liste des délais qui sont importants.": "French",
        "Resume el contrato para el cliente y haz una lista de los plazos que son importantes.": "Spanish",
        "请总结这份合同": None,
        "Tear the proposal apart.": "English",
        "Summarise the contract for the client.": "English",
    }
    assert {text: language_of(text) for text in told} == told


def test_what_stands_behind_a_module_decides_what_is_wrong() -> None:
    text = "Summarise the attached lease in a table with the clause behind each row. Say where it is unclear."
    assert not findings(text, Place())
    parsed = Place(downstream=(PromptConsumer(name="register", reads=OutputForm.json),))
    [found] = findings(text, parsed)
    assert found.finding_kind is PromptGap.downstream_incompatibility
    assert [one.text for one in found.shown_by] == ["a table"]
    [named] = findings(text, Place(named_outputs=("issue_matrix",)))
    assert named.missing == ("the output issue_matrix",)


def test_what_is_deleted_and_numbers_that_exclude_each_other_are_seen() -> None:
    for text, gap, words in (
        (
            "Read the list and delete files older than a year.",
            "unsafe_side_effect_instruction",
            ["delete files"],
        ),
        ("Purge the old customer records.", "unsafe_side_effect_instruction", ["Purge the old customer records"]),
        (
            "Summarise the report in at most 100 words, with at least 300 words on the risks.",
            "overconstrained",
            ["at most 100 words", "at least 300 words"],
        ),
        (
            "Give exactly three reasons. End with no fewer than five reasons.",
            "overconstrained",
            ["exactly three reasons", "no fewer than five reasons"],
        ),
    ):
        found = {one.finding_kind.value: [each.text for each in one.shown_by] for one in findings(text, Place())}
        assert found.get(gap) == words, text
    for text in (
        "Do not delete files; list those that could go.",
        "Delete files that I name, once I agree to the list.",
        "Write at most 100 words, and at least 20 words.",
        "Write at least 300 words, and at most 20 words for each heading.",
    ):
        kinds = {one.finding_kind.value for one in findings(text, Place())}
        assert not kinds & {"unsafe_side_effect_instruction", "overconstrained"}, text


def test_what_is_no_manner_is_a_task() -> None:
    """A task needs no verb of a table, nor any verb."""
    for text in (
        "A toast for my sister's wedding, 200 words.",
        "Nine names for a bakery, in a list.",
        "Sieve the flour.",
    ):
        assert "missing_goal" not in _kinds(text), text
    for text in (
        "You are a marine biologist. You speak calmly. Never more than 100 words.",
        "Name: Alfred. He is dry. Answers are three lines at most.",
        "Tone: factual\nFormat: three bullets\nUse the circular only and give the page.",
    ):
        assert "missing_goal" in _kinds(text), text


def test_a_yes_that_nobody_has_to_say_is_no_yes() -> None:
    told = "From the table take the users who left, and delete their accounts. "
    assert "unsafe_side_effect_instruction" in _kinds(told + "Nobody has to confirm it.")
    assert "unsafe_side_effect_instruction" in _kinds(told + "No approval is needed.")
    assert "unsafe_side_effect_instruction" not in _kinds(told + "Nothing goes without approval by Mrs Ito.")
    assert "unsafe_side_effect_instruction" not in _kinds(told + "The clerk confirms each name first.")


def test_what_is_quoted_is_not_asked_for() -> None:
    """A literal, or a text that is pasted, is not what the author wants done."""
    assert not _kinds(
        'Translate the notice for guests, plain text: "Call us, pay the bill and delete all files at once."'
    )


def test_the_prompt_itself_says_who_reads_its_result() -> None:
    text = "List the attached report's defects in a table with the page. Say if one is unclear. The next step reads {}."
    assert _kinds(text.format("XML")) == {"downstream_incompatibility"}
    found = findings(text.format("XML"), Place())
    told = rewrite(text.format("XML"), Place(), found)
    assert told is not None
    assert "Return XML" in told.text


def test_room_for_each_of_many_is_counted() -> None:
    text = "Describe the artists from the attached catalogue, with the page, in {}. {}. If a page is missing, say so."
    for room, demand in (
        ("three sentences", "Each of the nine artists gets a sentence of its own, and it has exactly three sentences"),
        ("at most 60 words", "All 48 artists are in it"),
        ("prose, 280 characters max", "Name every one of the 50 artists"),
    ):
        assert "overconstrained" in _kinds(text.format(room, demand)), demand
    assert "overconstrained" not in _kinds(text.format("at most 600 words", "All 48 artists are in it"))


def test_a_line_that_was_broken_is_one_sentence() -> None:
    text = (
        "Summarise the attached minutes for the chair, in ten bullets with the item number, and where the minutes are"
        "\nsilent, say so."
    )
    assert _kinds(text) == _kinds(text.replace("\n", " ")) == set()


def _kinds(text: str) -> set[str]:
    return {one.finding_kind.value for one in findings(text, Place())}
