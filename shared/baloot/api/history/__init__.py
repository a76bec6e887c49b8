"""Generated from protos/baloot/api/history; `make gen` writes it anew."""
