"""Who may use the service, and their keys."""
