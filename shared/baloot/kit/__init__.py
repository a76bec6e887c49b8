"""What every gRPC server and client here needs: serving, calling, errors, logs."""
