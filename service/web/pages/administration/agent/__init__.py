"""How the Task Agent runs, and how far it goes by itself."""
