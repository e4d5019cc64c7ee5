"""What matching reads. A statement gives one row, and nothing of a record is read before it has passed the firewall.

Parameters that they share: `audiences` (the firewall), `kind` and `kinds` (of asset), `model`, `property` and
`text_property` (where vectors are), `vector`, `second`, `second_property` and `second_vector` (the same of the second
model, null where there is none), and in the map `asked` the request's `stems`, `entity_ids` (what it is about),
`directives` (how those are found) and `taught` (how words begin that those may have). What differs in size or
type from request to request is in a map because Neo4j plans a statement anew for each size and type of its other
parameters, and planning these takes a second.
"""

from typing import LiteralString

from service.graph.visibility import called, visible

# All that scores are made of, for every card in `cards`. The card's text comes along only where its words have to be
# counted anew: where the vectors are behind, and for kinds that have no phrases, whose cards have no `members_hash`.
# What hangs on an asset is gathered in one pattern: each subquery costs something for every candidate, and most
# candidates have little but phrases. `beyond` is what its blueprint, graph, group and goals need, do and are about, and
# what a directive is limited to; of what is put away nothing counts. Ids and audiences come along so that whoever keeps
# the answer knows whose access it has.
_FACTS: LiteralString = (
    """
CALL (cards) {
  UNWIND cards AS card
  WITH DISTINCT card WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds
  MATCH (card)-[:DESCRIBES]->(asset:Record)
  WHERE """
    + visible("asset")
    + """
  WITH card, asset, coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model
    AND (card.members_hash IS NULL OR card.prototype_hash = card.members_hash AND card.prototype_model = $model), false)
    AS current
  WITH card, asset, current, CASE WHEN current THEN coalesce(card.word_stems, []) ELSE [] END AS words,
    CASE WHEN NOT current OR card.members_hash IS NULL THEN card.text END AS text
  RETURN collect(asset {
    .id, .name, .version, .lifecycle_state, .task_type, .task_types, .compatible_task_types, .incompatible_task_types,
    .expected_inputs, .expected_outputs, .expected_input_kinds, .expected_output_kinds, .default_output_archetypes,
    .connector_requirements, .side_effect_classes, .possible_side_effect_classes, .memory_modes, .matter_ids,
    .active_because, .imported_hash, .document_archetypes, .domain_tags,
    kind: card.describes_kind, author_id: card.author_id, current: current, text: text,
    members: card.members, cohesion: card.cohesion, steps: asset.step_names[..12],
    words: [stem IN $asked.stems WHERE stem IN words],
    similarity: CASE WHEN current THEN vector.similarity.cosine(card[$property], $vector) END,
    second: CASE WHEN current AND coalesce(card.members, 1) = 1 AND card.second_hash = card.text_hash
      AND card.second_model = $second THEN vector.similarity.cosine(card[$second_property], $second_vector) END,
    own: CASE WHEN current AND card.members > 1 THEN vector.similarity.cosine(card[$text_property], $vector) END,
    runs: CASE WHEN COUNT { (asset)<-[:USED_TEMPLATE|INSTANTIATES|USED_PRESET]-() } > 0 THEN COLLECT {
      CALL (asset) {
        MATCH (asset)<-[:USED_TEMPLATE]-(run:Run) RETURN run
        UNION
        MATCH (asset)<-[:INSTANTIATES]-(task:Task)<-[:RUN_OF]-(run:Run) WHERE """
    + visible("task")
    + """ RETURN run
        UNION
        MATCH (asset)<-[:USED_PRESET]-(:Activation)<-[:ACTIVATED]-(run:Run) RETURN run
      }
      WITH run WHERE """
    + visible("run")
    + """ AND run.started_at IS NOT NULL
      WITH run ORDER BY run.started_at DESC, run.id LIMIT $asked.last_runs
      RETURN run {.id, .audience, .started_at, .status, assessed: head(COLLECT {
        MATCH (run)<-[:ASSESSES]-(a:Assessment {assessment_kind: 'run'})
        WHERE a.quality_score IS NOT NULL AND """
    + visible("a")
    + """
        RETURN a {.id, .audience, .quality_score} ORDER BY a.assessed_at DESC, a.id LIMIT 1
      })} ORDER BY run.started_at DESC, run.id
    } ELSE [] END,
    links: COLLECT {
      MATCH (asset)-[link:INVOKES|REPELS|STEERS|APPLIES_TO|REQUIRES|HAS_CONTRACT|HAS_SIDE_EFFECT|SCOPED_TO|SERVES_GOAL
        |IMPLEMENTS_GOAL|SUPPORTS_GOAL|EXPRESSES_GOAL|HAS_BLUEPRINT|HAS_GRAPH|IN_GROUP]-(other:Record)
      WHERE """
    + visible("other")
    + """
      RETURN CASE
        WHEN type(link) = 'INVOKES' THEN other {
          .text, link: 'INVOKES',
          similarity: CASE WHEN current THEN vector.similarity.cosine(other[$property], $vector) END
        }
        WHEN type(link) = 'REPELS' THEN other {
          .text, link: 'REPELS',
          similarity: CASE WHEN other.embedded_hash = other.text_hash AND other.embedding_model = $model
            THEN vector.similarity.cosine(other[$property], $vector) END
        }
        ELSE other {
          .id, .audience, .name, .directive_kind, .phrase_or_condition, .confidence, .lifecycle_state, .statement,
          .task_types, .side, .kind, .archetype, .side_effect_class,
          state: other[$state], link: type(link), polarity: link.polarity,
          limited: type(link) = 'STEERS' AND EXISTS { (other)-[:SCOPED_TO]->() },
          meant: type(link) = 'STEERS' AND EXISTS {
            MATCH (other)<-[:INVOKES]-(said:Phrase)
            WHERE """
    + visible("said")
    + """ AND said.embedded_hash = said.text_hash AND said.embedding_model = $model
              AND vector.similarity.cosine(said[$property], $vector) >= $asked.means
          },
          siblings: CASE WHEN type(link) = 'IN_GROUP' AND NOT other.lifecycle_state IN $hidden_states THEN COLLECT {
            MATCH (other)<-[:IN_GROUP]-(sibling:Template)
            WHERE """
    + visible("sibling")
    + """ AND sibling <> asset AND NOT sibling.lifecycle_state IN $hidden_states
              AND sibling.lifecycle_state <> 'draft'
            RETURN sibling {.id, .audience, .name} ORDER BY sibling.name, sibling.id LIMIT 20
          } END,
          beyond: CASE WHEN NOT other.lifecycle_state IN $hidden_states AND (type(link) = 'STEERS'
            OR startNode(link) = asset AND type(link) IN ['HAS_BLUEPRINT', 'HAS_GRAPH', 'IN_GROUP', 'SERVES_GOAL',
            'IMPLEMENTS_GOAL', 'SUPPORTS_GOAL', 'EXPRESSES_GOAL']) THEN COLLECT {
              CALL (other) {
                MATCH (other)-[further:REQUIRES|HAS_CONTRACT|HAS_SIDE_EFFECT|CONCERNS|SCOPED_TO]->(last:Record)
                RETURN last, type(further) AS via
                UNION
                MATCH (other)-[:HAS_STEP]->(step:StepIntent)-[:REQUIRES]->(last:Record)
                WHERE """
    + visible("step")
    + """
                RETURN last, 'REQUIRES' AS via
                UNION
                MATCH (other)-[:HAS_MODULE]->(module:Module)-[:REQUIRES]->(last:Record)
                WHERE """
    + visible("module")
    + """ AND NOT coalesce(module.disabled, false)
                RETURN last, 'REQUIRES' AS via
                UNION
                MATCH (other)-[:HAS_MODULE]->(module:Module)-[:USES_PRESET]->(preset:Preset)-[:REQUIRES]->(last:Record)
                WHERE """
    + visible("module")
    + """ AND """
    + visible("preset")
    + """
                  AND NOT coalesce(module.disabled, false)
                UNWIND [[last, 'REQUIRES'], [preset, 'USES_PRESET']] AS read
                RETURN read[0] AS last, read[1] AS via
                UNION
                MATCH (other)-[:HAS_MODULE]->(module:Module)-[:OF_TYPE]->(last:ModuleType)
                WHERE """
    + visible("module")
    + """ AND size(last.side_effect_classes) > 0
                  AND NOT coalesce(module.disabled, false)
                RETURN last, 'OF_TYPE' AS via
              }
              WITH last, via WHERE """
    + visible("last")
    + """
              RETURN last {
                .id, .audience, .name, .side, .kind, .archetype, .side_effect_class, .side_effect_classes,
                state: last[$state], link: via
              } ORDER BY last.id, via
            } END
        } END
      ORDER BY other.id
    }
  }) AS found
}
"""
)

