"""The learning report: eleven ledgers, each counted by itself, told together."""
