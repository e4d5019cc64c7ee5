"""Task assets: what a run is a run of."""

from graph_schema.fields import Key, Layer, field
from graph_schema.happened import Reported


class Task(Reported):
    """A saved piece of work that can be run."""

    label = "Task"
    plural = "tasks"
    prefix = "task"
    layer = Layer.run_truth
    colour = "#ecb5c9"


class Template(Reported):
    """A task that others are made from."""

    label = "Template"
    plural = "templates"
    prefix = "tpl"
    layer = Layer.run_truth
    colour = "#da7194"


class Module(Reported):
    """One module of a task's graph."""

    label = "Module"
    plural = "modules"
    prefix = "mod"
    layer = Layer.run_truth
    colour = "#ffc454"

    module_key: Key = field("The module, as the executor calls it.", indexed=True)
    task_key: Key = field("The task that it belongs to, as the executor calls it.", indexed=True)
