"""Generated from protos/baloot/api/dealing; `make gen` writes it anew."""
