"""The gateway: agents that know nothing but a base URL. Providers' APIs in front, a provider behind.

`app` serves; `exchange` takes one request to the provider and back; `dialects` knows the providers' shapes.
"""
