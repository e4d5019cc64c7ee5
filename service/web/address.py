"""Where a browser on this machine finds the service."""

from service.access.perimeter import EVERYWHERE
from service.settings import Settings


def base_address(settings: Settings) -> str:
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
