"""The dead letters: listed, and sent back to where they came from."""
