"""Draws the pictures of the sample world's stories from a graph that holds it: one SVG for each query below.

    python docs/pictures/draw.py bolt://127.0.0.1:7687 neo4j PASSWORD

A layered drawing: what something came from stands to the left of it, colours are those of the registry.
"""

import asyncio
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import LiteralString

from graph_schema.registry import REGISTRY
from service.graph.connect import connect
from service.graph.database import Database

WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 132, 46, 78, 18, 16
LETTERS = 21

# Each gives nodes, and links that lead from what came first to what came of it.
PICTURES: dict[str, LiteralString] = {
    "marex-lineage": """
        MATCH (run:Run) WHERE run.source_key IN ['run-marex-complaint', 'run-marex-red-team-chat', 'run-marex-revision']
        MATCH (run)-[:ACTIVATED]->()-[:PRODUCED]->(artifact:Artifact) WHERE artifact.score IS NULL
        MATCH (artifact)-[r:DERIVED_FROM|BECAME]->(other)
        WITH collect(CASE type(r) WHEN 'BECAME' THEN [artifact, type(r), other] ELSE [other, type(r), artifact] END)
          AS made
        WITH made + COLLECT { MATCH (later:WorkProduct)-[r:PREVIOUS]->(earlier:WorkProduct)
          RETURN [earlier, type(r), later] } AS links
        """,
    "gate": """
        MATCH (run:Run {source_key: 'run-marex-opposition'})-[:ACTIVATED]->(step:Activation)
        MATCH (step)-[r:CONSUMED|PRODUCED|WAITED_ON|MADE]->(other)
        WITH run, collect(CASE type(r) WHEN 'CONSUMED' THEN [other, type(r), step] ELSE [step, type(r), other] END)
          + collect(DISTINCT [run, 'ACTIVATED', step]) AS parts
        WITH parts + COLLECT {
          MATCH (a:Artifact {run_id: run.id})-[r:DELIVERED_BY]->(d) RETURN [a, type(r), d] } AS links
        """,
    "loop": """
        MATCH (run:Run {source_key: 'run-atlas-review'})-[:ACTIVATED]->(step:Activation)
        OPTIONAL MATCH (step)-[t:TRIGGERED]->(next)
        OPTIONAL MATCH (step)-[p:PRODUCED]->(made:Artifact)
        WITH collect(DISTINCT [step, type(t), next]) + collect(DISTINCT [step, type(p), made]) AS all
        WITH [one IN all WHERE one[2] IS NOT NULL] AS links
        """,
    "fork": """
        MATCH (run:Run) WHERE run.source_key IN ['run-marex-exhibits', 'run-marex-exhibits-fork']
        MATCH (run)-[a:ACTIVATED]->(step:Activation)
        OPTIONAL MATCH (step)-[r:CONSUMED|PRODUCED]->(other)
        OPTIONAL MATCH (run)-[c:CREATED_BY]->(fork:Fork)-[f:FROM]->(before)
        WITH collect(DISTINCT [run, type(a), step]) + collect(DISTINCT [fork, type(c), run])
          + collect(DISTINCT [before, type(f), fork])
          + collect(DISTINCT CASE type(r) WHEN 'CONSUMED' THEN [other, type(r), step] ELSE [step, type(r), other] END)
          AS all
        WITH [one IN all WHERE one[0] IS NOT NULL AND one[2] IS NOT NULL] AS links
        """,
    "packet": """
        MATCH (:Run {source_key: 'run-marex-filing-alert'})-[:HAS_PACKET]->(p)-[r:INJECTED|EXCLUDED]->(x)
        WITH collect(CASE type(r) WHEN 'INJECTED' THEN [x, r.layer, p] ELSE [p, r.reason, x] END) AS links
        """,
}
END_OF_QUERY: LiteralString = """
UNWIND links AS link
UNWIND [link[0], link[2]] AS n
WITH links, collect(DISTINCT {id: n.id, name: n.name, note: n.status,
  label: [l IN labels(n) WHERE l <> 'Record'][0]}) AS nodes
RETURN nodes, [link IN links | [link[0].id, link[1], link[2].id]] AS links
"""


