"""The way to Neo4j: driver, transactions, migrations, the read compiler and the local server."""
