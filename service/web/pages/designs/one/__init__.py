"""A design session: a task as it is proposed."""
