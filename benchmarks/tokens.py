"""What do a model's prompts weigh in tokens, and how many does a whole paper save?

    python benchmarks/tokens.py [--model FILE.gguf | --model smollm2] [--batch 28]

Counts the prompts for the 28 questions about the eight papers of `../shared/papers`: by context, and for a
whole paper by what is in it; beside it the published pipeline's, a call for each question with the chunks
that it retrieved, as it sent them and as if each of the four had its full 1,000 characters. Without a model,
tokens are estimated as the package does it; with one, llama.cpp's own tokenizer counts them. Instructions
are counted with every call; the schema of the reply is not: not every server puts it into the prompt.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import published
from benchmarks.gold import SHARED
from benchmarks.servers.llama import serving, smollm2
from vivavoce import Paper, load
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.context import CHARACTERS_PER_TOKEN, CONTEXTS, UNREAD, Prompt, make_prompts
from vivavoce.records import Question

Count = Callable[[str], int]
FULL = 4000
"""Characters of four chunks that are not cut short."""
_NUMBER = re.compile(r"^\d+ |^\.\.\.$", re.MULTILINE)


def estimate(text: str) -> int:
    return round(len(text) / CHARACTERS_PER_TOKEN)


def sent(prompt: Prompt) -> str:
    """All that goes to the model in one call, but for the schema."""
    return f"{prompts.INSTRUCTIONS}\n\n{prompts.text(prompt.sentences, prompt.questions)}"


def ratios(papers: Sequence[Paper], questions: Sequence[Question], count: Count) -> None:
    """Characters per token, for each context: the package's estimate stands or falls with it."""
    print(
        f"{'context':10}{'prompts':>9}{'tokens each':>13}{'most':>8}{'characters per token':>22}{'worst':>8}"
    )
    for context in CONTEXTS:
        made: list[str] = []
        for paper in papers:
            ranked = [] if context == "paper" else Builtin().rank(paper, questions)
            made += [sent(prompt) for prompt in make_prompts(paper, questions, context, ranked)]
        tokens = [count(text) for text in made]
        each = [len(text) / n for text, n in zip(made, tokens, strict=True)]
        mean = sum(map(len, made)) / sum(tokens)
        print(
            f"{context:10}{len(made):9}{sum(tokens) / len(made):13,.0f}{max(tokens):8,}"
            f"{mean:22.2f}{min(each):8.2f}"
        )


def whole(papers: Sequence[Paper], questions: Sequence[Question], batch: int, count: Count) -> None:
    """Whole papers with their questions behind them, against a call for each question."""
    seed = published.seeds(SHARED)[0]
    texts = published.questions(SHARED)
    chunks = published.contexts(SHARED, {Path(paper.file).stem for paper in papers})
    print(
        f"\n{'paper':8}{'characters':>11}{'whole':>9}{f'by {batch}':>9}{'28 calls':>10}{'ratio':>7}"
        f"{'28 full':>10}{'ratio':>7}"
    )
    total: Counter[str] = Counter()
    for paper in papers:
        name = Path(paper.file).stem
        numbered = tuple((n, s) for n, s in enumerate(paper.sentences) if s.kind not in UNREAD)
        batches = [questions[at : at + batch] for at in range(0, len(questions), batch)]
        figures = {
            "whole": count(sent(Prompt(tuple(questions), numbered))),
            "batches": sum(count(sent(Prompt(tuple(some), numbered))) for some in batches),
            "sent": 0,
            "full": 0,
        }
        for context, question in zip(chunks[name], texts, strict=True):
            bare, with_it = count(seed.prompt("", question)), count(seed.prompt(context, question))
            figures["sent"] += with_it
            figures["full"] += bare + round((with_it - bare) * FULL / len(context))
        total.update(figures)
        _row(name, len(paper.text), figures)
    _row("all", sum(len(paper.text) for paper in papers), total)


def _row(name: str, characters: int, figures: dict[str, int]) -> None:
    ours = figures["batches"]
    print(
        f"{name:8}{characters:11,}{figures['whole']:9,}{ours:9,}"
        f"{figures['sent']:10,}{ours / figures['sent']:7.2f}"
        f"{figures['full']:10,}{ours / figures['full']:7.2f}"
    )


def parts(papers: Sequence[Paper], questions: Sequence[Question], count: Count) -> None:
    """What a whole paper's tokens go into, and what leaving out references and figures saves already."""
    kinds = ("prose", "title", "heading", "front", "caption", "footnote", "table", "figure", "reference")
    print(f"\n{'paper':8}{'asked':>8}{'numbers':>9}" + "".join(f"{kind:>10}" for kind in kinds))
    for paper in papers:
        numbered = [(n, s) for n, s in enumerate(paper.sentences) if s.kind not in UNREAD]
        text = prompts.paper(numbered)
        figures = {"numbers": count(text) - count(_NUMBER.sub("", text))}
        for kind in kinds:
            lines = "\n".join(s.text for s in paper.sentences if s.kind == kind)
            figures[kind] = count(lines) if lines else 0
        fixed = count(f"{prompts.INSTRUCTIONS}\n\n{prompts.questions(questions)}")
        print(
            f"{Path(paper.file).stem:8}{fixed:8,}{figures['numbers']:9,}"
            + "".join(f"{figures[kind]:10,}" for kind in kinds)
        )
    print(f"asked: the instructions and the {len(questions)} questions; not sent: {' and '.join(UNREAD)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="a GGUF file whose tokenizer counts, or smollm2")
    parser.add_argument("--batch", type=int, default=28, help="questions behind a whole paper")
    options = parser.parse_args()
    files = sorted((SHARED / "papers").glob("*.pdf"), key=lambda file: int(file.stem))
    if not files:
        sys.exit(f"no papers in {SHARED}")
    papers = [load(file) for file in files]
    questions = asked(load_set("dl-methods"))
    model = smollm2() if options.model == "smollm2" else options.model
    with serving(Path(model), window=512) if model else nullcontext() as server:
        count = server.tokens if server else estimate
        print(f"tokens {f'by {Path(model).name}' if model else 'estimated'}\n")
        ratios(papers, questions, count)
        whole(papers, questions, options.batch, count)
        parts(papers, questions, count)


if __name__ == "__main__":
    main()
