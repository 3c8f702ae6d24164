"""What a language model's tokens cost, by the providers' public prices as `genai-prices` has them."""

from vivavoce.readers.names import runs_here


def dollars(reader: str, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float | None:
    """US dollars; 0 for a model that runs on this machine, none when the price is not known."""
    if runs_here(reader):
        return 0.0
    from genai_prices import Usage, calc_price

    used = Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=tokens_cached)
    url, _, served = reader.partition("#")
    provider, _, model = reader.partition(":")
    try:
        if served:
            return float(calc_price(used, served, provider_api_url=url).total_price)
        return float(calc_price(used, model, provider_id=PROVIDERS.get(provider, provider)).total_price)
    except LookupError:
        return None


PROVIDERS = {"google-gla": "google", "google-vertex": "google", "openai-chat": "openai"}
"""Names of ours for providers that have another one there."""
