"""What a call costs, by the catalogue that is installed. Nothing is asked over the network."""

from decimal import Decimal

from tailrace.streams.models.model_names import spellings


def price_usd(provider: str, model: str, *, input_tokens: int, output_tokens: int) -> float:
    """Price of a call in US dollars; 0 where the catalogue has none, as for a model of one's own."""
    # Imported here because it takes most of a second.
    from genai_prices import Usage  # noqa: PLC0415
    from genai_prices.data import providers  # noqa: PLC0415
    from genai_prices.data_snapshot import DataSnapshot  # noqa: PLC0415

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    snapshot = DataSnapshot(providers=providers, from_auto_update=False)
    for name, named_provider in spellings(model):
        try:
            found = snapshot.calc(usage, name, named_provider or provider, None, None)
        except (LookupError, ValueError, TypeError):
            continue
        return float(Decimal(found.total_price))
    return 0.0
