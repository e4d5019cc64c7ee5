"""Lists that are read in the order of an index, record by record, until the page is full or enough was looked at.

A filter that no index serves is tested on each record on the way. So that its price does not grow with the list, a page
looks at a bounded number of records, says how far it came, and the next page goes on from there.

The bound counts records that the viewer may see, and where a walk ends depends on these alone: a bound on whatever is
touched would tell how many others there are, and its cursor would name one. Who does not see everything has each of
their audiences sought by itself, so that nothing hidden is touched. Each audience has its share of the bound, and the
walk came as far as the one that came least far.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.graph.reads.breadth import Breadth
from service.graph.reads.order import Keyset, ordered_by
from service.graph.reads.plan import Bound
from service.graph.reads.statement import Statement
from service.graph.reads.stretches import Stretch
from service.graph.reads.tree import Values
from service.graph.visibility import VISIBLE, VISIBLE_TO_ONE

WALK = 10_000
"""So many records are looked at for a page: ten times its largest size, at about ten accesses to the database each."""

_LEAST_SHARE = 10
"""However many audiences a viewer has, each may use this part of the bound: one of them may hold nearly everything."""

_SPARE = 100
"""The end of a walk is looked for after the walk. It looks this part further than it says, so that what is deleted in
between leaves no gap behind the end."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """Parameters: how many records of each audience are looked at, and how many come before the last that counts."""

    looked_at: str
    before_last: str


def scans(breadth: Breadth, *, has_own_index: bool) -> bool:
    """Whether the list is read as a whole, and not each audience by itself."""
    return breadth is Breadth.all and has_own_index


def bounded(statement: Statement, walk: int, *, is_scanned: bool) -> Bounded:
    names = Bounded(statement.name("p"), statement.name("p"))

    def bind(_values: Values, bound: Bound) -> None:
        audiences = 1 if is_scanned else max(1, len(bound["audiences"]))
        share = max(1, walk // audiences, walk // _LEAST_SHARE)
        bound[names.looked_at], bound[names.before_last] = share + share // _SPARE, share - 1

    statement.binds.append(bind)
    return names


@dataclass(frozen=True, slots=True)
class Walk:
    """A page of a list in the order of an index. `bounded` is absent where nothing is tested on the way."""

    match: str
    keyset: Keyset
    stretches: Sequence[Stretch]
    backward: bool
    limit: str
    bounds: tuple[str, ...]
    tests: tuple[str, ...]
    bounded: Bounded | None

    def clauses(self, breadth: Breadth, columns: str) -> str:
        """Clauses that end with one row: where the walk stopped, how many it passed, and the rows of the page."""
        first, *others = self.stretches
        read = [f"CALL () {{ {self._stretch(first, breadth)} }}", *(self._next(one, breadth) for one in others)]
        node = self.keyset.node
        return f"{' '.join(read)} RETURN [stop, passed, COLLECT {{ UNWIND page AS {node} RETURN {columns} }}]"

    def _next(self, stretch: Stretch, breadth: Breadth) -> str:
        """A further stretch, which is read where the one before was read to its end and has not filled the page."""
        wanted = f"reached IS NULL AND size(former) < ${self.limit}"
        return (
            "WITH page AS former, stop AS reached, passed AS before "
            f"CALL (former, reached) {{ {self._stretch(stretch, breadth, wanted)} }} "
            f"WITH (former + page)[..${self.limit}] AS page, coalesce(reached, stop) AS stop, before + passed AS passed"
        )

    def _stretch(self, stretch: Stretch, breadth: Breadth, wanted: str = "") -> str:
        """The nodes of the page, the place where the walk stopped, and how many records it passed until there."""
        is_scanned = scans(breadth, has_own_index=stretch.has_own_index)
        stream = self._scanned(stretch) if is_scanned else self._sought(stretch)
        audiences = f"CASE WHEN {wanted} THEN {stream.audiences} ELSE [] END" if wanted else stream.audiences
        return (
            f"UNWIND {audiences} AS audience "
            f"CALL (audience) {{ {self._found(stretch, stream)} RETURN collect({self.keyset.node}) AS found }} "
            f"{self._stopped(stretch, stream)} RETURN COLLECT {{ {self._merged(stretch)} }} AS page, stop, passed"
        )

    def _scanned(self, stretch: Stretch) -> "_Stream":
        """The predicate comes after the order: before it, all of the viewer's audiences would be sought, and sorted."""
        node, order = self.keyset.node, self._order(*stretch.terms)
        read = f"{self.match} WHERE {self._range(stretch)} WITH {node} {order} WHERE {VISIBLE.format(node=node)}"
        return _Stream("[null]", read, f"WITH {node} {order}")

    def _sought(self, stretch: Stretch) -> "_Stream":
        node = self.keyset.node
        order = self._order(f"{node}.audience", *stretch.terms)
        read = f"{self.match} WHERE {VISIBLE_TO_ONE.format(node=node)} AND {self._range(stretch)}"
        return _Stream("$audiences", read, f"WITH {node} {order}")

    def _range(self, stretch: Stretch) -> str:
        return " AND ".join((stretch.present, *stretch.bounds, *self.bounds))

    def _found(self, stretch: Stretch, stream: "_Stream") -> str:
        tests = (*stretch.tests, *self.tests)
        share = f"{stream.ordered} LIMIT ${self.bounded.looked_at} " if self.bounded else ""
        tested = f"{stream.ordered} WHERE {' AND '.join(tests)} " if tests else ""
        return f"{stream.read} {share}{tested}{stream.ordered} LIMIT ${self.limit}"

    def _stopped(self, stretch: Stretch, stream: "_Stream") -> str:
        """Where the first of the streams stopped that neither ended nor filled the page by itself."""
        if self.bounded is None:
            return "WITH collect(found) AS streams WITH streams, null AS stop, 0 AS passed"
        node = self.keyset.node
        last = f"{stream.read} {stream.ordered} SKIP ${self.bounded.before_last} LIMIT 2"
        least = "max" if self._falls else "min"
        seen = f"{self.match} WHERE {VISIBLE.format(node=node)} AND {self._range(stretch)} AND {stretch.upto}"
        return (
            f"CALL (audience, found) {{ WITH audience, found WHERE size(found) < ${self.limit} "
            f"CALL (audience) {{ {last} RETURN {stretch.place} AS place }} RETURN collect(place) AS places }} "
            f"WITH collect(found) AS streams, {least}(CASE WHEN size(places) = 2 THEN places[0] END) AS stop "
            f"CALL (stop) {{ WITH stop WHERE stop IS NOT NULL {seen} RETURN count({node}) AS passed }}"
        )

    def _merged(self, stretch: Stretch) -> str:
        """What the streams found, up to where all of them came."""
        node = self.keyset.node
        reached = f"WITH {node}, stop WHERE stop IS NULL OR ({stretch.upto})" if self.bounded else ""
        order = self._order(*stretch.terms)
        return (
            f"UNWIND streams AS found UNWIND found AS {node} {reached} "
            f"WITH {node} {order} LIMIT ${self.limit} RETURN {node}"
        )

    def _order(self, *terms: str) -> str:
        return ordered_by(list(terms), falling=self._falls)

    @property
    def _falls(self) -> bool:
        return self.keyset.falls(backward=self.backward)


@dataclass(frozen=True, slots=True)
class _Stream:
    """Records of one audience, or of all that the viewer sees, in their order.

    `ordered` says the order, and has to be said again with each clause: none keeps that of the clause before it.
    """

    audiences: str
    read: str
    ordered: str
