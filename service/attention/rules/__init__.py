"""Rules as data: what makes a moment, how it is told, what gates it. A domain adds its own as records."""
