"""Generated from protos/baloot/api/ruleset/v1; `make gen` writes it anew."""
