"""One file from a Maven repository, through jgo."""

from pathlib import Path

import requests
from jgo.maven import MavenContext

from service.artifacts.errors import ArtifactUnavailable
from service.artifacts.lock import Artifact

ATTEMPTS = 3


class Maven:
    def __init__(self, folder: Path, repositories: dict[str, str] | None = None) -> None:
        """Downloads land in `folder`, never in the user's own Maven repository."""
        self._context = MavenContext(repo_cache=folder, local_repos=[], remote_repos=repositories, timeout=20)

    def __call__(self, artifact: Artifact) -> Path:
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                return self._download(artifact)
            except requests.RequestException as error:
                reason = _plain(error)
            except RuntimeError:  # jgo: every repository answered, none with the file
                reason = "the Maven repository does not give it out"
        raise ArtifactUnavailable(artifact.file, reason)

    def _download(self, artifact: Artifact) -> Path:
        component = self._context.project(artifact.group, artifact.artifact).at_version(artifact.version)
        file = component.artifact(artifact.classifier)
        if file.cached_path:
            file.cached_path.unlink(missing_ok=True)  # the half of an attempt that broke off
        return file.resolve()


def _plain(error: requests.RequestException) -> str:
    if isinstance(error, requests.Timeout):
        return "the Maven repository did not answer in time"
    if isinstance(error, requests.ConnectionError):
        return "there is no connection to the Maven repository"
    return f"the connection broke ({type(error).__name__})"
