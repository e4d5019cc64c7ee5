"""A request for artifacts: the text, and which artifacts take part."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.commands import RecordRef
from service.memory.history.errors import RangeEmpty
from service.search.errors import SearchSizeInvalid
from service.search.request import check_text

DEFAULT = 20
MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactFilter:
    """Left out or empty means any. What a list names is enough if one of it fits."""

    runs: Sequence[RecordRef] = ()
    tasks: Sequence[RecordRef] = ()
    about: Sequence[RecordRef] = ()
    kinds: Sequence[str] = ()
    intake_levels: Sequence[str] = ()
    produced_from: str | None = None
    produced_before: str | None = None

    @property
    def is_scoped(self) -> bool:
        """Whether it names runs, directly or by what they are runs of."""
        return bool(self.runs or self.tasks or self.about)

    def check(self) -> None:
        for name, kind in (("runs", "Run"), ("tasks", "Task"), ("about", "Entity")):
            for one in getattr(self, name):
                one.check(f"filter.{name}", kind)
        if self.produced_from and self.produced_before and self.produced_from > self.produced_before:
            raise RangeEmpty("produced_from", "produced_before")


@dataclass(frozen=True, slots=True)
class ArtifactSearchRequest:
    text: str
    filter: ArtifactFilter = field(default_factory=ArtifactFilter)
    first: int = DEFAULT

    def check(self) -> None:
        check_text(self.text)
        if not 1 <= self.first <= MOST:
            raise SearchSizeInvalid(self.first, MOST)
        self.filter.check()
