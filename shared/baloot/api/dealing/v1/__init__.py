"""Generated from protos/baloot/api/dealing/v1; `make gen` writes it anew."""