# Cards that hang on what the request is about. Of a library that is taken whole they are there anyway.
_LINKED: LiteralString = (
    """
CALL (library) {
  UNWIND CASE WHEN size(library) > $few THEN $asked.entity_ids ELSE [] END AS id
  MATCH (thing:Record {id: id})
  WHERE """
    + visible("thing")
    + """
  CALL (thing) {
    MATCH (thing)<-[:SCOPED_TO|SERVES_GOAL|IMPLEMENTS_GOAL|SUPPORTS_GOAL|EXPRESSES_GOAL]-(asset:Record)
    RETURN asset
    UNION
    MATCH (thing)-[:PREFERS]->(asset:Record)
    RETURN asset
    UNION
    MATCH (thing)<-[:CONCERNS]-(goal:Goal)<-[:SERVES_GOAL|IMPLEMENTS_GOAL|SUPPORTS_GOAL|EXPRESSES_GOAL]-(asset:Record)
    WHERE """
    + visible("goal")
    + """
    RETURN asset
  }
  WITH DISTINCT asset WHERE """
    + visible("asset")
    + """
  MATCH (asset)<-[:DESCRIBES]-(card:Card {describes_kind: $kind})
  WHERE """
    + visible("card")
    + """
  WITH card ORDER BY card.id LIMIT $want
  RETURN collect(card) AS linked
}
"""
)

