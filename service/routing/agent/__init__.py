"""The Task Agent: its entrypoints, how it runs, what works now."""
