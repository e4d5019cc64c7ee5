"""What the doors beside GraphQL take and give, as JSON Schema and OpenAPI, from the code that reads and writes it."""

from service.web.contract.openapi import openapi
from service.web.contract.schemas import DIALECT, events_schema

__all__ = ["DIALECT", "events_schema", "openapi"]
