"""`make bench`: how fast it is, in figures of one run side by side."""
