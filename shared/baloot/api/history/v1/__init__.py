"""Generated from protos/baloot/api/history/v1; `make gen` writes it anew."""
