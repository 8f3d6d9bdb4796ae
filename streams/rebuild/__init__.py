"""What can be made again from the topics alone: the projection, and artifacts that the store lacks."""
