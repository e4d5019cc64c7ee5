"""How GraphQL is served: HTTP, documents, limits, execution, selection, shaping, loading."""
