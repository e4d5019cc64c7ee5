"""What is there and asks for attention: one statement for each source, newest first and bounded."""

from typing import LiteralString

from service.graph.visibility import visible

# Whose time to come back has come is open again, though nobody has noted it yet. What directives beside the events are
# about stands in the list itself.
OPEN_DIRECTIVES: LiteralString = (
    """
MATCH (d:AttentionDirective {owner_id: $owner})
WHERE d.raised_at >= $since AND d.expires_at > $now AND NOT d.surface IN $beside AND """
    + visible("d")
    + """ AND (d.directive_state = 'open' OR (d.directive_state = 'snoozed' AND d.snoozed_until <= $now))
RETURN collect(d {.*})[..$most] AS found
"""
)

# A step may ask for leave and go on with something else meanwhile: its run then does not wait, and the gate does.
WAITING_GATES: LiteralString = (
    """
MATCH (run:Run)
WHERE """
    + visible("run")
    + """ AND run.status IN ['pending', 'waiting', 'running']
  AND EXISTS { MATCH (one:Gate {run_id: run.id}) WHERE one.gate_key > '' AND one.status = 'open' AND """
    + visible("one")
    + """ }
WITH run ORDER BY run.started_at DESC LIMIT $most
MATCH (gate:Gate {run_id: run.id})
WHERE gate.gate_key > '' AND gate.status = 'open' AND """
    + visible("gate")
    + """
RETURN collect({id: gate.id, run: run.name, question: gate.question, since: coalesce(gate.opened_at, gate.created_at),
  deadline: gate.deadline_at})[..$most] AS found
"""
)

# One that a later run of the same task has made good is no longer told.
FAILED_RUNS: LiteralString = (
    """
MATCH (run:Run)
WHERE """
    + visible("run")
    + """ AND run.status = 'failed' AND run.started_at >= $since
WITH run ORDER BY run.started_at DESC LIMIT $most
WHERE run.task_key IS NULL OR NOT EXISTS {
  MATCH (later:Run {task_key: run.task_key})
  WHERE later.source = run.source AND later.status = 'completed' AND later.started_at > run.started_at AND """
    + visible("later")
    + """
}
RETURN collect({id: run.id, run: run.name, since: coalesce(run.completed_at, run.started_at),
  code: run.failure_code, message: coalesce(run.failure_summary, run.failure_code)}) AS found
"""
)

ODD_RUNS: LiteralString = (
    """
MATCH (run:Run)
WHERE """
    + visible("run")
    + """ AND run.status IN ['completed', 'failed', 'cancelled'] AND run.started_at >= $since
WITH run ORDER BY run.started_at DESC LIMIT $most
WITH run, CASE WHEN run.delivery_count > 0 THEN COLLECT {
  MATCH (one:Delivery {run_id: run.id}) WHERE one.idempotency_key > '' AND """
    + visible("one")
    + """ RETURN {id: one.id, name: one.name, status: one.status, conflicting: coalesce(one.conflicting, false)}
} ELSE [] END AS deliveries
WITH run, deliveries, [one IN deliveries WHERE one.conflicting] AS conflicts,
  run.running_count > 0 OR run.waiting_count > 0 AS left_open
WHERE size(conflicts) > 0 OR left_open
  OR (run.status <> 'completed' AND any(one IN deliveries WHERE one.status = 'delivered'))
RETURN collect({id: run.id, run: run.name, status: run.status, since: coalesce(run.completed_at, run.started_at),
  conflicts: [one IN conflicts | one.name], delivered: [one IN deliveries WHERE one.status = 'delivered' | one.name],
  left_open: left_open}) AS found
"""
)

# Tools that thought little of what they gave, since when, by the index on how calls ended.
WEAK_TOOLS: LiteralString = (
    """
MATCH (call:ToolOutcome)
WHERE """
    + visible("call")
    + """ AND call.outcome_type = 'low_utility' AND call.occurred_at >= $since
WITH call.tool_id AS id, min(call.occurred_at) AS since
MATCH (tool:Tool {id: id}) WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active'
WITH id, since ORDER BY since, id LIMIT $most
RETURN collect({id: id, since: since}) AS found
"""
)

# What the owner of an inbox has made of these, and what they are asked about them.
SET_ASIDE: LiteralString = (
    """
MATCH (inbox:AttentionSession {owner_id: $owner, session_source: $source, session_key: $key})
WHERE """
    + visible("inbox")
    + """
RETURN COLLECT {
    MATCH (inbox)-[put:SET_ASIDE]->(r:Record) WHERE r.id IN $ids AND """
    + visible("r")
    + """
    RETURN {about: r.id, answer: put.answer, at: put.answered_at, until: put.until}
  } AS answers,
  COLLECT {
    MATCH (d:AttentionDirective {session_id: inbox.id}) WHERE d.subject IN $ids AND """
    + visible("d")
    + """
    RETURN {id: d.id, about: d.subject, moment: d.moment, state: d.directive_state, answered_at: d.answered_at,
      until: d.snoozed_until, expires_at: d.expires_at} ORDER BY d.raised_at DESC LIMIT 1000
  } AS directives
"""
)

INBOX: LiteralString = """
MATCH (inbox:AttentionSession {owner_id: $owner, session_source: $source, session_key: $key})
SET inbox._lock = true
REMOVE inbox._lock
RETURN labels(inbox) AS labels, properties(inbox) AS properties
"""

# The directives by which somebody is asked about a thing, locked.
ASKED_ABOUT: LiteralString = (
    """
MATCH (d:AttentionDirective {session_id: $session})
WHERE d.subject = $about AND d.directive_state IN ['open', 'snoozed'] AND d.expires_at > $now AND """
    + visible("d")
    + """
SET d._lock = true
REMOVE d._lock
RETURN labels(d) AS labels, properties(d) AS properties
"""
)

# Whether anything has happened since that may wait in an inbox. Across all users, and nothing of it is told. What a
# reader sees of the log may lack its last events; these are seen when the inbox is looked into anyhow.
HAPPENED: LiteralString = """
OPTIONAL MATCH (lock:Lock {name: 'events'})
WITH coalesce(lock.seq, 0) AS head
RETURN head, EXISTS {
    MATCH (e:Event)
    WHERE e.seq > coalesce($after, head) AND e.seq <= head
      AND (e.kind IN $kinds OR any(one IN coalesce(e.changed, []) WHERE one IN $reported))
  } AND EXISTS { MATCH (s:AttentionSession) WHERE s.due_at > $now } AS happened
"""

STIR: LiteralString = """
MATCH (inbox:AttentionSession)
WHERE inbox.due_at > $now AND inbox.session_source = $source AND inbox.session_key = $key
SET inbox.due_at = $now
RETURN count(inbox) AS stirred
"""
