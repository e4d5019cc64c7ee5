"""Pages of written lists, in the shape that all lists have."""

from typing import Any

from resolvers.generated.types import read_types
from service.views import PageFacts, page_facts

__all__ = ["PAGE_INFO", "TOTAL", "PageFacts", "page_facts"]

PAGE_INFO: Any = read_types().page_info
TOTAL = "How many pass, on all pages. Counted only when it is asked for."
