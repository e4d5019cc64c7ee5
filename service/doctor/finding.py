"""What the doctor can find, how bad it is, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

SAMPLES = 5


class Severity(StrEnum):
    error = "error"
    warning = "warning"  # mends itself, or does no harm yet


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    severity: Severity
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    severity: Severity
    subject: str
    count: int
    samples: tuple[str, ...]
    remedy: str


_SAVE_AGAIN = "Save the record again with a correct value."
_MIGRATE = "Run `tasklore migrate`."
_RESTORE = "Restore from a backup, or remove what points there."
_REEMBED = "Run `tasklore reembed`."


def _check(name: str, severity: Severity, meaning: str, remedy: str) -> tuple[str, Check]:
    return name, Check(name, severity, meaning, remedy)


CHECKS: dict[str, Check] = dict(
    (
        _check("migration_pending", Severity.error, "A migration has not been applied.", _MIGRATE),
        _check("index_missing", Severity.error, "A constraint or an index is not there.", _MIGRATE),
        _check("index_different", Severity.error, "An index has another definition than the registry's.", _MIGRATE),
        _check(
            "index_failed", Severity.error, "Neo4j could not build an index.", "Drop it and run `tasklore migrate`."
        ),
        _check("index_populating", Severity.warning, "An index is still being built.", "Wait until it is online."),
        _check("index_of_other_model", Severity.warning, "A vector index serves a model not in use.", _REEMBED),
        _check(
            "duplicate_key", Severity.error, "Several nodes share what must be unique.", "Merge or remove all but one."
        ),
        _check(
            "label_without_record", Severity.error, "A record lacks the label Record.", "Add the label, or remove it."
        ),
        _check(
            "label_unknown",
            Severity.error,
            "A record has none, or several, of the registry's labels.",
            "Correct its labels.",
        ),
        _check(
            "label_second", Severity.error, "A record's second labels do not fit its values.", "Correct its labels."
        ),
        _check("id_missing", Severity.error, "A record has no usable id.", "Remove it, and save it again."),
        _check(
            "id_of_other_type",
            Severity.error,
            "An id has the prefix of another record type.",
            "Remove it, and save it again.",
        ),
        _check("property_missing", Severity.error, "A record lacks a required property.", _SAVE_AGAIN),
        _check("property_invalid", Severity.error, "A property has the wrong type, value or length.", _SAVE_AGAIN),
        _check("property_unknown", Severity.warning, "A property is not in the registry.", "Remove the property."),
        _check(
            "state_of_other_type",
            Severity.error,
            "A record is in a state that its type does not know.",
            "Give it a state of its type (setLifecycle).",
        ),
        _check("natural_key_half", Severity.error, "Only one of source and source_key is set.", _SAVE_AGAIN),
        _check(
            "audience_wrong",
            Severity.error,
            "The audience does not follow from class and matters.",
            "Save its class and matters again.",
        ),
        _check(
            "audience_unlisted",
            Severity.error,
            "No Audience node has a record's audience: nobody sees it.",
            "Save its class and matters again.",
        ),
        _check(
            "access_not_inherited",
            Severity.error,
            "A record is less protected than what it was made from.",
            "Save the class and matters of its source again.",
        ),
        _check(
            "relation_unknown",
            Severity.error,
            "A relationship's type is not in the registry.",
            "Remove the relationship.",
        ),
        _check(
            "relation_misplaced",
            Severity.error,
            "A relationship joins labels that it may not join.",
            "Remove the relationship.",
        ),
        _check(
            "relation_property",
            Severity.error,
            "A property of a relationship is missing, unknown or of the wrong type.",
            "Link the records again.",
        ),
        _check("matter_missing", Severity.error, "A record names a matter that does not exist.", _RESTORE),
        _check("reference_dangling", Severity.error, "A property names a record that does not exist.", _RESTORE),
        _check("event_dangling", Severity.error, "An event is about something that does not exist.", _RESTORE),
        _check("version_chain", Severity.error, "A former state is not reachable from its record.", _RESTORE),
        _check(
            "card_missing", Severity.error, "A record that should be findable has no card.", "Save the record again."
        ),
        _check("card_duplicate", Severity.error, "A record has several cards.", "Remove all but one."),
        _check("card_orphan", Severity.error, "A card describes no record.", "Remove the card."),
        _check("card_stale", Severity.error, "A card's text is not that of its record.", "Save the record again."),
        _check(
            "card_behind",
            Severity.warning,
            "A card's vector was made from an earlier text, or not yet.",
            "Wait for the running service, or run `tasklore reembed`.",
        ),
        _check("vector_of_other_model", Severity.warning, "A card has a vector of a model not in use.", _REEMBED),
        _check(
            "vector_wrong_size",
            Severity.error,
            "A vector has another size than its model's.",
            "Remove the vector and run `tasklore reembed`.",
        ),
        _check(
            "vector_missing",
            Severity.error,
            "A card is marked as embedded but has no vector.",
            "Remove its embedded_hash and run `tasklore reembed`.",
        ),
    )
)


class Tally:
    """Counts what is found, by check and subject, and keeps a few examples of each."""

    def __init__(self, most: int = SAMPLES) -> None:
        self.most = most
        self._counts: dict[tuple[str, str], int] = {}
        self._samples: dict[tuple[str, str], list[str]] = {}

    def add(self, check: str, subject: str, sample: str) -> None:
        self.add_many(check, subject, 1, (sample,))

    def add_many(self, check: str, subject: str, count: int, samples: Iterable[str]) -> None:
        if not count:
            return
        place = (check, subject)
        self._counts[place] = self._counts.get(place, 0) + count
        kept = self._samples.setdefault(place, [])
        kept.extend(list(samples)[: self.most - len(kept)])

    def samples(self, *checks: str) -> list[str]:
        return sorted({one for (check, _), kept in self._samples.items() if check in checks for one in kept})

    def findings(self) -> list[Finding]:
        """In the order of the checks, the most frequent first."""
        order = {name: rank for rank, name in enumerate(CHECKS)}
        places = sorted(self._counts, key=lambda place: (order[place[0]], -self._counts[place], place[1]))
        return [self._finding(check, subject) for check, subject in places]

    def _finding(self, check: str, subject: str) -> Finding:
        place, known = (check, subject), CHECKS[check]
        samples = tuple(self._samples[place][:SAMPLES])
        return Finding(check, known.severity, subject, self._counts[place], samples, known.remedy)
