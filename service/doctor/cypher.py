"""What the doctor asks. Labels and properties are parameters: the registry may grow."""

from typing import LiteralString

from service.graph.flows import hands_down, names, unplaced

# In the order of the ids, so that a graph of any size is read in batches; one row for a batch, because rows cost more
# than what is in them. Vectors stay where they are: their sizes say enough.
RECORDS_AFTER: LiteralString = """
MATCH (n:Record)
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT $size
RETURN collect({
  id: n.id,
  labels: labels(n),
  values: [key IN keys(n) WHERE NOT key STARTS WITH $vector_prefix OR key IN $plain | [key, n[key]]],
  vectors: [key IN keys(n) WHERE key STARTS WITH $vector_prefix AND NOT key IN $plain
    | [key, CASE WHEN valueType(n[key]) STARTS WITH 'LIST' THEN size(n[key]) END]],
  cards: COLLECT { MATCH (n)<-[:DESCRIBES]-(card:Card) RETURN card.text_hash },
  describes: COUNT { (n)-[:DESCRIBES|INVOKES|REPELS]->(:Record) }
}) AS records
"""

COUNT_RECORDS: LiteralString = """
MATCH (n:Record)
RETURN count(n) AS records
"""

RECORDS_WITHOUT_ID: LiteralString = """
MATCH (n:Record)
WHERE n.id IS NULL OR NOT n.id IS :: STRING OR n.id = ''
RETURN count(n) AS count, collect(elementId(n))[..5] AS samples
"""

LABELS_WITHOUT_RECORD: LiteralString = """
MATCH (n)
WHERE NOT n:Record AND any(label IN labels(n) WHERE label IN $labels)
RETURN labels(n) AS labels, count(n) AS count, collect(coalesce(toString(n.id), elementId(n)))[..5] AS samples
"""

DUPLICATES: LiteralString = """
MATCH (n)
WHERE $label IN labels(n)
WITH n, [property IN $properties | n[property]] AS key
WHERE all(value IN key WHERE value IS NOT NULL)
WITH key, count(n) AS copies, collect(coalesce(toString(n.id), elementId(n)))[0] AS first
WHERE copies > 1
RETURN count(key) AS count, collect(first)[..5] AS samples
"""

UNLISTED_AUDIENCES: LiteralString = """
MATCH (n:Record)
WHERE n.audience IS NOT NULL
WITH n.audience AS audience, count(n) AS count, collect(n.id)[..$most] AS samples
WHERE NOT EXISTS { (:Audience {audience: audience}) }
RETURN audience, count, samples
"""

MISSING_RECORDS: LiteralString = """
UNWIND $ids AS id
WITH id WHERE NOT EXISTS { (:Record {id: id}) }
RETURN id
"""

MISSING_MATTERS: LiteralString = """
UNWIND $ids AS id
WITH id WHERE NOT EXISTS { MATCH (matter:Record {id: id}) WHERE matter:Matter OR matter.erased_kind IS NOT NULL }
RETURN id
"""

# What a batch of retention did is about no record.
_ABOUT_NOTHING: LiteralString = """
MATCH (event:Event)
WHERE event.about IS NOT NULL AND coalesce(event.about_kind, '') <> 'Retention'
WITH event.about AS about, count(event) AS events, collect(event.event_id)[0] AS first
WHERE NOT EXISTS { (:Record {id: about}) }
  AND NOT EXISTS { (:Principal {id: about}) }
  AND NOT EXISTS { (:Key {id: about}) }
"""
DANGLING_EVENTS: LiteralString = (
    _ABOUT_NOTHING
    + """
RETURN coalesce(sum(events), 0) AS count, collect(first)[..5] AS samples
"""
)

# Versions follow one another without a gap; where reports change a record too, each of their events counts as one.
UNREACHABLE_VERSIONS: LiteralString = """
MATCH (former:Version)
WHERE NOT EXISTS { (:Record)-[:FORMER_LINK]->(former) } AND (
  COUNT { ()-[:PREVIOUS]->(former) } <> 1 OR NOT EXISTS {
    MATCH (later)-[:PREVIOUS]->(former)
    WHERE coalesce(later.record_id, later.id) = former.record_id
      AND (later:Record OR later:Version OR later:Principal)
      AND (later.version = former.version + 1
        OR split(former.record_id, '_')[0] IN $reported AND later.version > former.version
        OR former.version IS NULL AND later.version IS NULL)
  }
)
RETURN count(former) AS count, collect(coalesce(former.record_id, elementId(former)))[..5] AS samples
"""