# Cards of what the directives in `taught` steer.
_STEERED: LiteralString = (
    """
CALL (taught) {
  UNWIND taught AS directive
  MATCH (directive)-[:STEERS]->(asset:Record)<-[:DESCRIBES]-(card:Card {describes_kind: $kind})
  WHERE """
    + visible("directive")
    + """ AND directive.lifecycle_state = 'active'
    AND """
    + visible("asset")
    + """ AND """
    + visible("card")
    + """
  RETURN collect(DISTINCT card) AS steered
}
"""
)

# Whether any visible asset of the kind waits for a vector, whatever is weighed: by index, and nothing at rest.
_BEHIND: LiteralString = (
    """
  EXISTS { MATCH (due:Card) WHERE due.vector_due = true AND due.describes_kind = $kind AND """
    + visible("due")
    + """ }
  OR EXISTS {
    MATCH (due:Card) WHERE due.prototype_due = true AND due.describes_kind = $kind AND """
    + visible("due")
    + """
  } AS behind
"""
)

# A small library is taken whole. Of a larger one the two indexes, what the request is about and what was taught
# propose; `want` visible cards of each index are kept, and a few that are put away, so that their veto can be told.
# The full-text index is waited for only while a card is marked as changed, or just after something was taught: it
# would be 2.5 of 12 ms. Whoever takes the mark away waits for it. How many an index proposed before the firewall tells
# the caller whether it had more to give.
CANDIDATES: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (card:Card {describes_kind: $kind, audience: audience})
  WITH card LIMIT $few + 1
  RETURN collect(card) AS library
}
CALL (library) {
  WITH library WHERE size(library) > $few
  CALL db.index.vector.queryNodes($vector_index, $depth, $vector) YIELD node
  RETURN collect(node) AS near
}
CALL (library) {
  WITH library WHERE size(library) > $few
    AND (EXISTS { MATCH (c:Card) WHERE c.vector_due = true } OR EXISTS { MATCH (c:Card) WHERE c.prototype_due = true }
      OR EXISTS { MATCH (d:Directive) WHERE d.updated_at > $asked.recent })
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  RETURN count(*) AS awaited
}
CALL (library) {
  WITH library WHERE size(library) > $few
  CALL db.index.fulltext.queryNodes($text_index, $lucene, {limit: $depth}) YIELD node
  RETURN collect(node) AS worded
}
CALL (library) {
  WITH library WHERE size(library) > $few AND $asked.directives IS NOT NULL
  CALL db.index.fulltext.queryNodes($text_index, $asked.directives, {limit: $depth}) YIELD node
  RETURN collect(node) AS taught
}
"""
    + _LINKED
    + _STEERED
    + """
WITH size(library) AS size, library, linked, steered, size(near) AS near_proposed, size(worded) AS worded_proposed,
  size(taught) AS taught_proposed, size([one IN taught WHERE """
    + visible("one")
    + """]) AS taught_visible,
  [card IN near WHERE """
    + visible("card")
    + """ AND card.describes_kind = $kind] AS near,
  [card IN worded WHERE """
    + visible("card")
    + """ AND card.describes_kind = $kind] AS worded
WITH size, near_proposed, worded_proposed, taught_proposed, taught_visible,
  size(near) AS near_visible, size(worded) AS worded_visible,
  CASE WHEN size <= $few THEN library ELSE
    [card IN near WHERE NOT card.lifecycle_state IN $hidden_states][..$want]
    + [card IN near WHERE card.lifecycle_state IN $hidden_states][..$want_hidden]
    + [card IN worded WHERE NOT card.lifecycle_state IN $hidden_states][..$want_worded] + linked + steered END AS cards
"""
    + _FACTS
    + """
