"""What learning brings to the running service."""

from service.capability import Factories

SERVICES: Factories = {}
