"""`python -m tailrace.streams.cli`, for those who have no console script on their path."""

from tailrace.streams.cli import main

main()
