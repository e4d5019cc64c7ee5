"""Finding artifacts by name, words and meaning, with filters by run, task, subject, kind, intake level and time."""

from service.memory.artifact_search.read import ArtifactSearch
from service.memory.artifact_search.request import ArtifactFilter, ArtifactSearchRequest

__all__ = ["ArtifactFilter", "ArtifactSearch", "ArtifactSearchRequest"]
