"""Generated from protos/baloot/store; `make gen` writes it anew."""
