"""How the tables of the log came about, step by step. Steps only go forward."""
