"""Files that are fetched rather than kept in the repository: exact coordinates, checksums, one shared cache."""

from service.artifacts.errors import ArtifactCorrupt, ArtifactUnavailable
from service.artifacts.fetch import ensure
from service.artifacts.lock import Artifact, Lock, load_lock

__all__ = ["Artifact", "ArtifactCorrupt", "ArtifactUnavailable", "Lock", "ensure", "load_lock"]
