"""How busy the driver's connection pool is."""

import neo4j


def connections_in_use(driver: neo4j.AsyncDriver) -> int:
    """The driver has no public figure for it; the test of the metrics fails when its inside changes."""
    connections = driver._pool.connections  # pyright: ignore
    return sum(connection.in_use for group in list(connections.values()) for connection in list(group))  # pyright: ignore
