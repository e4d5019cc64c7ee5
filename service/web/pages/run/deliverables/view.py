"""The head of the run, followed as on its other pages."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.run.follow import live_address


def view(data: Data, _asked: Asked) -> Data:
    run = data["run"]
    return {"live": live_address(run["id"], run["header"]["status"]) if "header" in run else ""}
