"""Where the service's own pages show a run, a step of it, and the graph that it runs."""

from urllib.parse import quote, urlencode

_RUNS, _GRAPHS = "/runs/", "/graphs/"


def run_page(run: str, module_key: str | None = None, activation_seq: int | None = None) -> str:
    return _RUNS + quote(run, safe=":") + _asked(module=module_key, activation=activation_seq)


def graph_page(of: str, run: str | None = None, module_key: str | None = None) -> str:
    """`of` is a task, a template or a graph: by its id, or as `source:key`."""
    return _GRAPHS + quote(of, safe=":") + _asked(run=run, module=module_key)


def _asked(**values: str | int | None) -> str:
    given = {name: one for name, one in values.items() if one is not None}
    return f"?{urlencode(given)}" if given else ""
