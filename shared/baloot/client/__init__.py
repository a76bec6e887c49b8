"""A thin asyncio client of the public API, for bots, tools and tests. It knows no rules: the server lists what is legal."""
