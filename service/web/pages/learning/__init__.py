"""The learning report, ledger by ledger."""
