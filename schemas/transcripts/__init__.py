"""Transcripts of agents as they lie on disk, read into messages."""
