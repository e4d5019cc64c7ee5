"""Graphs of tasks as inputs."""

import strawberry

from resolvers.generated.inputs import RecordRefInput
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.library.ties import Placement, Ties


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
    preset: RecordRefInput | None = strawberry.field(
        default=None, description="The preset that it is set to. A module that stays as it was keeps its preset."
    )

    def module(self) -> ModuleInput:
        return ModuleInput(**{name: value for name, value in vars(self).items() if name != "preset"})


@strawberry.input(name="GraphCableInput", description="A cable between two modules of a graph.")
class GraphCable:
    tail: str = strawberry.field(description="Key of the module that it leaves.")
    head: str = strawberry.field(description="Key of the module that it enters.")
    from_port: str | None = strawberry.field(default=None, description="The port that it leaves.")
    to_port: str | None = strawberry.field(default=None, description="The port that it enters.")
    cable_id: str | None = strawberry.field(default=None, description="Its name; made from its ends, unless given.")


@strawberry.input(name="PlacedModuleInput", description="A module of a segment that the graph calls otherwise.")
class PlacedModule:
    segment_module_key: str = strawberry.field(description="What the segment calls it.")
    module_key: str = strawberry.field(description="What the graph calls it.")


@strawberry.input(name="PlacedSegmentInput", description="A segment that was put into the graph.")
class PlacedSegment:
    segment: RecordRefInput = strawberry.field(description="The segment.")
    modules: list[PlacedModule] = strawberry.field(
        default_factory=list, description="Its modules that have another key in the graph."
    )

    def placement(self) -> Placement:
        return Placement(self.segment.ref(), {one.segment_module_key: one.module_key for one in self.modules})


@strawberry.input(name="TaskGraphInput", description="A whole graph: it takes the place of the one before.")
class TaskGraph:
    modules: list[GraphModule] = strawberry.field(description="Its modules, in any order.")
    cables: list[GraphCable] = strawberry.field(default_factory=list, description="Its cables, in any order.")
    settings: str | None = strawberry.field(default=None, description="Settings of the whole graph, as JSON.")
    extra: str | None = strawberry.field(default=None, description="What its origin says beyond it, as JSON.")
    segments: list[PlacedSegment] = strawberry.field(
        default_factory=list,
        description="Segments that were put in. One that was there before stays, as long as its modules and cables do.",
    )

    def ties(self) -> Ties:
        presets = {one.module_key: one.preset.ref() for one in self.modules if one.preset}
        return Ties(presets, [one.placement() for one in self.segments])

    def graph(self) -> GraphInput:
        modules = [one.module() for one in self.modules]
        return GraphInput(modules, [CableInput(**vars(one)) for one in self.cables], self.settings, self.extra)
