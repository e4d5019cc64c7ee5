"""What each ledger counts, as of a moment: what had been recorded by then, of what had happened by then."""

from typing import LiteralString

from service.graph.visibility import visible

_ROWS: LiteralString = """
RETURN collect({result: result, context_class: context_class, subject_id: subject.id, subject: subject.name,
  count: many, evidence: evidence, closed: closed
    + CASE WHEN subject IS NULL THEN [] ELSE [[subject.data_class] + subject.matter_ids] END}) AS found
"""

_GROUP: LiteralString = """
WITH subject, result, context_class, n ORDER BY n.id
WITH subject, result, context_class, count(n) AS many, collect(n.id)[..$samples] AS evidence,
  collect(DISTINCT [n.data_class] + n.matter_ids) AS closed
ORDER BY many DESC, result, context_class, subject.id LIMIT $most
"""


def _of(match: LiteralString, told: LiteralString) -> LiteralString:
    """What a ledger counts of records `n`: found for each audience, then told with class and subject."""
    return (
        """
CALL () {
  UNWIND $audiences AS audience
  MATCH """
        + match
        + """
  RETURN n
}
"""
        + told
        + _GROUP
        + _ROWS
    )


# Signals of these kinds or types, on the asset that they were seen on, if one is named.
SIGNALS: LiteralString = _of(
    """(n:Signal {audience: audience}) WHERE n.emitted_at <= $at AND n.created_at <= $at
    AND (n.signal_kind IN $kinds OR n.signal_type IN $types OR n.origin IN $origins)""",
    """
WITH n, coalesce(n.signal_kind, n.result, n.signal_type) AS result, n.context_class_key AS context_class, head(COLLECT {
  MATCH (n)-[:SEEN_ON]->(s:Template|Preset|Pattern|Capability|Tool|Segment|DesignQuestion|Artifact|Prompt|
    PromptCandidate) WHERE """
    + visible("s")
    + """ RETURN s ORDER BY s:Template DESC, s:Preset DESC, s.id LIMIT 1 }) AS subject
""",
)

INVOCATION: LiteralString = _of(
    "(n:InvocationSignal {audience: audience}) WHERE n.created_at <= $at",
    "WITH n, n.signal_kind AS result, n.context_class_key AS context_class, null AS subject",
)

SUGGESTIONS: LiteralString = _of(
    "(n:SuggestionFeedback {audience: audience}) WHERE n.given_at <= $at AND n.created_at <= $at",
    "WITH n, n.user_response AS result, n.context_class_key AS context_class, null AS subject",
)

DESIGNS: LiteralString = _of(
    "(n:DesignSession {audience: audience}) WHERE n.ended_at <= $at",
    "WITH n, n.outcome AS result, n.context_class_key AS context_class, null AS subject",
)

TOOLS: LiteralString = _of(
    "(n:ToolOutcome {audience: audience}) WHERE n.occurred_at <= $at AND n.created_at <= $at",
    """
OPTIONAL MATCH (subject:Tool:Record {id: n.tool_id}) WHERE """
    + visible("subject")
    + """
WITH n, n.outcome_type AS result, null AS context_class, subject
""",
)

RUNS: LiteralString = _of(
    """(n:Run {audience: audience}) WHERE n.completed_at <= $at AND n.created_at <= $at
    AND n.status IN ['completed', 'failed', 'cancelled']""",
    """
WITH n, n.status AS result, null AS context_class, head(COLLECT {
  MATCH (n)-[:RUN_OF]->(s:Task) WHERE """
    + visible("s")
    + """ RETURN s ORDER BY s.id LIMIT 1 }) AS subject
""",
)

VERDICTS: LiteralString = _of(
    """(n:Artifact {audience: audience})
  WHERE (n.score IS NOT NULL OR n.verdict IS NOT NULL) AND n.created_at <= $at
    AND coalesce(n.produced_at, n.created_at) <= $at""",
    """
WITH n, coalesce(toLower(n.verdict),
  CASE WHEN n.score >= 0.8 THEN 'good' WHEN n.score < 0.5 THEN 'poor' ELSE 'fair' END) AS result,
  null AS context_class, null AS subject
""",
)

EDITS: LiteralString = _of(
    "(n:EditTrace {audience: audience}) WHERE n.created_at <= $at",
    "UNWIND n.edit_kinds AS result\nWITH n, result, n.context_class_key AS context_class, null AS subject",
)

# Questions that were asked, by whether the answer changed the design.
QUESTIONS: LiteralString = _of(
    """(n:DesignQuestion {audience: audience}) WHERE n.asked AND n.changed_design IS NOT NULL
    AND n.answered_at <= $at AND n.created_at <= $at""",
    """WITH n, CASE WHEN n.changed_design THEN 'changed_the_design' ELSE 'changed_nothing' END AS result,
  n.context_class_key AS context_class, null AS subject""",
)

# What people decided about how far outputs go.
INTAKE: LiteralString = _of(
    """(n:IntakeReceipt {audience: audience}) WHERE n.decided_at <= $at AND n.created_at <= $at
    AND n.outcome <> 'requested'""",
    "WITH n, n.outcome AS result, null AS context_class, null AS subject",
)

SCORES: LiteralString = _of(
    "(n:EvalScore {audience: audience}) WHERE n.scored_at <= $at AND n.created_at <= $at",
    """
WITH n, coalesce(toLower(n.verdict),
  CASE WHEN n.score >= 0.8 THEN 'good' WHEN n.score < 0.5 THEN 'poor' ELSE 'fair' END) AS result,
  null AS context_class, null AS subject
""",
)

# Gaps that checks of prompts found, each kind once a check.
PROMPT_CHECKS: LiteralString = _of(
    "(n:PromptAssessment {audience: audience}) WHERE n.assessed_at <= $at AND n.created_at <= $at",
    """
WITH n, head(COLLECT { MATCH (n)-[:CHECKS]->(s:Record) WHERE """
    + visible("s")
    + """ RETURN s ORDER BY s.id LIMIT 1 }) AS subject
UNWIND CASE n.finding_kinds WHEN [] THEN ['nothing_found'] ELSE n.finding_kinds END AS result
WITH n, result, null AS context_class, subject
""",
)

KEPT_ALIKE: LiteralString = (
    """
MATCH (n:KeptReport {content_hash: $hash}) WHERE """
    + visible("n")
    + """
RETURN n.id AS id, n.version AS version ORDER BY n.created_at, n.id LIMIT 1
"""
)

KEPT: LiteralString = (
    """
MATCH (n:KeptReport:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN n.report_scope AS scope, n.as_of AS at, n.content_hash AS hash
"""
)

# Proposals that had been made by then and not been decided by then.
PROPOSALS: LiteralString = """
CALL () {
  UNWIND $audiences AS audience
  MATCH (p:Proposal {audience: audience})
  WHERE p.created_at <= $at AND (p.decided_at IS NULL OR p.decided_at > $at)
  RETURN p ORDER BY p.created_at DESC, p.id LIMIT $most
}
WITH p ORDER BY p.support_count DESC, p.created_at, p.id LIMIT $most
RETURN collect(p {.id, .statement, .rationale, .risk, .proposal_kind, .support_count,
  closed: [p.data_class] + p.matter_ids}) AS found
"""
