"""What is made from the registry: constraints and indexes, the reference, the style of Neo4j Browser, documents."""
