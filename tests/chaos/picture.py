"""The graph as it stands: what a campaign's ledger is held against."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, LiteralString

from service.graph.database import Database
from tests.chaos.stories import SOURCE

# Commands before events: what is committed between the two has its events in the picture, without its command.
COMMANDS: LiteralString = """
MATCH (c:Command)
WITH c.command_id AS id, count(*) AS times, count(c.result) AS results
RETURN collect([id, times, results]) AS commands
"""
EVENTS: LiteralString = """
MATCH (e:Event)
WITH e ORDER BY e.seq
RETURN collect(e {.seq, .event_id, .kind, .about, .about_version, .at, .command_id}) AS events
"""
REPORTED: LiteralString = """
CALL () { MATCH (r:Report) RETURN collect([r.run_id, r.event_id]) AS told }
CALL () { MATCH (e:AgentEvent) RETURN collect([e.session_id, e.event_id]) AS agents }
CALL () { MATCH (o:ToolOutcome) RETURN collect(['outcome', o.event_id]) AS outcomes }
CALL () { MATCH (a:ToolAsk) RETURN collect(['ask', a.event_id]) AS asks }
RETURN told + agents + outcomes + asks AS reported
"""
RUNS: LiteralString = "MATCH (r:Run {source: $source}) RETURN collect([r.source_key, r.id]) AS runs"
# Links that lead out of a record, so that what others link to it later does not count; and former states.
RECORDS: LiteralString = """
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Record {id: id}) RETURN n
  UNION
  MATCH (n:Record {run_id: id}) RETURN n
}
RETURN id, collect([n.id, labels(n), n.version, COLLECT { MATCH (n)-[r]->() RETURN type(r) }]) AS found
"""
WAITING: LiteralString = "MATCH (e:Unnumbered) RETURN count(e) AS waiting"
INTERNAL: LiteralString = (
    "MATCH (e:Event) WHERE e.audience IN ['public|', 'internal|'] RETURN collect(e.event_id) AS ids"
)


@dataclass(frozen=True)
class Picture:
    events: list[dict[str, Any]]
    """By their numbers; those without one last."""
    commands: dict[str, tuple[int, int]]
    """Of each id, how many commands have it and how many of them their result."""
    reported: Counter[tuple[str, str]]
    runs: dict[str, list[str]]

    @property
    def unnumbered(self) -> int:
        return sum(one["seq"] is None for one in self.events)

    def kinds_of_commands(self) -> dict[str, Counter[str]]:
        """The kinds of the events of each command."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for one in self.events:
            found[one["command_id"]][one["kind"]] += 1
        return found

    def made_by(self) -> dict[str, set[str]]:
        """The records of each command that had been told of by none before."""
        found: dict[str, set[str]] = defaultdict(set)
        seen: set[str] = set()
        for one in self.events:
            if one["about"] not in seen:
                seen.add(one["about"])
                found[one["command_id"]].add(one["about"])
        return found


async def taken(database: Database) -> Picture:
    commands = await _value(database, COMMANDS, "commands")
    events = await _value(database, EVENTS, "events")
    reported = await _value(database, REPORTED, "reported")
    runs: dict[str, list[str]] = defaultdict(list)
    for key, run_id in await _value(database, RUNS, "runs", source=SOURCE):
        runs[key].append(run_id)
    known = {one[0]: (one[1], one[2]) for one in commands}
    return Picture(events, known, Counter((one[0], one[1]) for one in reported), runs)


async def left_by(database: Database, ids: set[str]) -> dict[str, list[Any]]:
    """Of each record, it and what is a part of it as a run: id, labels, version, types of the links that lead out."""
    found: dict[str, list[Any]] = {}
    ordered = sorted(ids)
    for start in range(0, len(ordered), 2_000):
        for row in await database.run_alone(RECORDS, ids=ordered[start : start + 2_000]):
            found[row["id"]] = row["found"]
    return found


async def waiting(database: Database) -> int:
    """How many events have no number yet."""
    return await _value(database, WAITING, "waiting")


async def internal(database: Database) -> set[str]:
    """The events of what is internal at most, and of no matter."""
    return {*await _value(database, INTERNAL, "ids")}


async def _value(database: Database, query: LiteralString, name: str, **given: Any) -> Any:
    [row] = await database.run_alone(query, **given)
    return row[name]
