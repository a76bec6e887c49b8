"""Generated from protos/baloot/api/bidding; `make gen` writes it anew."""
