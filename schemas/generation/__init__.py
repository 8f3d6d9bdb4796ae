"""JSON Schemas and the AsyncAPI document, made from the Structs that read and write what travels.

`python -m tailrace.schemas.generation.generate` writes them to schemas/generated.
"""
