"""Invocation directives: what was taught about meeting requests with tasks."""
