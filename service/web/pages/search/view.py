"""Runs are found by their names as they are written: so the words are asked for in the ways that names are written."""

from service.web.pages.engine.page import Data


def settle(variables: Data) -> Data:
    text: str = variables.get("text", "")
    return {"lower": text.lower(), "capital": text.capitalize(), "title": text.title()}
