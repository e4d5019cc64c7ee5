"""A class of context is asked about when it is named."""

from service.web.pages.engine.page import Data


def settle(variables: Data) -> Data:
    return {"asks": bool(variables.get("contextClass"))}
