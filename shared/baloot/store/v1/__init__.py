"""Generated from protos/baloot/store/v1; `make gen` writes it anew."""
