"""How long does somebody wait for the review page?

    python benchmarks/review.py [--papers 350] [--rounds 3]

In Chromium, as a person would see it. From a click on a cell of the matrix to the page of the paper with the
quote marked, drawn and on screen: every cell of the eight real papers in `../shared/papers`, in a shuffled
order, with a mouse that clicks the moment it arrives, and a look of half a second at each. Then a study of
350 papers x 28 questions with the words of the sample papers: from opening its address to the matrix, and
from each key typed into its search field to the matrix that answers. The server is the `viva review` command
in a process of its own.
"""

import argparse
import hashlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from vivavoce.papers import load
from vivavoce.questions import load as load_questions
from vivavoce.records import Answer, Evidence, Paper, Question, QuestionSet, Receipt
from vivavoce.store import File, Store
from vivavoce.study.study import Study

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
VIVA = [sys.executable, "-c", "from vivavoce.cli import main; main()"]
CHROMIUM = os.environ.get("VIVA_CHROMIUM", "/usr/bin/chromium")
LOOK = 500
"""Milliseconds that somebody looks at a cell, at the very least."""
READERS = ("first", "second")

ON_SCREEN = """() => new Promise((done) => {
  const look = () => {
    const cell = document.querySelector('#cell[data-shown]');
    if (!cell || !window.clicked) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const took = performance.now() - window.clicked;
      window.clicked = 0;
      done({took, marked: document.querySelectorAll('rect.on, mark.on').length,
            page: document.getElementById('page-number').textContent});
    });
  };
  look();
})"""
WATCH = """() => {
  addEventListener('click', () => { window.clicked = performance.now(); }, {capture: true});
}"""
WATCH_KEYS = """() => {
  window.waits = [];
  let typed = 0;
  addEventListener('input', () => { typed = performance.now(); }, {capture: true});
  new MutationObserver(() => requestAnimationFrame(() => {
    if (typed) window.waits.push(performance.now() - typed);
    typed = 0;
  })).observe(document.getElementById('matched'), {childList: true});
}"""
LOADED = """() => new Promise((done) => {
  const look = () => document.querySelector('[data-ready] #rows a.c')
    ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look);
  look();
})"""


@contextmanager
def review(study: Path) -> Iterator[tuple[str, float]]:
    """The command: its address, and how long it took to say it."""
    begun = time.perf_counter()
    command = [*VIVA, "review", str(study), "--port", "0", "--no-open", "--reviewer", "benchmark"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), time.perf_counter() - begun
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def clicks(page: Page, seed: int) -> Iterator[tuple[float, bool, int]]:
    """Milliseconds of each click, whether the page was seen for the first time, and how many boxes it has."""
    page.wait_for_selector("[data-ready]")
    page.evaluate(WATCH)
    links = [str(link.get_attribute("href")) for link in page.locator("#rows a.c").all()]
    random.Random(seed).shuffle(links)
    seen: set[tuple[str, str]] = set()
    for link in links:
        box = page.locator(f"a.c[href='{link}']").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 8, box["y"] + 8)
        shown: dict[str, Any] = page.evaluate(ON_SCREEN)
        place = (link.split("/")[2], shown["page"])
        yield shown["took"], place not in seen, shown["marked"]
        seen.add(place)
        page.wait_for_timeout(LOOK)
        page.keyboard.press("m")
        page.wait_for_selector("#rows a.c")
        page.mouse.move(5, 5)


def typing(page: Page, words: Sequence[str]) -> list[float]:
    """Milliseconds from each key to the answer."""
    page.evaluate(WATCH_KEYS)
    for word in words:
        page.fill("#find", "")
        page.wait_for_timeout(150)
        page.type("#find", word, delay=150)
        page.wait_for_timeout(200)
    return [float(took) for took in page.evaluate("window.waits")]


def make_study(folder: Path, papers: int, seed: int = 1) -> Path:
    """A study of many papers with the sample papers' own words: two readers, quotes, receipts, some doubt."""
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    samples = [load(path) for path in sorted((ROOT / "examples" / "papers").iterdir())]
    questions = load_questions()
    asked = QuestionSet(
        questions.name, tuple(q for q in questions.questions if not q.screen), questions.title
    )
    store = Store.open(folder, create=True)
    try:
        store.set_asked(asked)
        store.set_readers([(name, "1") for name in READERS])
        for n in range(papers):
            sample = samples[n % len(samples)]
            paper = Paper(
                id=hashlib.sha256(str(n).encode()).hexdigest(),
                file=f"paper-{n:04}.txt",
                format="text",
                text=sample.text,
                sentences=sample.sentences,
                pages=sample.pages,
                title=f"{sample.title or 'Notes'}, part {n}",
                year=2010 + n % 15,
            )
            store.add_paper(paper)
            store.set_file(File(f"/nowhere/{paper.file}", paper.file, paper.id, "", 0, 0))
            for question in asked.questions:
                for reader in READERS:
                    store.add_answer(paper.id, _answer(chance, paper, question, reader))
    finally:
        store.close()
    return folder


def _answer(chance: random.Random, paper: Paper, question: Question, reader: str) -> Answer:
    sure = round(chance.uniform(0.5, 1.0), 2)
    if chance.random() < 0.4:
        receipt = Receipt(len(paper.pages), len(paper.sentences))
        return Answer(question, reader, "1", "not_reported", confidence=sure, receipt=receipt)
    some = chance.sample([s for s in paper.sentences if len(s.text) > 40], 2)
    evidence = tuple(Evidence(s.text, s.page, "exact", s.start, s.end) for s in some)
    return Answer(question, reader, "1", "reported", some[0].text, sure, evidence)


def at(values: Sequence[float], share: float) -> float:
    if len(values) < 2:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def row(what: str, values: Sequence[float]) -> None:
    numbers = (statistics.median(values), at(values, 0.95), max(values))
    print(f"| {what} | {len(values)} | {' | '.join(f'{number:.0f}' for number in numbers)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", type=int, default=350)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        print("| | n | median, ms | p95, ms | longest, ms |\n|---|---|---|---|---|")
        if (SHARED / "papers").is_dir():
            real = Study.create(Path(folder) / "real")
            real.run([SHARED / "papers"])
            real.close()
            took: list[tuple[float, bool, int]] = []
            for seed in range(given.rounds):
                with review(Path(folder) / "real") as (url, _):
                    page = browser.new_page(viewport={"width": 1280, "height": 800})
                    page.goto(url)
                    took += clicks(page, seed)
                    page.close()
            row("click to the marked page", [ms for ms, _, marked in took if marked])
            row(
                "of these, pages shown for the first time", [ms for ms, new, marked in took if marked and new]
            )
            print(f"| cells without a place to mark | {sum(not marked for _, _, marked in took)} | | | |")
        large = make_study(Path(folder) / "large", given.papers)
        loads, waits, starts = [], [], []
        for _ in range(given.rounds):
            with review(large) as (url, started):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(url)
                loads.append(float(page.evaluate(LOADED)))
                waits += typing(page, ("network", "github code", "sound recorders", "part 12"))
                page.close()
            starts.append(started * 1000)
        row(f"first load of {given.papers} x 28", loads)
        row("a key in the search field to the answer", waits)
        row("`viva review` to its address", starts)
        browser.close()


if __name__ == "__main__":
    main()
