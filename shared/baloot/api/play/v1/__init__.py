"""Generated from protos/baloot/api/play/v1; `make gen` writes it anew."""
