"""Model servers that tests and benchmarks start on loopback, and stop."""
