"""What sharing adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.sharing.beside import BesideMutation
from resolvers.sharing.shares import ShareMutation, ShareQuery, ShareSubject

RUN = 2_000
"""A run with all that belongs to it."""

FIELDS = Fields(
    queries=(ShareQuery,),
    mutations=(ShareMutation, BesideMutation),
    record_fields={"ShareCapsule": (ShareSubject,)},
    costs=Costs(
        queries={"sharedManifest": flat(RUN)},
        mutations={
            "createShare": flat(RUN),
            "revokeShare": flat(10),
            "copySharedTask": flat(RUN),
            "commentOnShare": flat(RUN),
            "proposeUnderShare": flat(RUN),
            "requestUnderShare": flat(RUN),
        },
        record_fields=dict.fromkeys(("subject", "recipients", "note", "revokedBecause", "emptied"), flat(2)),
    ),
)
