"""The vocabulary of Baloot: immutable values that every service speaks. Standard library only."""
