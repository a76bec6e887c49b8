"""Generated from protos/baloot/api/identity/v1; `make gen` writes it anew."""
