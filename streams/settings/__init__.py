"""Settings: one frozen object, read once at the edge; where each value comes from.

Used from everywhere in streams: `settings.load_settings`, `settings.Settings`.
"""
