"""What written fields need of the running service."""

from dataclasses import dataclass

from graph_schema.registry import Registry
from service.memory import Reporting
from service.records import Records


@dataclass(frozen=True)
class Services:
    registry: Registry
    records: Records
    reporting: Reporting
