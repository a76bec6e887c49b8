"""Generated from protos/baloot/api/scoring; `make gen` writes it anew."""
