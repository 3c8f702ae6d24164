"""How good is a language model as a reader, on some cells of the papers that were read in full?

    python benchmarks/models.py --model FILE.gguf | smollm2 [--papers 8 45] [--questions CQ6 CQ20 ...]

Asks a model on a llama.cpp server, with the context `evidence`, and compares its status with the labels;
beside it the built-in reader on the same cells. Few cells, on a slow machine: a look at whether the words of
the prompt do harm, not a measurement of the model.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import gold
from benchmarks.servers.llama import serving, smollm2
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.readers.llm.facts import unproven_facts
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM
from vivavoce.readers.llm.session import ModelSession

QUESTIONS = ("CQ3", "CQ8", "CQ11", "CQ14", "CQ19", "CQ20", "CQ24", "CQ27")
"""Some of each topic, with labels of both kinds."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True, help="a GGUF file, or smollm2")
    parser.add_argument("--papers", nargs="+", default=["8", "45"])
    parser.add_argument("--questions", nargs="+", default=list(QUESTIONS))
    options = parser.parse_args()
    questions = {q.id: q for q in asked(load_set("dl-methods")) if q.id in options.questions}
    truth, said, own, proven = [], [], [], []
    with serving(smollm2() if options.model == "smollm2" else Path(options.model)) as server:
        for paper, cells in gold.read():
            if Path(paper.file).stem not in options.papers:
                continue
            for cell in (cell for cell in cells if cell.id in questions):
                began = time.perf_counter()
                model = LLM(
                    f"{server.url}#model", ModelSession(RunLimits(ModelSettings("evidence", timeout=900)))
                )
                (answer,) = model.read(paper, [questions[cell.id]])
                (builtin,) = Builtin().read(paper, [questions[cell.id]])
                truth.append(cell.reported)
                said.append(answer.status == "reported")
                own.append(builtin.status == "reported")
                if said[-1]:
                    proven.append(not unproven_facts(answer.text, answer.evidence))
                hit = any(gold.hits((e.start, e.end), span) for e in answer.evidence for span in cell.spans)
                doubts = "; ".join(doubt.text for doubt in answer.doubts)
                print(
                    f"{cell.paper:>4} {cell.id:5} label {'reported' if cell.reported else 'not':9}"
                    f"{' debatable' if cell.debatable else '':11}{answer.status:13}"
                    f"{'quote hits' if hit else '':11}"
                    f"{time.perf_counter() - began:5.0f} s  {answer.text[:100]!r} {doubts}",
                    flush=True,
                )
    for name, some in (("model", said), ("builtin", own)):
        right = sum(a == b for a, b in zip(truth, some, strict=True))
        print(f"{name:8} agrees with the label in {right} of {len(truth)}, says reported in {sum(some)}")
    print(
        f"labels: {sum(truth)} reported; all facts in located quotes: {sum(proven)} of {len(proven)} answers"
    )


if __name__ == "__main__":
    main()
