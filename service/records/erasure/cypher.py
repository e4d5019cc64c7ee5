"""Statements of erasure: what goes, what repeats it elsewhere, and what is left."""

from typing import LiteralString

from service.graph.parts.cypher import RUN_HELD
from service.graph.visibility import visible

# What belongs to a matter alone.
OF_MATTER: LiteralString = """
MATCH (n:Matter:Record {id: $id})
MATCH (one:Record)
WHERE n.id IN one.matter_ids AND all(m IN one.matter_ids WHERE m = n.id)
  AND NOT one:Tombstone AND NOT one:Card AND NOT one:Phrase
RETURN collect(one.id) AS ids
"""

# An activation was steered, too, and quotes nothing.
QUOTING: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})<-[link:$any($types)]-(quoting:Record)
WHERE type(link) <> 'LEARNED_FROM' OR quoting:InvocationDirective AND quoting.lifecycle_state = 'candidate'
WITH DISTINCT quoting WHERE NOT quoting:Tombstone AND NOT quoting:Activation
RETURN collect(quoting.id) AS ids
"""

# What is known by its outside key alone, and now by nothing that stays.
STRANDED: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})--(stub:Record)
WITH DISTINCT stub WHERE stub.stub AND NOT stub.id IN $ids AND NOT EXISTS {
  MATCH (stub)--(other:Record)
  WHERE NOT other.id IN $ids AND NOT other:Card AND NOT other:Phrase AND NOT other:Extraction AND NOT other:Tombstone
}
RETURN collect(stub.id) AS ids
"""

FACTS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n.id AS id, head([label IN labels(n) WHERE label IN $labels]) AS kind, n.source AS source, n.source_key AS key,
  EXISTS { MATCH (n)-[link]-(other:Record) WHERE type(link) IN $kept AND NOT other.id IN $ids } AS pointed_at
"""

TOLD: LiteralString = """
UNWIND $runs AS run
MATCH (report:Report {run_id: run}) WHERE report.event_id IS NOT NULL
RETURN collect(report.event_id + ' ' + left(report.hash, 12)) AS told
"""

# Runs that stay, and count what goes.
COUNTING: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE n:Activation AND NOT n.run_id IN $ids
RETURN collect(DISTINCT n.run_id) AS ids
"""

RECOUNT: LiteralString = """
UNWIND $ids AS id
MATCH (run:Record {id: id}) WHERE run:Run
WITH run, COLLECT {
  MATCH (step:Activation {run_id: run.id}) RETURN step {.status, .stub, .cost_usd, .module_key}
} AS steps
WITH run, steps,
  reduce(spent = 0, one IN steps | spent + toInteger(round(coalesce(one.cost_usd, 0) * 1000000))) AS spent
SET run.activation_count = size(steps),
  run.running_count = size([one IN steps WHERE one.status = 'running']),
  run.waiting_count = size([one IN steps WHERE one.status = 'waiting']),
  run.error_count = size([one IN steps WHERE one.status = 'error']),
  run.success_count = size([one IN steps WHERE one.status = 'success']),
  run.skipped_count = size([one IN steps WHERE one.status = 'skipped']),
  run.cancelled_count = size([one IN steps WHERE one.status = 'cancelled']),
  run.named_count = size([one IN steps WHERE one.stub]),
  run.module_count = COUNT { UNWIND steps AS one RETURN DISTINCT one.module_key },
  run.costed_count = size([one IN steps WHERE one.cost_usd IS NOT NULL]),
  run.spent_micros = spent,
  run.cost_usd = coalesce(
    run.total_cost_usd,
    CASE WHEN spent > 0 OR run.outside_micros IS NOT NULL THEN (spent + coalesce(run.outside_micros, 0)) / 1000000.0 END
  )
"""

# What stays and may hold something that the erased runs told, with its former states.
NEIGHBOURS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})--(other:Record)
WITH DISTINCT other WHERE other.stamps IS NOT NULL AND NOT other.id IN $ids
CALL (other) {
  MATCH (state:Record {id: other.id}) RETURN state
  UNION
  MATCH (other)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(state:Version) RETURN state
}
RETURN elementId(state) AS element, labels(other) AS labels, properties(state) AS properties
"""

REPLACE: LiteralString = """
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
SET n = row.properties
"""

# What stays, and may repeat in a sentence what an erased record said: of a packet, when the record came in at a port
# or is one of those that a module's basis is made of.
REPEATING: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})<-[link:$any($types)]-(quoting:Record)
WHERE NOT quoting.id IN $ids AND NOT quoting:Tombstone
  AND (type(link) <> 'INJECTED' OR link.via = 'module_input_resolved'
    OR any(label IN labels(n) WHERE label IN $basis))
RETURN collect(DISTINCT quoting.id) AS ids
"""

# Triggers that stay, of runs that it was bound to: where it sent, brought or is named by what began them.
NAMING: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})<-[:BINDS]-(scope:ScopeEnvelope)
MATCH (trigger:Trigger {run_id: scope.run_id})
WITH DISTINCT trigger, n,
  toLower(reduce(said = '', one IN [trigger.payload_summary, trigger.thread_subject, trigger.sender]
    + coalesce(trigger.recipients, []) | said + ' ' + coalesce(one, ''))) AS said
WHERE NOT trigger.id IN $ids
  AND any(one IN [n.name] + coalesce(n.aliases, []) + coalesce(n.keys, []) WHERE said CONTAINS toLower(one))
