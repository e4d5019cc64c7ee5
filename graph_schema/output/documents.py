"""Documents of the API that an answer hands on, so that a reader can call what is told there in words."""

from graph_schema.model.names import api_name
from graph_schema.model.registry import Registry

PAGE = 50


def relation_document(registry: Registry, record_id: str, label: str, type_: str, *, outgoing: bool) -> str | None:
    """The document that reads all that a relation of a record leads to, page by page; none where it has no such."""
    for name, one in registry.relation_fields(label).items():
        if one.relation.type == type_ and one.outgoing is outgoing:
            page = "totalCount pageInfo { hasNextPage endCursor } nodes { ... on Node { id name } }"
            inner = f"{api_name(name)}(first: {PAGE}) {{ {page} }}"
            return f'{{ node(id: "{record_id}") {{ ... on {label} {{ {inner} }} }} }}'
    return None
