"""Generated from protos/baloot/api/table/v1; `make gen` writes it anew."""
