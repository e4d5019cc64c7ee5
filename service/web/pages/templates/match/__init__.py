"""Which template fits a request, and why not the others."""
