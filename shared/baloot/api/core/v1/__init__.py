"""Generated from protos/baloot/api/core/v1; `make gen` writes it anew."""
