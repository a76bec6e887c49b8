"""The table: seats players, asks the rule services, and keeps every fact in a log."""
