"""The composition root: everything in one process, its own database, and the `baloot` command."""
