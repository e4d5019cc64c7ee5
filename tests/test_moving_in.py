"""A capability moves in by its folders and one word: its records, service, command and fields are there by themselves.

Tried with one that grows flowers, in a copy of the packages that nothing else of this run reads.
"""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from graph_schema.capabilities import CAPABILITIES

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "graph_schema/gardening/__init__.py": '''
from typing import ClassVar

from graph_schema.model.fields import EvidenceLayer, field
from graph_schema.model.record import Record
from graph_schema.model.relation import Relation


class Bed(Record):
    """A bed of a garden."""

    label = "Bed"
    plural = "beds"
    prefix = "bed"
    layer = EvidenceLayer.memory
    colour = "#5a9e4b"
    saved: ClassVar[bool] = True

    soil: str = field("What it is made of.", default="loam", filtered=True)


RECORDS = (Bed,)
RELATIONS = (
    Relation("GROWS_FOR", ("Bed",), ("Goal",), "grown_in", "A bed, and what it is for.", EvidenceLayer.memory),
)
''',
    "service/gardening/__init__.py": """
from service.capability import CommandAt

COMMANDS = (CommandAt("water", "service.gardening.cli", "Water the beds."),)
""",
    "service/gardening/cli.py": '''
def water() -> None:
    """Water the beds."""
    print("watered")
''',
    "service/gardening/capability.py": """
from service.capability import Factories


class Gardener:
    def greeting(self) -> str:
        return "It rains."


SERVICES: Factories = {Gardener: lambda on: Gardener()}
""",
    "resolvers/gardening/__init__.py": "",
    "resolvers/gardening/capability.py": """
import strawberry

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of
from service.gardening.capability import Gardener


@strawberry.type
class GardenQuery:
    @strawberry.field(description="The weather.")
    async def weather(self, info: RecordInfo) -> str:
        return service_of(info, Gardener).greeting()


FIELDS = Fields(queries=(GardenQuery,), costs=Costs(queries={"weather": flat(1)}))
""",
}
LIST = "graph_schema/capabilities.py"
LIVED = """
import asyncio, json, time
from dataclasses import replace

began = time.process_time()
from graph_schema.registry import REGISTRY
from resolvers.engine.context import Context
from resolvers.schema import build_schema
from service.capability import Services
from service.gardening.capability import SERVICES
from service.access.viewer import OPERATOR, KeyScope

schema = build_schema()
spent = time.process_time() - began
context = Context(replace(OPERATOR, scopes=frozenset(KeyScope)), None, "req", Services(None, [SERVICES]))
answer = asyncio.run(schema.execute("{ weather }", context_value=context))
types = schema._schema.type_map
print(json.dumps({
    "record": "Bed" in REGISTRY.types, "weather": answer.data, "errors": str(answer.errors),
    "fields": sorted(one for one in types["Bed"].fields if one in {"soil", "growsFor"}),
    "back": "grownIn" in types["Goal"].fields, "list": "beds" in types["Query"].fields,
    "save": "saveBed" in types["Mutation"].fields, "spent": spent,
}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("house")
    for one in ("graph_schema", "service", "resolvers", "embeddings", "seeds"):
        copytree(ROOT / one, home / one, ignore=ignore_patterns("__pycache__"))
    for path, text in FOLDERS.items():
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text(text)
    words = (home / LIST).read_text()
    last = f'"{CAPABILITIES[-1]}"'
    assert words.count(f"{last})") == 1
    (home / LIST).write_text(words.replace(f"{last})", f'{last}, "gardening")'))
    return home


def _run(house: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=house, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_it_brings_is_there(house: Path) -> None:
    told: dict[str, Any] = json.loads(_run(house, "-c", LIVED).splitlines()[-1])
    assert told["weather"] == {"weather": "It rains."}, told["errors"]
    assert told["fields"] == ["growsFor", "soil"]
    assert all(told[one] for one in ("record", "back", "list", "save"))


def test_its_command_stands_among_the_others(house: Path) -> None:
    assert "Water the beds." in _run(house, "-c", "from service.cli import main; main()", "--help")
