"""Steps with the packets that were made for them, and the scope in one list."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.run.follow import live_address


def view(data: Data, _asked: Asked) -> Data:
    run = data["run"]
    told: Data = {"live": "", "steps": [], "scope": []}
    if "header" in run:
        told["live"] = live_address(run["id"], run["header"]["status"])
    if "steps" in run:
        made: list[Data] = run["record"]["hasPacket"]["nodes"] if run["record"] else []
        packets = {(one["moduleKey"], one["activationSeq"]): one for one in made}
        told["steps"] = [
            row | {"packet": packets.get((row["moduleKey"], row["activationSeq"]))} for row in run["steps"]["rows"]
        ]
    if scope := data.get("runScope"):
        told["scope"] = [item for items in scope["resolvedScope"].values() for item in items or ()]
    return told
