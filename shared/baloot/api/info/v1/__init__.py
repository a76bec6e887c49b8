"""Generated from protos/baloot/api/info/v1; `make gen` writes it anew."""
