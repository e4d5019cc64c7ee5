"""The decision what a request becomes: from evidence, by one table, with a reason for each part of it."""