MISSING_VERSIONS: LiteralString = """
MATCH (n:Record|Version)
WHERE n.version > 1 AND none(label IN labels(n) WHERE label IN $without_history)
  AND NOT split(coalesce(n.id, n.record_id), '_')[0] IN $reported
  AND NOT EXISTS { (n)-[:PREVIOUS]->(:Version) }
RETURN count(n) AS count, collect(coalesce(n.id, n.record_id, elementId(n)))[..5] AS samples
"""

RELATION_SHAPES: LiteralString = """
MATCH (tail:Record)-[r]->(head:Record)
RETURN type(r) AS type, labels(tail) AS tails, labels(head) AS heads,
  [key IN keys(r) | [key, valueType(r[key])]] AS properties, count(r) AS count
"""

RELATION_SAMPLES: LiteralString = """
MATCH (tail:Record)-[r]->(head:Record)
WHERE type(r) = $type AND labels(tail) = $tails AND labels(head) = $heads
  AND [key IN keys(r) | [key, valueType(r[key])]] = $properties
RETURN tail.id + ' -> ' + head.id AS sample
LIMIT 5
"""

LESS_PROTECTED: LiteralString = (
    """
CALL () {
  MATCH (derived:Record)-[r:$any($types.tail)]->(source:Record) WHERE """
    + hands_down("tail", "derived")
    + """ RETURN type(r) AS type, derived, source
  UNION ALL
  MATCH (derived:Record)<-[r:$any($types.head)]-(source:Record) WHERE """
    + hands_down("head", "source")
    + """ RETURN type(r) AS type, derived, source
  UNION ALL
  MATCH (derived:Record) WHERE derived.run_id IS NOT NULL
  MATCH (source:Record {id: derived.run_id}) WHERE source:Run
  RETURN 'run_id' AS type, derived, source
  UNION ALL
  MATCH (derived:Record)-[r]-(source:Record)
  WHERE """
    + names("derived")
    + """ AND NOT derived.audience STARTS WITH 'stub|'
  RETURN 'naming' AS type, derived, source
}
WITH type, derived, source
WHERE NOT ("""
    + unplaced("source")
    + """) AND ($ranks[derived.data_class] < $ranks[source.data_class]
  OR any(matter IN source.matter_ids WHERE NOT matter IN derived.matter_ids))
RETURN type, count(derived) AS count, collect(derived.id)[..$most] AS samples
"""
)

# Mending. What is changed is locked before it is read, as by commands.
RECORDS_TO_MEND: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
SET n._lock = true
REMOVE n._lock
RETURN labels(n) AS labels, properties(n) AS properties,
  head(COLLECT { MATCH (e:Event {about: n.id}) RETURN e.principal_id ORDER BY e.at LIMIT 1 }) AS author
"""

RELABEL: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
REMOVE n:$(row.remove)
SET n:$(row.add)
"""

ACCESS_OF: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n.id AS id, n.data_class AS data_class, n.matter_ids AS matter_ids
"""

REMOVE_ORPHANS: LiteralString = """
UNWIND $ids AS id
MATCH (card:Card|Phrase {id: id}) WHERE NOT EXISTS { (card)-[:DESCRIBES|INVOKES|REPELS]->(:Record) }
DETACH DELETE card
"""

# The card with the record's own id stays, with whatever is known of it; one that is missing is made.
PUT_CARDS: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.record})
CALL (n, row) {
  MATCH (n)<-[:DESCRIBES]-(other:Card) WHERE other.id <> row.card.id
  DETACH DELETE other
}
MERGE (card:Record {id: row.card.id})
ON CREATE SET card = row.card, card:$(row.labels)
ON MATCH SET card += row.shown
MERGE (card)-[:DESCRIBES]->(n)
"""

FORGET_VECTORS: LiteralString = """
UNWIND $ids AS id
MATCH (card:Card|Phrase {id: id})
SET card.vector_due = true
REMOVE card.embedded_hash, card.second_hash, card[$property], card[$second]
"""

ABOUT_NOTHING: LiteralString = _ABOUT_NOTHING + "RETURN collect(about) AS abouts"

REMOVE_EVENTS: LiteralString = """
UNWIND $abouts AS about
MATCH (event:Event {about: about})
WHERE coalesce(event.about_kind, '') <> 'Retention'
WITH event, coalesce(event.kind, 'an event') + ' of ' + about AS told
DETACH DELETE event
RETURN collect(told) AS told
"""
