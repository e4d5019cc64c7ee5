"""A desk with the services of knowledge, and the sample catalogue in the graph."""

from dataclasses import dataclass
from typing import Any

from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.capability import Services
from service.commands import Outcome, RecordRef
from service.graph.database import Database
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.reading import sample_catalogue
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.knowledge.preflight.report import PreflightReport
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.records import Records
from tests.knowledge.graphs.reading import graph_of
from tests.viewers import viewer_of


@dataclass(frozen=True)
class Desk:
    database: Database
    services: Services

    async def viewer(self, **given: Any) -> Viewer:
        return await viewer_of(self.database, **given)

    async def agent(self, **given: Any) -> Viewer:
        scopes = (KeyScope.read, KeyScope.curate, KeyScope.report)
        return await self.viewer(principal_id="prin_agent", kind=PrincipalKind.agent, scopes=scopes, **given)

    async def catalogue(self) -> Outcome:
        return await self.services[Catalogues].save(await self.viewer(), sample_catalogue())

    async def new(self, label: str, **values: Any) -> str:
        saved = await self.services[Records].save(await self.viewer(), label, {"name": label, **values})
        return saved.result["id"]

    async def link(self, tail: str, kind: str, head: str) -> None:
        await self.services[Records].link(await self.viewer(), RecordRef(id=tail), kind, RecordRef(id=head), {})

    async def draw(self, of: str, told: dict[str, Any]) -> dict[str, Any]:
        saved = await self.services[Library].save_graph(await self.viewer(), RecordRef(id=of), graph(told))
        return saved.result

    async def explain(self, of: str, steps: dict[str, list[str]], **more: Any) -> str:
        """A blueprint of an asset, with these steps and the modules that do them."""
        values = {"name": "Blueprint", "business_or_personal_goal": "It is done.", "task_type": "review"}
        parts = {kind: [PartInput(one) for one in more.pop(kind, ())] for kind in ("contracts", "side_effects")}
        parts["steps"] = [
            PartInput({"step_key": key, "purpose": f"Do {key}."}, bound_modules=keys) for key, keys in steps.items()
        ]
        asked = BlueprintInput({**values, **more}, of=RecordRef(id=of), parts=parts, links={})
        return (await self.services[Library].save_blueprint(await self.viewer(), asked)).result["id"]

    async def examine(self, of: str | None, viewer: Viewer | None = None, **asked: Any) -> PreflightReport:
        told = asked.pop("graph", None)
        subject = Subject(of, graph(told) if told else None)
        return await self.services[Preflights].examine(
            viewer or await self.viewer(), subject, PreflightRequest(**asked)
        )

    async def keep(self, of: str | None, viewer: Viewer | None = None, **asked: Any) -> str:
        told = asked.pop("graph", None)
        kept = await self.services[KeptPreflights].keep(
            viewer or await self.viewer(), Subject(of, graph(told) if told else None), PreflightRequest(**asked)
        )
        return kept.result["id"]


def graph(told: dict[str, Any]) -> GraphInput:
    plain = graph_of(told)
    modules = [ModuleInput(**one) for one in plain["modules"]]
    return GraphInput(modules, [CableInput(**one) for one in plain["cables"]])
