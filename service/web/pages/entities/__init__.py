"""Everything about one entity, at a glance."""
