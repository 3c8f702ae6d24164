"""Trained networks -> the files of `readers/builtin/weights`: int8 ONNX, the scorer's head, the tokenizer.

Weights have seven bits of range: with eight, processors without VNNI saturate, and results would depend
on the machine.
"""

import logging
import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.networks import Encoder, Scorer, base, simulate_int8


def export_scorer(scorer: Scorer, folder: Path) -> None:
    """The encoder, the scorer's head, the tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    simulate_int8(scorer, on=False)  # from here on it is real
    scorer.enc.config._attn_implementation = "eager"  # exports as plain products
    ids = torch.arange(100, 140).reshape(2, 20)
    _int8(
        Encoder(scorer.enc),
        {"ids": ids, "mask": torch.ones_like(ids)},
        {"last": (0, 1)},
        folder / "encoder.onnx",
    )
    head = {n: p.numpy().astype(np.float16) for n, p in scorer.state_dict().items() if n[:4] != "enc."}
    np.savez(folder / "scorer.npz", **head)
    shutil.copy(base() / "tokenizer.json", folder)


def _int8(
    network: nn.Module, inputs: dict[str, Tensor], outputs: dict[str, tuple[int, ...]], path: Path
) -> None:
    free = {**{name: (0, 1)[: x.dim()] for name, x in inputs.items()}, **outputs}
    for layer in network.modules():  # copies made before the encoder's attention was set to plain
        if hasattr(layer, "config"):
            layer.config._attn_implementation = "eager"
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            network.eval(),
            tuple(inputs.values()),
            str(plain),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={n: {axis: f"{n}{axis}" for axis in axes} for n, axes in free.items()},
            opset_version=17,
            dynamo=False,
        )
        logging.getLogger().setLevel(logging.ERROR)
        quantize_dynamic(plain, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
