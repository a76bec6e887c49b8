"""Generators that several tests share."""
