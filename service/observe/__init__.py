"""What an operator sees of a running service: log lines, metrics, health, and the id that ties a request together."""

from service.observe.health import Health, Report
from service.observe.logs import log, set_up_logs
from service.observe.metrics import Metrics
from service.observe.requests import current_request_id

__all__ = ["Health", "Metrics", "Report", "current_request_id", "log", "set_up_logs"]
