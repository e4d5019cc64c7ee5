"""What routing adds to the API."""

from resolvers.capability import Fields

FIELDS = Fields()
