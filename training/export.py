"""The trained network -> the files of `readers/builtin/weights`: int8 ONNX, the heads, the tokenizer.

Weights have seven bits of range: with eight, processors without VNNI saturate, and results would depend
on the machine.
"""

import json
import logging
import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.networks import Reader, attention_bias, simulate_int8, through


class Encoder(nn.Module):
    """The encoder as it is exported."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.enc, self.layers = reader.enc, len(reader.judge)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        bias, states = attention_bias(mask), self.enc.embeddings(input_ids=ids)
        middle = states
        for n, layer in enumerate(self.enc.encoder.layer):
            if n == len(self.enc.encoder.layer) - self.layers:
                middle = states
            states = through(layer, states, bias)
        return states, middle


class Judge(nn.Module):
    """The judge's layers as they are exported."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.layers = reader.judge

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        bias = attention_bias(mask)
        for layer in self.layers:
            states = through(layer, states, bias)
        return states


def export(reader: Reader, tokenizer: Path, folder: Path, int8: bool = True) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    simulate_int8(reader, on=False)  # from here on it is real
    reader.eval()
    for layer in reader.modules():  # exports as plain products
        if hasattr(layer, "config"):
            layer.config._attn_implementation = "eager"
    ids = torch.arange(100, 140).reshape(2, 20)
    mask = torch.ones_like(ids)
    _write(Encoder(reader), {"ids": ids, "mask": mask}, ("last", "middle"), folder / "encoder.onnx", int8)
    states = torch.zeros(2, 20, reader.part.shape[0])
    _write(Judge(reader), {"states": states, "mask": mask}, ("last",), folder / "judge.onnx", int8)
    heads = {
        name: value.numpy().astype(np.float16)
        for name, value in reader.state_dict().items()
        if not name.startswith(("enc.", "judge."))
    }
    np.savez(folder / "heads.npz", **heads)
    known = json.loads(tokenizer.read_text(encoding="utf-8"))
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")


def _write(
    network: nn.Module, inputs: dict[str, Tensor], outputs: tuple[str, ...], path: Path, int8: bool
) -> None:
    free = {name: {0: "rows", 1: "tokens"} for name in (*inputs, *outputs)}
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            network.eval(),
            tuple(inputs.values()),
            str(plain),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=free,
            opset_version=17,
            dynamo=False,
        )
        logging.getLogger().setLevel(logging.ERROR)
        if int8:
            quantize_dynamic(plain, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        else:
            shutil.copy(plain, path)
