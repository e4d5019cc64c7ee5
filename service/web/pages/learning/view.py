"""Of each ledger what is shown at once, and how its counts compare with those of the fullest."""

from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    ledgers: list[Data] = data.get("learningReport", {"ledgers": []})["ledgers"]
    most = max((max(one["forCount"], one["againstCount"]) for one in ledgers), default=0)
    return {
        "most": most,
        "told": [one for one in ledgers if one["counted"]],
        "silent": [one for one in ledgers if not one["counted"]],
    }
