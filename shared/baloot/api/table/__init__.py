"""Generated from protos/baloot/api/table; `make gen` writes it anew."""
