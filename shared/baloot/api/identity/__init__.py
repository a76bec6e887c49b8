"""Generated from protos/baloot/api/identity; `make gen` writes it anew."""
