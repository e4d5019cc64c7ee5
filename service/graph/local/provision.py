"""What must be on the machine before a server can start: a Java and Neo4j's own files."""

from collections.abc import Callable
from dataclasses import dataclass

from service.artifacts import ensure
from service.graph.local.java import Java, find_java
from service.settings import Settings


@dataclass(frozen=True)
class Installation:
    java: Java
    classpath: str

    def environment(self) -> dict[str, str]:
        """All that a JVM of ours sees of the environment: nothing the user has set can bend it."""
        return {"CLASSPATH": self.classpath, "LANG": "C.UTF-8"}


def provision(settings: Settings, progress: Callable[[str], None]) -> Installation:
    java = find_java(progress)
    jars = ensure("neo4j", settings.cache.expanduser().absolute(), progress)
    return Installation(java, ":".join(map(str, jars)))
