"""Texts as vectors of length 1, by an ONNX sentence encoder: the mean of its tokens' states.

`builtin` is the built-in reader's own network. Any other name is a folder with a model (`*.onnx`) and its
`tokenizer.json`, or an installed package that has such a folder.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vivavoce.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BUILTIN = "builtin"
OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings", "last")
"""Which output of a model is taken, if it has one of these; else its first."""
LONGEST = 256
"""Tokens of a text that are read."""


def embed(texts: Sequence[str], encoder: str = BUILTIN) -> "Floats":
    """A row for each text."""
    import numpy as np

    one = _builtin if encoder == BUILTIN else _onnx(encoder)
    rows = np.stack([one(text) for text in texts])
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), np.float32)


def check_encoder(name: str) -> None:
    """Refuses an encoder that there is not."""
    if name != BUILTIN:
        _files(name)


def _builtin(text: str) -> "Floats":
    from vivavoce.readers.builtin.network import network

    return network(1).vector(text, LONGEST)


@cache
def _onnx(name: str) -> Any:
    import numpy as np

    model, tokenizer_file = _files(name)
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    wanted = {given.name for given in session.get_inputs()}
    given_out = [made.name for made in session.get_outputs()]
    output = next((name for name in OUTPUTS if name in given_out), given_out[0])

    def one(text: str) -> "Floats":
        said = tokenizer.encode(text)
        ids = np.array([said.ids], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
            "ids": ids,
            "mask": np.ones_like(ids),
        }
        states = np.asarray(
            session.run([output], {k: v for k, v in given.items() if k in wanted})[0], np.float32
        )
        return np.asarray(states[0].mean(0) if states.ndim == 3 else states[0], np.float32)

    return one


def _files(name: str) -> tuple[Path, Path]:
    """The model and its tokenizer."""
    folder = Path(name)
    if not folder.is_dir():
        package = name.replace("-", "_")
        found = find_spec(package) if package.isidentifier() else None
        if found is None or not found.submodule_search_locations:
            raise InputError(
                f"{name}: there is no such encoder; name a folder with an ONNX model, or a package."
            )
        folder = Path(next(iter(found.submodule_search_locations)))
    models, tokenizers = (sorted(folder.rglob(pattern)) for pattern in ("*.onnx", "tokenizer.json"))
    if not models or not tokenizers:
        missing = "*.onnx" if not models else "tokenizer.json"
        raise InputError(
            f"{name}: there is no {missing} in it; an encoder is an ONNX model with its tokenizer.json."
        )
    plain = [model for model in models if model.name == "model.onnx"]
    return (plain or models)[0], tokenizers[0]
