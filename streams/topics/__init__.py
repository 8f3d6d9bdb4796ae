"""What the topics must look like, and making them so."""