@dataclass
class Drawing:
    nodes: dict[str, dict[str, str]]
    links: list[tuple[str, str, str]]
    rank: dict[str, int] = field(default_factory=dict[str, int])
    place: dict[str, float] = field(default_factory=dict[str, float])
    near: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    ways: dict[tuple[str, str, str], list[str]] = field(default_factory=dict[tuple[str, str, str], list[str]])

    def lay_out(self) -> None:
        """Longest path from a beginning gives the column; a few passes over the neighbours give the row."""
        self.links = list(dict.fromkeys(self.links))
        self._rank()
        for link in self.links:
            self.ways[link] = self._way(link)
        columns: dict[int, list[str]] = defaultdict(list)
        for node in sorted(self.rank, key=lambda one: self.nodes[one]["name"] if one in self.nodes else one):
            columns[self.rank[node]].append(node)
        tallest = max(len(one) for one in columns.values())
        for _ in range(12):
            for column in columns.values():
                column.sort(key=self._middle)
                for number, node in enumerate(column):
                    self.place[node] = number + (tallest - len(column)) / 2

    def _rank(self) -> None:
        before: dict[str, list[str]] = defaultdict(list)
        after: dict[str, list[str]] = defaultdict(list)
        for tail, _, head in self.links:
            before[head].append(tail)
            after[tail].append(head)

        def depth(node: str, seen: frozenset[str]) -> int:
            return max((1 + depth(one, seen | {node}) for one in before[node] if one not in seen), default=0)

        self.rank = {node: depth(node, frozenset({node})) for node in self.nodes}
        for node in self.nodes:
            if not before[node] and after[node]:
                self.rank[node] = max(0, min(self.rank[one] for one in after[node]) - 1)

    def _way(self, link: tuple[str, str, str]) -> list[str]:
        """The points that a link goes through: it takes a row of its own in the columns that it passes."""
        tail, kind, head = link
        points = [f"~{tail}{kind}{head}{rank}" for rank in range(self.rank[tail] + 1, self.rank[head])]
        self.rank |= {point: self.rank[tail] + 1 + number for number, point in enumerate(points)}
        way = [tail, *points, head]
        for one, other in pairwise(way):
            self.near[one].append(other)
            self.near[other].append(one)
        return way

    def _middle(self, node: str) -> float:
        known = [self.place[one] for one in self.near[node] if one in self.place]
        return sum(known) / len(known) if known else self.place.get(node, 0.0)

    def svg(self) -> str:
        wide = (max(self.rank.values()) + 1) * (WIDTH + ACROSS) - ACROSS + 2 * MARGIN
        tall = (max(self.place.values()) + 1) * (HEIGHT + DOWN) - DOWN + 2 * MARGIN
        shapes = [*(self._line(one) for one in self.links), *(self._box(one) for one in self.nodes)]
        shapes += [self._words(one) for one in self.links]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {tall:.0f}" width="{wide:.0f}" '
            f'height="{tall:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="11">\n'
            '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>\n'
            f'<rect width="100%" height="100%" fill="#fff"/>\n{chr(10).join(shapes)}\n</svg>\n'
        )

    def _corner(self, node: str) -> tuple[float, float]:
        return MARGIN + self.rank[node] * (WIDTH + ACROSS), MARGIN + self.place[node] * (HEIGHT + DOWN)

    def _line(self, link: tuple[str, str, str]) -> str:
        way = self.ways[link]
        x, y = self._corner(way[0])
        path = f"M{x + WIDTH:.0f} {y + HEIGHT / 2:.0f}"
        for one, other in pairwise(way):
            (x1, y1), (x2, y2) = self._corner(one), self._corner(other)
            x1, y1, y2 = x1 + WIDTH, y1 + HEIGHT / 2, y2 + HEIGHT / 2
            path += f"C{(x1 + x2) / 2:.0f} {y1:.0f} {(x1 + x2) / 2:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
            path += f"H{x2 + WIDTH:.0f}" if other != way[-1] else ""
        return f'<path d="{path}" fill="none" stroke="#999" marker-end="url(#a)"/>'

    def _words(self, link: tuple[str, str, str]) -> str:
        """Written where the link leaves its tail: there the links of one head are still apart."""
        (x1, y1), (x2, y2) = (self._corner(one) for one in self.ways[link][:2])
        x, y = (x1 + WIDTH + x2) / 2, HEIGHT / 2 + (y1 + y2) / 2 - 3
        return (
            f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="#777" font-size="7.5" stroke="#fff" '
            f'stroke-width="2" paint-order="stroke">{link[1]}</text>'
        )

    def _box(self, node: str) -> str:
        one = self.nodes[node]
        x, y = self._corner(node)
        colour = REGISTRY.types[one["label"]].colour
        note = f"{one['label']}, {one['note']}" if one.get("note") else one["label"]
        frame = f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6"'
        texts = "".join(
            f'<text x="{x + 7:.0f}" y="{y + 15 + 12 * number:.0f}">{escape(line)}</text>'
            for number, line in enumerate(wrap(one["name"], LETTERS)[:2])
        )
        return (
            f'{frame} fill="#fff"/>{frame} fill="{colour}" fill-opacity=".35" stroke="{colour}"/>{texts}'
            f'<text x="{x + 7:.0f}" y="{y + 41:.0f}" fill="#555" font-size="8">{note}</text>'
        )


async def drawn(database: Database, query: LiteralString) -> str:
    row = await database.read_one(query + END_OF_QUERY)
    assert row, "the graph does not hold the sample world"  # noqa: S101 - a tool for whoever writes the docs
    drawing = Drawing({one["id"]: one for one in row["nodes"]}, [(a, b, c) for a, b, c in row["links"]])
    drawing.lay_out()
    return drawing.svg()


async def main(uri: str, user: str, password: str) -> None:
    database = await connect(uri, user, password, "neo4j")
    for name, query in PICTURES.items():
        (Path(__file__).parent / f"{name}.svg").write_text(await drawn(database, query), encoding="utf-8")
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
