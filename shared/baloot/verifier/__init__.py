"""Checks of matches by those who trust nobody: a script and a page that import nothing of this project."""
