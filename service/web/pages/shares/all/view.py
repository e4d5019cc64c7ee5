"""Whether each share can still be opened."""

from service import clock
from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    return {"states": {one["id"]: state_of(one) for one in data["shares"]["nodes"]}}


def state_of(share: Data) -> str:
    if share["revokedAt"]:
        return "revoked"
    if share["expiresAt"] <= clock.now():
        return "expired"
    return "emptied" if share["emptied"] else "open"
