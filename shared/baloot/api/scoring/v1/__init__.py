"""Generated from protos/baloot/api/scoring/v1; `make gen` writes it anew."""
