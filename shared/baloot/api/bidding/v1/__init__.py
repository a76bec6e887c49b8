"""Generated from protos/baloot/api/bidding/v1; `make gen` writes it anew."""
