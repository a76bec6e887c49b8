"""The audit: judges matches again from their logs, from nothing."""
