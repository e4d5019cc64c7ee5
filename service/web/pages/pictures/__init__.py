"""Pictures as numbers: where boxes stand and lines run. Templates draw them, so that no text of a record is markup."""
