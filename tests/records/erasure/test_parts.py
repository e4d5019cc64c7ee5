"""The registry says of every relation whether it makes a part, and statements know what it says."""

from graph_schema.model.parts import APART, LAST_OF, OWNERS, PART_OF, QUOTED, QUOTED_WHOLE, owned
from graph_schema.registry import REGISTRY
from service.graph.parts.cypher import OWNED


def test_every_relation_that_hands_down_access_makes_a_part_or_says_why_not() -> None:
    naming = {label for label, _ in owned(REGISTRY)}
    for one in REGISTRY.relations:
        derived = one.heads if one.inherits == "head" else one.tails
        said = one.type in PART_OF or one.type in LAST_OF or one.type in APART
        assert one.inherits is None or said or {*derived} <= naming, one.type


def test_the_tables_name_relations_that_are_there() -> None:
    types = {one.type for one in REGISTRY.relations}
    assert {*PART_OF, *LAST_OF, *APART, *QUOTED, *QUOTED_WHOLE} <= types
    assert not {*PART_OF} & {*LAST_OF}


def test_statements_find_all_that_names_its_run() -> None:
    assert {*OWNED} == {*owned(REGISTRY)}
    assert all(REGISTRY.types[label].fields[field].indexed for label, field in OWNED)
    naming = {name for kind in REGISTRY.types.values() for name in kind.fields if name.endswith("run_id")}
    # What a runtime calls it, a run of the evaluation suite, and what a share tells of, which is no part of it.
    assert naming == {*OWNERS, "runtime_run_id", "baseline_run_id", "shared_run_id"}
