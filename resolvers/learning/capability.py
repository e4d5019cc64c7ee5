"""What learning adds to the API."""

from resolvers.capability import Fields

FIELDS = Fields()
