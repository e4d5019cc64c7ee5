"""Work that one process does at a time, whichever it is."""

from service.graph.leases.errors import LeaseLost
from service.graph.leases.lease import Lease, Progress, leased
from service.graph.leases.shared import Begin, by_one

__all__ = ["Begin", "Lease", "LeaseLost", "Progress", "by_one", "leased"]
