"""How the tables of identity came about, step by step. Steps only go forward."""
