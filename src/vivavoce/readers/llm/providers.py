"""The model behind a reader's name: `provider:model`, or `URL#model` for any server that speaks OpenAI's
protocol.

Keys come from the environment alone, and never reach a message or a file.
"""

import os
from urllib.parse import urlsplit

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import infer_provider_class

from vivavoce.errors import InputError, MissingExtra
from vivavoce.readers.names import OLLAMA, URLS, ollama_url

EXTRAS = ("anthropic", "google", "groq", "mistral")
"""Providers whose library is an extra of ours."""
KEY = "VIVAVOCE_API_KEY"
"""The variable that has the key for a server given by its URL."""


def model_of(name: str) -> Model:
    """The model that a reader's name stands for."""
    if name.startswith(URLS):
        return _served(name)
    if name.startswith(OLLAMA):
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.ollama import OllamaProvider

        return OpenAIChatModel(name.removeprefix(OLLAMA), provider=OllamaProvider(base_url=ollama_url()))
    provider = name.partition(":")[0]
    try:
        infer_provider_class(provider)
        return infer_model(name)
    except ValueError:
        known = ", ".join(f"{provider}:..." for provider in ("openai", *EXTRAS, "ollama"))
        raise InputError(f"{name}: there is no such provider; there are {known} and URL#MODEL.") from None
    except UserError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{name}: {reason.split(' or pass')[0].rstrip('.')}.") from None
    except ImportError:
        package = "vivavoce" if provider in EXTRAS else "pydantic-ai-slim"
        raise MissingExtra(
            f"{name}: the provider's library is not installed: pip install '{package}[{provider}]'."
        ) from None


def _served(name: str) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    url, _, model = name.partition("#")
    if not urlsplit(url).hostname or not model:
        raise InputError(
            f"{name}: a server is given as URL#MODEL, such as http://localhost:8080/v1#my-model."
        )
    key = os.environ.get(KEY, "none")
    return OpenAIChatModel(model, provider=OpenAIProvider(base_url=url, api_key=key))
