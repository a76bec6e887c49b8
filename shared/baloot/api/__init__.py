"""Generated from protos/baloot/api; `make gen` writes it anew."""