RETURN collect(DISTINCT trigger.id) AS ids
"""

# Packets that stay, and tell of it beside other records: that they apply to it, say, or that it forbids them.
TELLING: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)<-[:INJECTED|EXCLUDED]-(packet:ContextPacket) RETURN packet
  UNION
  MATCH (n)<-[:APPLIES_TO]-(:Record)<-[:INJECTED|EXCLUDED]-(packet:ContextPacket) RETURN packet
}
MATCH (packet)-[link:INJECTED|EXCLUDED]->(other:Record)
WHERE other <> n AND NOT packet.id IN $ids
  AND (link.explanation CONTAINS '“' + n.name + '”' OR link.facts CONTAINS '"' + n.name + '"')
"""

TELLING_PACKETS: LiteralString = TELLING + "RETURN collect(DISTINCT packet.id) AS ids"

BLANK_TELLING: LiteralString = TELLING + "SET link.explanation = $erased, link.facts = null"

# Whom a message was from and to is told by a trigger in a word, where it is them that go.
BLANK_PARTIES: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)<-[:CAME_FROM]-(trigger:Trigger) RETURN trigger
  UNION
  MATCH (n)<-[:BINDS]-(scope:ScopeEnvelope)
  MATCH (trigger:Trigger {run_id: scope.run_id}) RETURN trigger
}
WITH trigger, [one IN [n.name] + coalesce(n.aliases, []) + coalesce(n.keys, []) | toLower(one)] AS called
SET trigger.sender = CASE WHEN any(one IN called WHERE toLower(trigger.sender) CONTAINS one) THEN null
    ELSE trigger.sender END,
  trigger.recipients = [to IN coalesce(trigger.recipients, []) WHERE none(one IN called WHERE toLower(to) CONTAINS one)]
"""

# What a module was given to read of a trigger is made of its words.
BLANK_GIVEN: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})<-[link:INJECTED|EXCLUDED]-(:ContextPacket)
WHERE n:Trigger
SET link += $blank[type(link)]
"""

# Runs under a hold that were given any of these, or have it in what they were given: their packets stay as they are.
QUOTED_IN_HELD: LiteralString = (
    """
CALL () {
  UNWIND $ids AS id
  MATCH (n:Record {id: id})<-[:$any($types)]-(quoting:Record)
  WHERE NOT quoting.id IN $ids AND NOT quoting:Tombstone
  RETURN quoting
  UNION
  UNWIND $repeating AS id
  MATCH (quoting:Record {id: id}) RETURN quoting
}
WITH DISTINCT quoting.run_id AS run
MATCH (r:Record {id: run})
"""
    + RUN_HELD
    + """
WITH r WHERE held
RETURN r.id AS id, """
    + visible("r")
    + """ AS visible
"""
)

# A set of documents is given with a line for each, that names it by its id.
BLANK_SETS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Entity:Record {id: id})
CALL (n) {
  MATCH (n)-[:PART_OF*1..3]->(whole:Entity) RETURN whole
  UNION
  MATCH (n)-[:FORMER_LINK]->(former:Version {link_type: 'PART_OF'})
  MATCH (whole:Entity:Record {id: former.link_head}) RETURN whole
}
MATCH (whole)<-[link:INJECTED|EXCLUDED]-(:ContextPacket)
WHERE link.text CONTAINS id OR link.facts CONTAINS id
SET link += $blank[type(link)]
"""

BLANK_QUOTES: LiteralString = """
UNWIND $ids AS id
MATCH (quoting:Record {id: id})
WITH quoting, head([label IN labels(quoting) WHERE label IN $labels]) AS kind
CALL (quoting, kind) {
  MATCH (quoting)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(former:Version)
  SET former += $blank[kind]
}
CALL (quoting) {
  MATCH (e:Event {about: quoting.id})
  MATCH (c:Command {principal_id: e.principal_id, command_id: e.command_id})
  SET c.result = $erased_result
}
SET quoting += $blank[kind]
"""

BLANK_LINKS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})-[link]-(:Record) WHERE type(link) IN $kept
SET link += $blank[type(link)]
"""

CUT_LINKS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})-[link]-(:Record) WHERE NOT type(link) IN $kept
DELETE link
"""

BLANK_FORMER_LINKS: LiteralString = """
UNWIND $ids AS id
MATCH (former:Version {link_head: id})
SET former = former {.record_id, .link_type, .link_head, .replaced_at}
"""

# Former states, cards, phrases, events, the first results of commands, and what was reported.
FORGET: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (n)-[:FORMER_LINK]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (about:Card|Phrase)-[:DESCRIBES|INVOKES|REPELS]->(n) DETACH DELETE about
}
CALL (id) {
  MATCH (e:Event {about: id})
  OPTIONAL MATCH (c:Command {principal_id: e.principal_id, command_id: e.command_id})
  SET c.result = $erased_result
  DETACH DELETE e
}
CALL (id) {
  MATCH (report:Report {run_id: id}) WHERE report.event_id IS NOT NULL DELETE report
}
"""

DELETE: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
DETACH DELETE n
"""

# A tombstone keeps the id, the access, a hash of the outside key and the links that tell what happened.
ENTOMB: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
WITH n, row, labels(n) AS former, coalesce(n.stub, false) AND n.run_id IS NULL AND NOT n:Run AS unplaced,
  n {.id, .created_at, .data_class, .matter_ids, .own_data_class, .own_matter_ids, .audience, .version,
    .reporters} AS kept
REMOVE n:$(former)
SET n:Tombstone:Record
SET n = kept {.*, name: 'Erased ' + row.kind, lifecycle_state: 'archived', legal_hold: false, stub: unplaced,
  schema_version: 1, version: kept.version + 1, erased_kind: row.kind, erased_at: $at, updated_at: $at,
  reason: $reason, key_hash: row.key_hash}
"""
