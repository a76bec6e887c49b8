"""The play service: which cards may be played, who wins them, and what is said with them."""
