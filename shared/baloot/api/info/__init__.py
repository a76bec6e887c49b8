"""Generated from protos/baloot/api/info; `make gen` writes it anew."""
