"""Lists for viewers who see all of them, and for viewers who see one record in a hundred.

Scanning a list in its order until the page is full is cheapest for who sees most of it. Seeking each audience in the
index that begins with it is cheapest for who sees little. The number of audiences does not tell which of the two a
viewer is; a look at the first records of the list does.
"""

from dataclasses import dataclass
from enum import StrEnum

from service.graph.reads.order import Keyset
from service.graph.visibility import AUDIENCES, VISIBLE, VISIBLE_TO_ONE

PROBE = 64
"""So many records are looked at before one of the ways is taken. It costs about 0.3 ms."""

_SEEK_COST = 2.2
"""A record that is found by seeking costs so many times one that is passed by scanning: 2.1 to 2.5, measured."""


class Breadth(StrEnum):
    """What is known of a viewer beforehand."""

    one = "one"  # audience at most: seeking it is never worse
    few = "few"  # audiences: it depends on how much of the list they are
    many = "many"  # audiences: scanning
    all = "all"  # records are theirs to see: scanning passes nothing in vain


@dataclass(frozen=True, slots=True)
class ListRead:
    """A list in its natural order, without a filter: a page of it, as clauses that end with the page's rows."""

    match: str
    keyset: Keyset
    backward: bool
    limit: str
    bounds: tuple[str, ...]

    def clauses(self, breadth: Breadth) -> str:
        match breadth:
            case Breadth.one:
                return self._sought()
            case Breadth.few:
                return self._by_density()
            case Breadth.many | Breadth.all:
                return self._scanned()

    def _scanned(self) -> str:
        """The predicate comes after the order: before it, all of the viewer's audiences would be sought, and sorted."""
        node, order = self.keyset.node, self.keyset.order_by(backward=self.backward)
        seen = VISIBLE.format(node=node)
        return f"{self.match} WHERE {self._where()} WITH {node} {order} WHERE {seen} WITH {node} {self._page()}"

    def _sought(self) -> str:
        """A page of each audience, in the order of the index. The page of all is among them."""
        node = self.keyset.node
        order = self.keyset.order_by(backward=self.backward, first=f"{node}.audience")
        read = f"{self.match} WHERE {self._where(VISIBLE_TO_ONE)} RETURN {node} {order} LIMIT ${self.limit}"
        return f"{AUDIENCES} CALL (audience) {{ {read} }} WITH {node} {self._page()}"

    def _by_density(self) -> str:
        node = self.keyset.node
        falling = " DESC" if self.keyset.order.descending != self.backward else ""
        probe = (
            f"CALL () {{ {self.match} WHERE {self._where()} "
            f"WITH {node} ORDER BY {self.keyset.value}{falling} LIMIT {PROBE} "
            f"RETURN count({node}) AS probed, count(CASE WHEN {VISIBLE.format(node=node)} THEN 1 END) AS seen }} "
            f"WITH seen * size($audiences) * {_SEEK_COST} >= probed AS dense"
        )
        scanned = f"WITH dense WHERE dense CALL () {{ {self._scanned()} RETURN {node} }} RETURN {node}"
        sought = f"WITH dense WHERE NOT dense {self._sought()} RETURN {node}"
        return f"{probe} CALL (dense) {{ {scanned} UNION ALL {sought} }}"

    def _where(self, *predicates: str) -> str:
        node = self.keyset.node
        return " AND ".join((*(one.format(node=node) for one in predicates), *self.keyset.present(), *self.bounds))

    def _page(self) -> str:
        return f"{self.keyset.order_by(backward=self.backward)} LIMIT ${self.limit}"
