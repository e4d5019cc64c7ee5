"""Audit exports: a run as files that can be passed on, redacted by profile, with the decision about it stored."""

from service.memory.audit.commands import AuditExports

__all__ = ["AuditExports"]
