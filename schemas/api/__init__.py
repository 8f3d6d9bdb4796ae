"""What the HTTP API takes and gives: its records, its endpoints, and the OpenAPI document that is made of both."""
