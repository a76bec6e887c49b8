"""Generated from protos/baloot/api/play; `make gen` writes it anew."""
