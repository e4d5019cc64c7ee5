"""What is known of the tools behind capabilities, as notices for whoever is to use them. It removes nothing."""

from collections.abc import Iterable
from dataclasses import replace

from graph_schema.model.fields import DataClass
from graph_schema.tools.words import ToolStanding
from service.access.audience import ADMINISTRATION, Access, is_stub_audience
from service.access.viewer import Viewer
from service.graph.database import Database
from service.notices import Notice
from service.settings import Settings
from service.tools.health import ToolHealth, ToolHealths
from service.tools.limits import Limits
from service.tools.vocabulary import vocabulary_of
from service.tools.warnings import ToolWarning

CODES = {
    ToolStanding.demoted: ToolWarning.unreliable,
    ToolStanding.failing: ToolWarning.unreliable,
    ToolStanding.unused: ToolWarning.unused,
}
MOST_TOOLS = 50


async def advise_on(
    database: Database, settings: Settings, viewer: Viewer, record_ids: Iterable[str], within: Access | None
) -> tuple[Notice, ...]:
    """Of capabilities, or of what assets require: which tools stand badly, by what the viewer may see."""
    viewer = viewer if within is None else narrowed(viewer, within)
    healths = ToolHealths(database, vocabulary_of(settings.tool_words), Limits.of(settings))
    provided = await healths.providing(viewer, record_ids)
    standing = await healths.of_all(viewer, sorted({tool for tool, _ in provided})[:MOST_TOOLS])
    by_id = {one.tool_id: one for one in standing if one.standing in CODES}
    return tuple(_notice(by_id[tool], capability) for tool, capability in provided if tool in by_id)


def narrowed(viewer: Viewer, within: Access) -> Viewer:
    """The viewer, seeing only what everybody sees who has this access."""
    plain = (one for one in viewer.audiences if not is_stub_audience(one) and one != ADMINISTRATION)
    seen = tuple(one for one in plain if within.covers(Access(_class_of(one), viewer.matters_of(one))))
    return replace(viewer, audiences=seen)


def _class_of(audience: str) -> DataClass:
    return DataClass(audience.partition("|")[0])


def _notice(one: ToolHealth, capability: str) -> Notice:
    return Notice(CODES[one.standing].value, f"{capability}: the tool {one.name} provides it. {one.standing_why}")
