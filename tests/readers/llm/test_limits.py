"""What models may spend, what of it each question bears, and whose machine they run on."""

import asyncio
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import PATIENCE
from vivavoce.errors import ReaderStopped, VivaError
from vivavoce.readers import provider, runs_here
from vivavoce.readers.llm.limits import Budget, ModelSettings, RunLimits, split
from vivavoce.readers.llm.prices import dollars
from vivavoce.readers.llm.session import ModelSession, Spending
from vivavoce.records import Cost

whole = st.integers(0, 100_000)


@given(whole, whole, whole, st.integers(1, 40))
def test_shares_add_up(sent: int, received: int, cached: int, parts: int) -> None:
    shares = split(Cost(3.0, sent, received, cached, 2.0, 0.5), parts)
    assert len(shares) == parts
    total = sum(shares, Cost(dollars=0.0))
    assert (total.tokens_in, total.tokens_out, total.tokens_cached) == (sent, received, cached)
    assert total.calls == pytest.approx(3.0)
    assert total.dollars == pytest.approx(0.5)
    assert max(s.tokens_in for s in shares) - min(s.tokens_in for s in shares) <= 1


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    assert (Cost(dollars=1.0) + Cost(dollars=None)).dollars is None


def test_prices() -> None:
    price = dollars("openai:gpt-5-mini", 1_000_000, 0)
    assert price is not None
    assert 0 < price < 100
    reply = dollars("openai:gpt-5-mini", 0, 1_000_000)
    assert reply is not None
    assert reply > price
    assert dollars("openai:there-is-no-such-model", 1, 1) is None
    assert dollars("http://localhost:8080/v1#m", 10**9, 10**9) == 0.0
    assert dollars("https://models.example.org/v1#m", 1, 1) is None


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("ollama:qwen3:8b", True),
        ("http://127.0.0.1:8080/v1#m", True),
        ("http://127.9.9.9:8080/v1#m", True),
        ("http://[::1]:8080/v1#m", True),
        ("https://localhost/v1#m", True),
        ("https://models.example.org/v1#m", False),
        ("http://192.168.1.7:8080/v1#m", False),
        ("https://localhost.example.org/v1#m", False),
        ("http://[::1/v1#m", False),
        ("openai:gpt-5-mini", False),
        ("builtin", False),
    ],
)
def test_which_models_run_here(name: str, here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    assert runs_here(name) is here


def test_ollama_may_run_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "https://gpu.example.org/v1")
    assert not runs_here("ollama:qwen3:8b")
    assert dollars("ollama:qwen3:8b", 1, 1) is None


def test_limits_are_plain_values() -> None:
    limits = RunLimits(ModelSettings("paper", 3, 9.0), Budget(1000, 0.5), replay=True)
    session = ModelSession(limits)
    asyncio.run(session.spending.wait_for_room("m", Cost(dollars=0.0)))  # using them leaves no trace
    assert pickle.loads(pickle.dumps(session.limits)) == limits
    assert hash(limits) == hash(RunLimits(ModelSettings("paper", 3, 9.0), Budget(1000, 0.5), replay=True))


def test_models_of_one_provider_share_a_limiter() -> None:
    session = ModelSession()
    assert session.limiter("openai:a") is session.limiter("openai:b")
    assert session.limiter("openai:a") is not session.limiter("groq:a")


def test_one_server_is_one_provider() -> None:
    assert provider("openai:a") == provider("openai:b") != provider("groq:a")
    assert provider("http://localhost:1/v1#a") == provider("http://localhost:1/v1#b")


def test_money_needs_a_price() -> None:
    Spending().check_price("https://models.example.org/v1#m")
    with pytest.raises(VivaError, match="price is not known"):
        Spending(Budget(dollars=1.0)).check_price("https://models.example.org/v1#m")


@given(st.lists(st.integers(1, 300), max_size=40), st.integers(1, 2000))
def test_no_limit_is_ever_passed(sizes: list[int], limit: int) -> None:
    """Many calls at a time, each taking at most what was set aside for it: the sum stays below the limit, and
    when one is refused it would not have fitted."""
    spending = Spending(Budget(tokens=limit))
    refused: list[int] = []

    async def call(size: int) -> None:
        most = Cost(1, size, 0, dollars=0.0)
        try:
            await spending.wait_for_room("m", most)
        except ReaderStopped:
            refused.append(size)
            return
        with spending.set_aside(most):
            await asyncio.sleep(0)
            spending.add("m", Cost(1, size // 2, 0, dollars=0.0))

    async def all_of_them() -> None:
        await asyncio.wait_for(asyncio.gather(*map(call, sizes)), timeout=PATIENCE)

    asyncio.run(all_of_them())
    spent = spending.by_reader.get("m", Cost()).tokens_in
    assert spent <= limit
    assert spent == sum(size // 2 for size in sizes) - sum(size // 2 for size in refused)
    assert all(spent + size > limit for size in refused)


def test_money_is_a_limit_too() -> None:
    spending = Spending(Budget(dollars=0.01))

    async def ask() -> None:
        await spending.wait_for_room("m", Cost(dollars=0.006))
        spending.add("m", Cost(dollars=0.006))
        with pytest.raises(ReaderStopped, match=r"--max-cost 0\.01 is reached"):
            await spending.wait_for_room("m", Cost(dollars=0.006))

    asyncio.run(ask())
