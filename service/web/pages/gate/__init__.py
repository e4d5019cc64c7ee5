"""One gate: what is asked, what has been made by then, and a decision."""
