"""n8n: its exports become templates, and templates that came from there are given back as they came."""
