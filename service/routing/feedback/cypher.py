"""What is asked of the graph about suggestions, and what people made of them."""

from typing import LiteralString

from service.graph.visibility import visible

# What holds for a class: its tallies, what the asker's key has shown in a day, and whether the newest profile lets what
# was learned bear at all. Each by an index, and none longer than what is told of it.
STATE: LiteralString = (
    """
CALL () {
  MATCH (tally:SuggestionTally {context_class: $context_class})
  WHERE """
    + visible("tally")
    + """ AND tally.lifecycle_state = 'active'
  RETURN collect(tally {.*}) AS tallies
}
CALL () {
  CALL () {
    MATCH (shown:InvocationTrace {recorded_by: $principal})
    WHERE shown.suggested_at > $since AND shown.suggested_at <= $at
    RETURN shown, shown.context_class AS context_class ORDER BY shown.suggested_at DESC LIMIT $most
    UNION
    MATCH (shown:SuggestionFeedback {recorded_by: $principal})
    WHERE shown.suggested_at > $since AND shown.suggested_at <= $at
    RETURN shown, shown.context_class_key AS context_class ORDER BY shown.suggested_at DESC LIMIT $most
  }
  WITH shown, context_class WHERE """
    + visible("shown")
    + """
  RETURN collect({
    request: shown.user_request_ref, context_class: context_class, traced: shown:InvocationTrace
  }) AS shown
}
CALL () {
  MATCH (profile:AgentProfile {agent_id: $agent})
  WHERE """
    + visible("profile")
    + """ AND profile.lifecycle_state = 'active'
  RETURN profile ORDER BY profile.updated_at DESC, profile.id LIMIT 1
  UNION
  WITH null AS profile RETURN profile
}
WITH tallies, shown, collect(profile) AS profiles
RETURN tallies, shown, coalesce(head(profiles).allow_learning_overlay, true) AS learned
"""
)

# Whether the same response to a request was counted already within a day of it, told as a trace or as feedback.
TOLD: LiteralString = (
    """
CALL () {
  MATCH (told:InvocationTrace {user_request_ref: $request})
  RETURN told, told.context_class AS context_class, told.responded_at AS at
  UNION
  MATCH (told:SuggestionFeedback {user_request_ref: $request})
  RETURN told, told.context_class_key AS context_class, told.given_at AS at
}
WITH told, context_class, at WHERE """
    + visible("told")
    + """ AND told.verdict = $verdict AND told.counted AND context_class = $context_class
  AND at > $after AND at < $before
RETURN count(told) > 0 AS counted
"""
)

# The lock comes before the look.
TALLY: LiteralString = """
MATCH (tally:SuggestionTally {context_class: $context_class})
WHERE tally.audience = $audience AND tally.lifecycle_state = 'active'
WITH tally ORDER BY tally.id LIMIT 1
SET tally._lock = true
REMOVE tally._lock
RETURN labels(tally) AS labels, properties(tally) AS properties
"""

TALLIES: LiteralString = (
    """
MATCH (tally:SuggestionTally {context_class: $context_class})
WHERE """
    + visible("tally")
    + """ AND tally.lifecycle_state = 'active'
WITH tally ORDER BY tally.id
SET tally._lock = true
REMOVE tally._lock
RETURN labels(tally) AS labels, properties(tally) AS properties
"""
)
