"""What the local Neo4j is told: its configuration file and the flags of its JVM."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from service.artifacts import load_lock
from service.graph.local.home import Home
from service.graph.local.memory import heap_mb, page_cache_mb
from service.graph.local.ports import LOOPBACK, choose_port
from service.settings import Settings

MAIN_CLASS = "org.neo4j.server.CommunityEntryPoint"

# Loopback in the listen and in the advertised addresses: the latter are what Browser and drivers are sent to.
CONF = """\
# Written at every start; changes made here are lost. See docs/settings.md.
server.default_listen_address={host}
server.default_advertised_address={host}
server.bolt.listen_address={host}:{bolt_port}
server.bolt.advertised_address={host}:{bolt_port}
server.http.listen_address={host}:{http_port}
server.http.advertised_address={host}:{http_port}
dbms.usage_report.enabled=false
client.allow_telemetry=false
server.memory.heap.max_size={heap_mb}m
server.memory.pagecache.size={page_cache_mb}m
db.tx_log.preallocate=false
db.tx_log.rotation.retention_policy=100M size
# A vector query searches every segment of its index: with the 50 that are the default it takes 4 times as long.
internal.dbms.index.vector.standard_merge_factor=4
internal.server.bolt.thread_pool_shutdown_wait_time=250ms
internal.server.bolt.connection_shutdown_wait_time=1s
"""


@dataclass(frozen=True)
class Configuration:
    bolt_port: int
    http_port: int
    heap_mb: int
    page_cache_mb: int
    version: str
    more_conf: tuple[str, ...] = ()
    more_flags: tuple[str, ...] = ()

    @classmethod
    def wanted(cls, settings: Settings) -> "Configuration":
        return cls(
            bolt_port=settings.local_bolt_port,
            http_port=settings.local_http_port,
            heap_mb=heap_mb(settings),
            page_cache_mb=page_cache_mb(settings),
            version=neo4j_version(),
        )

    def with_free_ports(self, progress: Callable[[str], None]) -> "Configuration":
        bolt_port = choose_port(self.bolt_port, "Bolt", progress)
        http_port = choose_port(self.http_port, "HTTP", progress, not_this=bolt_port)
        return replace(self, bolt_port=bolt_port, http_port=http_port)

    @property
    def fingerprint(self) -> str:
        """Equal for two servers that were asked for the same; tells whether a running one will do."""
        asked = "\n".join([self.version, self.conf(), *self.jvm_flags()])
        return hashlib.sha256(asked.encode()).hexdigest()[:16]

    def conf(self) -> str:
        common = CONF.format(
            host=LOOPBACK,
            bolt_port=self.bolt_port,
            http_port=self.http_port,
            heap_mb=self.heap_mb,
            page_cache_mb=self.page_cache_mb,
        )
        return common + "".join(f"{line}\n" for line in self.more_conf)

    def jvm_flags(self) -> list[str]:
        return [
            f"-Xms{min(256, self.heap_mb)}m",
            f"-Xmx{self.heap_mb}m",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",  # a server without memory is restarted rather than left half alive
            "-XX:-OmitStackTraceInFastThrow",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Dfile.encoding=UTF-8",
            *self.more_flags,
        ]


def write_conf(home: Home, configuration: Configuration) -> None:
    (home.conf / "neo4j.conf").write_text(configuration.conf())


def neo4j_version() -> str:
    return next(item.version for item in load_lock().group("neo4j") if item.artifact == "neo4j")
