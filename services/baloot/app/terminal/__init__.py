"""What a person sees and types in a terminal. Nothing here asks a server or knows a rule."""
