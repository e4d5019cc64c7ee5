"""Runs of the suite, and what they are held against."""

from typing import LiteralString

from service.graph.visibility import visible

# The pack that was named, else the one in use.
PACK: LiteralString = (
    """
MATCH (p:KnowledgePack) WHERE """
    + visible("p")
    + """ AND (p.id = $id OR $id IS NULL AND p.pack_state IN ['active', 'stale'])
RETURN p {.id, .pack_hash} AS pack ORDER BY p.compiled_at DESC LIMIT 1
"""
)

# The latest run of the suite on the pack in use.
BASELINE: LiteralString = (
    """
MATCH (p:KnowledgePack) WHERE p.pack_state IN ['active', 'stale'] AND """
    + visible("p")
    + """
MATCH (r:EvalRun {pack_hash: p.pack_hash}) WHERE """
    + visible("r")
    + """ AND r.suite = $suite
RETURN r {.id, .failures, .proposals} AS run ORDER BY r.submitted_at DESC, r.id DESC LIMIT 1
"""
)

# A suite that was brought, by its id or by its name and version.
SUITE: LiteralString = (
    """
MATCH (s:EvalSuite) WHERE (s.id = $id OR $id IS NULL AND s.suite = $suite) AND """
    + visible("s")
    + """
RETURN s {.id, .version, .suite_hash, .examples} AS suite ORDER BY s.created_at LIMIT 1
"""
)

KEPT: LiteralString = (
    """
MATCH (r:EvalRun {id: $id}) WHERE """
    + visible("r")
    + """
RETURN r {.id, .suite, .failures, .proposals} AS run
"""
)
