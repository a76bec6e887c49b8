"""What was played: derived from the tables' logs, each entry exactly once, and told to whoever asks."""
