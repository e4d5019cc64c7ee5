"""Graphs of tasks as inputs."""

import strawberry

from service.library.graphs import CableInput, GraphInput, ModuleInput


@strawberry.input(name="GraphModuleInput", description="One module of a graph.")
class GraphModule:
    module_key: str = strawberry.field(description="What the graph calls the module; unique in it.")
    module_type: str = strawberry.field(description="Its type in the catalogue, such as step.agent_task.")
    name: str | None = strawberry.field(default=None, description="What people call it; the key, unless given.")
    purpose: str | None = strawberry.field(default=None, description="What it is for.")
    config: str | None = strawberry.field(default=None, description="Its configuration, as JSON.")
    autonomy: str | None = strawberry.field(
        default=None, description="How much it does without being asked: manual, partial or full."
    )
    input_ports: list[str] = strawberry.field(default_factory=list, description="Ports that it takes from.")
    output_ports: list[str] = strawberry.field(default_factory=list, description="Ports that it gives to.")
    disabled: bool = strawberry.field(default=False, description="Whether it is switched off.")


@strawberry.input(name="GraphCableInput", description="A cable between two modules of a graph.")
class GraphCable:
    tail: str = strawberry.field(description="Key of the module that it leaves.")
    head: str = strawberry.field(description="Key of the module that it enters.")
    from_port: str | None = strawberry.field(default=None, description="The port that it leaves.")
    to_port: str | None = strawberry.field(default=None, description="The port that it enters.")
    cable_id: str | None = strawberry.field(default=None, description="Its name; made from its ends, unless given.")


@strawberry.input(name="TaskGraphInput", description="A whole graph: it takes the place of the one before.")
class TaskGraph:
    modules: list[GraphModule] = strawberry.field(description="Its modules, in any order.")
    cables: list[GraphCable] = strawberry.field(default_factory=list, description="Its cables, in any order.")
    settings: str | None = strawberry.field(default=None, description="Settings of the whole graph, as JSON.")
    extra: str | None = strawberry.field(default=None, description="What its origin says beyond it, as JSON.")

    def graph(self) -> GraphInput:
        modules = [ModuleInput(**vars(one)) for one in self.modules]
        return GraphInput(modules, [CableInput(**vars(one)) for one in self.cables], self.settings, self.extra)
