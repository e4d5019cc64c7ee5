"""What came before a record and what came after it, as a picture."""
