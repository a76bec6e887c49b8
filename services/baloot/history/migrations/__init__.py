"""How the tables of history came about, step by step. Steps only go forward."""
