"""Message formats of providers: read into our messages, written back as they came, and checked as their APIs would.

A folder for each API: `read`, `write`, `request`, `validate`. Used from outside: `formats` (by name), `requests`,
`check`; what all of them share lies beside the folders.
"""
