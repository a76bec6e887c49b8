"""Scoring: what a finished round is worth, figure by figure (rules 2.26 to 2.32)."""
