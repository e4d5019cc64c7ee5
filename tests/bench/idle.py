"""Memory of the idle service with the embedder loaded: resident size of its process, the database not counted."""

import psutil

from tests.bench.report import Report
from tests.bench.setting import Setting


def measure(setting: Setting, report: Report) -> None:
    megabytes = psutil.Process(setting.pid).memory_info().rss / 1e6
    report.add("memory of the idle service", megabytes, "MB resident", bar=400.0)
