"""What was drawn from a design, a run, an assessment or a change: one answer over its relations."""
