"""Workflows of n8n as a set of assets: known by what their import says of them."""

from collections.abc import Mapping
from pathlib import Path

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.capability import Services
from service.commands.card_text import card_text
from service.library.n8n.commands import MOST_AT_ONCE, File, N8nWorkflows
from service.library.n8n.plan import values_of, wanted_of
from service.library.n8n.read import read_file
from service.library.n8n.workflow import Workflow
from service.matching.evaluation.evaluate import Known


def known_workflows(folder: Path) -> dict[str, Known]:
    """By the name of the file, without its ending."""
    found: dict[str, Known] = {}
    for path in sorted(folder.glob("*.json")):
        for one in read_file(path.read_bytes()):
            if isinstance(one, Workflow):
                card = card_text(REGISTRY.types["Template"], values_of(wanted_of(one)))
                found[path.stem] = Known(one.name, card, one.description, (), path)
    return found


async def import_workflows(services: Services, viewer: Viewer, files: Mapping[str, Path]) -> dict[str, str]:
    """The keys of the files by the ids of their templates."""
    keys: dict[str, str] = {}
    listed = list(files.items())
    for start in range(0, len(listed), MOST_AT_ONCE):
        some = listed[start : start + MOST_AT_ONCE]
        wanted = [File(path.name, path.read_bytes()) for _, path in some]
        done = await services[N8nWorkflows].import_files(viewer, wanted)
        keys |= {one.template_id: key for one, (key, _) in zip(done.items, some, strict=True) if one.template_id}
    return keys
