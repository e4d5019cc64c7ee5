"""Laws of lineage over worlds of reported events, on a real server, against a plain walk over all links."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.memory.lineage import Lineage, LineageDirection
from service.memory.reporting.commands import Reporting
from tests.laws import law
from tests.memory.lineage.conftest import Archive, document
from tests.memory.stories import POLICY, Story, step

EMPTY = "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n"
ALL = """
CALL () { MATCH (n:Record) RETURN collect([n.id, labels(n), n.audience]) AS records }
CALL () { MATCH (t:Record)-[r]->(h:Record) RETURN collect(DISTINCT [t.id, type(r), h.id]) AS links }
RETURN records, links
"""
LAW = law(3, derandomize=True)
PRIVILEGED = {**POLICY, "data_class": "privileged"}
RUNS = (({"source": "exec", "key": "run-1"}, POLICY), ({"source": "exec", "key": "run-2"}, PRIVILEGED))

Links = set[tuple[str, str, str]]

_places = st.tuples(st.integers(0, 1), st.sampled_from("ab"), st.integers(1, 2))
_things = st.one_of(
    st.tuples(st.just("art"), st.integers(0, 1), st.integers(0, 2)), st.tuples(st.just("doc"), st.integers(0, 1))
)
_deeds = st.one_of(
    st.tuples(st.just("produce"), _places, st.integers(0, 2), st.lists(_things, max_size=2)),
    st.tuples(st.just("consume"), _places, _things),
    st.tuples(st.just("trigger"), _places, _places),
    st.tuples(st.just("deliver"), _places, st.integers(0, 2)),
    st.tuples(st.just("promote"), _places, st.integers(0, 2), st.integers(0, 1)),
    st.tuples(st.just("receive"), _places, st.integers(0, 1)),
)
worlds = st.lists(_deeds, min_size=5, max_size=12)


def _key(run: int, number: int) -> str:
    return f"run-{run + 1}-art-{number}"


def _item(thing: Any) -> dict[str, Any]:
    return document(f"doc-{thing[1]}") if thing[0] == "doc" else {"key": _key(*thing[1:])}


def _tell(story: Story, deed: Any) -> None:
    """One deed as an event."""
    kind, (run, module, seq), *rest = deed
    at = step(module, seq)
    match kind:
        case "produce":
            derived = [_item(one) for one in rest[1] if one != ("art", run, rest[0])]
            story.tell("artifact_produced", artifact_key=_key(run, rest[0]), artifact_kind="document",
                       output_class="final_output", derived_from=derived, **at)  # fmt: skip
        case "consume":
            story.tell("artifact_consumed", item=_item(rest[0]), **at)
        case "trigger":
            story.tell("activation_started", triggered_by=[step(*rest[0][1:])], **at)
        case "deliver":
            story.tell("delivery", idempotency_key=f"mail-{rest[0]}", delivery_kind="email", status="delivered",
                       artifact_key=_key(run, rest[0]), **at)  # fmt: skip
        case "promote":
            story.tell("artifact_promoted", artifact_key=_key(run, rest[0]), promoted_by="w",
                       work_product_key=f"wp-{rest[1] + 1}", previous_work_product_key=f"wp-{rest[1]}")  # fmt: skip
        case _:
            story.tell("document_received", item=document(f"doc-{rest[0]}"), **at)


@dataclass
class World:
    """All records and links of lineage, as the graph has them."""

    labels: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    audiences: dict[str, str] = field(default_factory=dict[str, str])
    links: Links = field(default_factory=set[tuple[str, str, str]])

    def around(self, start: str, direction: LineageDirection, audiences: Iterable[str]) -> tuple[set[str], Links]:
        """What is reached from a record over records of these audiences, step by step."""
        seen, found, waiting = {start}, set[tuple[str, str, str]](), [start]
        while waiting:
            at = waiting.pop()
            for link in self.links:
                up, down = _ends(link)
                near, far = (down, up) if direction is LineageDirection.upstream else (up, down)
                if near == at and self.audiences[far] in audiences:
                    found.add(link)
                    if far not in seen:
                        seen.add(far)
                        waiting.append(far)
        return seen, found


def _ends(link: tuple[str, str, str]) -> tuple[str, str]:
    """Upstream and downstream."""
    tail, kind, head = link
    return (tail, head) if BY_TYPE[kind].upstream == "tail" else (head, tail)


async def _world(archive: Archive, deeds: list[Any]) -> World:
    await archive.database.run_alone(EMPTY)
    stories: list[Story] = [Story(run, policy).tell("run_started") for run, policy in RUNS]
    for deed in deeds:
        run: int = deed[1][0]
        _tell(stories[run], deed)
    reporting = Reporting(archive.database, REGISTRY, lambda _new: None)
    events = [event for story in stories for event in story.events]
    await reporting.report(await archive.viewer(), events)
    [row] = await archive.database.read(ALL)
    return World(
        {one[0]: one[1] for one in row["records"]},
        {one[0]: one[2] for one in row["records"]},
        {(tail, kind, head) for tail, kind, head in row["links"] if kind in BY_TYPE},
    )


def _shown(answer: Lineage) -> tuple[set[str], Links]:
    assert not answer.truncated
    assert len({one.id for one in answer.nodes}) == len(answer.nodes)
    return {one.id for one in answer.nodes}, {(one.from_, one.type, one.to) for one in answer.edges}


async def _all(archive: Archive, ids: Iterable[str], direction: LineageDirection, viewer: Viewer) -> dict[str, Any]:
    return {one: _shown(await archive.lineage(one, viewer, direction=direction)) for one in ids}


@pytest.mark.slow
@LAW
@given(deeds=worlds)
async def test_upstream_of_every_artifact_ends_in_inputs(archive: Archive, deeds: list[Any]) -> None:
    world = await _world(archive, deeds)
    admin = await archive.viewer()
    downstream = {_ends(link)[1] for link in world.links}
    for artifact in (one for one, labels in world.labels.items() if "Artifact" in labels):
        nodes, links = _shown(await archive.lineage(artifact, admin))
        ends = nodes - {_ends(link)[1] for link in links}
        loops = all(one in {_ends(link)[0] for link in links} for one in nodes - ends)
        assert ends or loops
        for end in ends:
            assert end not in downstream
            assert not {"Activation", "Delivery"} & set(world.labels[end])


@pytest.mark.slow
@LAW
@given(deeds=worlds)
async def test_upstream_and_downstream_are_mirror_images(archive: Archive, deeds: list[Any]) -> None:
    world = await _world(archive, deeds)
    admin = await archive.viewer()
    ids = sorted({end for link in world.links for end in _ends(link)})
    up = await _all(archive, ids, LineageDirection.upstream, admin)
    down = await _all(archive, ids, LineageDirection.downstream, admin)
    for one in ids:
        assert up[one] == world.around(one, LineageDirection.upstream, admin.audiences)
        assert up[one][0] == {other for other in ids if one in down[other][0]}
        assert all(link in down[_ends(link)[0]][1] and one in down[_ends(link)[0]][0] for link in up[one][1])
        assert all(link in up[_ends(link)[1]][1] and one in up[_ends(link)[1]][0] for link in down[one][1])


@pytest.mark.slow
@LAW
@given(deeds=worlds)
async def test_a_viewer_sees_a_part_of_what_an_administrator_sees(archive: Archive, deeds: list[Any]) -> None:
    world = await _world(archive, deeds)
    admin = await archive.viewer()
    low = await archive.viewer(principal_id="prin_low", clearance="internal", scopes=[KeyScope.read])
    for one in sorted(one for one, audience in world.audiences.items() if audience in low.audiences):
        if not any(one in _ends(link) for link in world.links):
            continue
        for direction in (LineageDirection.upstream, LineageDirection.downstream):
            nodes, links = _shown(await archive.lineage(one, low, direction=direction))
            assert (nodes, links) == world.around(one, direction, low.audiences)
            every_node, every_link = _shown(await archive.lineage(one, admin, direction=direction))
            assert nodes <= every_node
            assert links <= every_link
