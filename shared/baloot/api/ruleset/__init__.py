"""Generated from protos/baloot/api/ruleset; `make gen` writes it anew."""
