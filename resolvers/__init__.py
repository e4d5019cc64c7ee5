"""GraphQL: the engine that serves it, types made from the registry, and the fields of each capability."""
