"""The command center: what runs, what waits for somebody, what does not work as it should."""
