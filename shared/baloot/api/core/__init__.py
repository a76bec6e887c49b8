"""Generated from protos/baloot/api/core; `make gen` writes it anew."""
