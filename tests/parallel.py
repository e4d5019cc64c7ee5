"""Which tests stay together when several processes share the run."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling


class Together(LoadScopeScheduling):
    """Those of a file. Those of a package too: they share a service and what is in its graph."""

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.split("::", 1)[0])
        in_package = (self.config.rootpath / file.parent / "__init__.py").exists()
        return str(file.parent if in_package else file)