RETURN size, near_proposed, worded_proposed, taught_proposed, near_visible, worded_visible, taught_visible, found,
"""
    + _BEHIND
)

# The same from every visible asset of the kind and every visible directive, for a viewer of whose library the indexes
# know too much that is hidden, and for a graph without indexes. What waits for a vector is found by words.
SCAN: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (card:Card {describes_kind: $kind, audience: audience})
  RETURN collect(card) AS library
}
CALL () {
  UNWIND $audiences AS audience
  MATCH (directive:Directive {audience: audience})
  WHERE $asked.directives IS NOT NULL
    AND any(word IN $asked.taught WHERE toLower(directive.phrase_or_condition) CONTAINS word)
  RETURN collect(directive) AS taught
}
"""
    + _LINKED
    + _STEERED
    + """
CALL (library) {
  UNWIND library AS card
  WITH card, card.lifecycle_state IN $hidden_states AS hidden
  WHERE card.embedded_hash = card.text_hash AND card.embedding_model = $model
  WITH card, hidden ORDER BY vector.similarity.cosine(card[$property], $vector) DESC, card.id
  WITH collect(CASE WHEN NOT hidden THEN card END) AS used, collect(CASE WHEN hidden THEN card END) AS put_away
  RETURN used[..$want] + put_away[..$want_hidden] AS near
}
CALL (library) {
  UNWIND library AS card
  WITH card, size([word IN $asked.stems WHERE word IN card.word_stems OR toLower(card.text) CONTAINS word]) AS shared
  WHERE shared > 0 AND NOT card.lifecycle_state IN $hidden_states
  WITH card ORDER BY shared DESC, card.id LIMIT $want_worded
  RETURN collect(card) AS worded
}
WITH CASE WHEN size(library) <= $few THEN library ELSE near + worded + linked + steered END AS cards
"""
    + _FACTS
    + """
RETURN found,
"""
    + _BEHIND
)

# Certain assets, whatever an index would say: by id, or by what an outside system calls them.
NAMED: LiteralString = (
    """
CALL () {
  UNWIND $refs AS ref
  CALL (ref) {
    MATCH (asset:Record {id: ref.id}) RETURN asset
    UNION
    """
    + called("asset", "ref.source", "ref.key")
    + """
  }
  MATCH (asset)<-[:DESCRIBES]-(card:Card)
  WHERE """
    + visible("asset")
    + """
  RETURN collect(card) AS cards
}
"""
    + _FACTS
    + """
RETURN found
"""
)

# Ids of what is known by its outside key.
IDS: LiteralString = (
    """
UNWIND $refs AS ref
MATCH (thing:Record {source: ref.source, source_key: ref.key})
WHERE thing.realm IS NOT NULL AND """
    + visible("thing")
    + """
WITH ref, thing ORDER BY thing.realm DESC
RETURN collect([ref.source, ref.key, thing.id]) AS found
"""
)

KEPT: LiteralString = (
    """
MATCH (match:MatchDecision:Record {id: $id})
WHERE """
    + visible("match")
    + """
RETURN match {.id, .asset_kind, .request_details, .outcome, .confidence, .ranker, .embedding_model, .matched_at,
  .recommended_action, .explanation, .answer} AS kept,
  COLLECT {
    MATCH (match)-[weighed:WEIGHED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN weighed {.facts, id: n.id}
  } AS weighed,
  EXISTS { MATCH (match)-[:WEIGHED]->(n:Record) WHERE NOT """
    + visible("n")
    + """ } AS withheld
"""
)

COUNT: LiteralString = """
MATCH (n:Record)
RETURN count(n) AS records
"""

# Only in a graph that was found empty: what the evaluation put there.
EMPTY: LiteralString = """
MATCH (n)
WHERE n:Record OR (n:Event OR n:Command) AND n.principal_id = $principal
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS
"""

# The words that a request may use for side effects and capabilities: what is said of anything that the viewer may see.
KNOWN_WORDS: LiteralString = (
    """
CALL () {
  MATCH (n:Template|ModuleType|Capability) WHERE """
    + visible("n")
    + """ AND size(n.side_effect_classes) > 0
  UNWIND n.side_effect_classes + coalesce(n.possible_side_effect_classes, []) AS word
  RETURN DISTINCT 'side_effects' AS kind, word
  UNION
  MATCH (n:SideEffect) WHERE """
    + visible("n")
    + """
  RETURN DISTINCT 'side_effects' AS kind, n.side_effect_class AS word
  UNION
  MATCH (n:Capability) WHERE """
    + visible("n")
    + """
  UNWIND [n.name, n.source_key] AS word
  WITH word WHERE word IS NOT NULL
  RETURN DISTINCT 'capabilities' AS kind, word
  UNION
  MATCH (n:Template) WHERE """
    + visible("n")
    + """ AND size(n.connector_requirements) > 0
  UNWIND n.connector_requirements AS word
  RETURN DISTINCT 'capabilities' AS kind, word
}
RETURN kind, collect(word) AS words
"""
)
