"""Settings of all tests."""

from hypothesis import settings

# No deadline for one example: on a busy machine it would measure the neighbours. In CI hypothesis itself
# chooses a profile that repeats the same examples in every run.
settings.register_profile("baloot", settings(), deadline=None)
settings.load_profile("baloot")
