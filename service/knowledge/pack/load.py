"""Reading all that a pack is made from."""

from service.access.viewer import Viewer
from service.commands.agents import COMMANDS
from service.graph.database import Database
from service.knowledge.pack import cypher
from service.knowledge.pack.authored import authored_cards
from service.knowledge.pack.cards import Sources
from service.knowledge.preflight.issues import CODES
from service.notices import MESSAGES


async def sources_of(database: Database, viewer: Viewer) -> Sources:
    row = await database.read_one(cypher.SOURCES, audiences=viewer.audiences)
    return Sources(
        types=row["types"] if row else (),
        assets=row["assets"] if row else (),
        codes=_codes(),
        operations=sorted(COMMANDS),
        authored=authored_cards(),
    )


def _codes() -> dict[str, str]:
    """What each code means: what is said with it, or what was looked at when it comes from a preflight."""
    examined = {
        code: f"Preflight: {check.value.replace('_', ' ')} ({severity})." for check, (code, severity) in CODES.items()
    }
    return {**examined, **MESSAGES}
