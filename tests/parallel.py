"""Which tests stay together when several processes share the run."""

from xdist.scheduler import LoadScopeScheduling

from tests.order import kept_together


class Together(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return kept_together(nodeid, self.config.rootpath)
