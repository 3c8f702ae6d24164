"""How well are real documents read? Verdicts, text, statements, references and titles, file by file.

    python benchmarks/documents.py [FOLDER] [--json FILE] [--before FILE]

FOLDER has JATS, HTML, DOCX, PDF and publishers' XML of many sources (default: `../shared/documents`).
`--json` keeps the figures, and `--before` compares with figures kept earlier: a file that is worse in any
of them is listed. What is measured:

verdict     Is the file called what it is? `EXPECTED` says what each one is: a paper that can be read, one
            that can't, or one with something to say about it. A verdict that says too little or too much
            is wrong.
recall      The share of an independent reader's 5-grams of words that are in our text, in this order:
            pdfminer.six for PDFs, all text of the tree for markup and DOCX. For JATS and publishers' XML
            it is the body alone; references, menus and running heads are not taken out of the other side.
statements  Funding, data, code, ethics and conflict statements that a JATS file marks as such: how many of
            them are in our text.
references  Entries of the reference list, as the file marks them (XML), or as counted on the page
            (`REFERENCES`): how many we have of kind `reference`; and how many prose sentences look like
            an entry.
title       Is the title the file's own (XML), or the one on the page (`TITLES`)?
"""

import argparse
import json
import re
import sys
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from vivavoce.errors import PaperError
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import read_file
from vivavoce.records import Paper

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared" / "documents"

EXPECTED: dict[str, str] = {
    "jats-elife-38781-correction.xml": "correct",
    "jats-plos-pcbi-0030158-retraction.xml": "retract",
    "jats-plos-pone-0097541-correction.xml": "correct",
    "pdf-hindawi-corrigendum.pdf": "correct|corrigend",
    "pdf-f1000-3-305-garbled.pdf": "unreadable",
    "pdf-scielo-pt-referencias.pdf": "Portuguese",
    "html-scielo-pt-title.html": "Portuguese",
    "jats-scielo-translation.xml": "Portuguese",
    "jats-elife-20304-awards.xml": "no full text",
    "jats-elife-24340-datasets.xml": "no full text",
    "jats-elife-good.xml": "no full text",
}
"""What must be said of a file, as words of a warning; "unreadable" when it has no usable text. All others
are papers to be read, with no such thing to say."""

SAYS_TOO_MUCH = re.compile(
    r"correction|corrigend|retract|expression of concern|not English|another language|no full text"
    r"|landing page|search results|script|slides",
    re.IGNORECASE,
)
"""Warnings that would be wrong of any other file."""

REFERENCES: dict[str, int] = {
    "html-aip-menus.html": 76,
    "html-oup-menus.html": 67,
    "html-peerj-727.html": 24,
    "html-scielo-data-availability.html": 30,
    "html-scielo-pt-title.html": 29,
    "html-springer-good.html": 28,
    "pdf-bmc-2006-hidden-captions.pdf": 28,
    "pdf-bmc-2014-good.pdf": 73,
    "pdf-bmc-provisional-title.pdf": 107,
    "pdf-cidr-2007-essay.pdf": 0,
    "pdf-cidr-2011-megastore.pdf": 33,
    "pdf-hindawi-good.pdf": 27,
    "pdf-hindawi-ligature.pdf": 393,
    "pdf-hindawi-review-title.pdf": 99,
    "pdf-hindawi-split-words.pdf": 29,
    "pdf-mdpi-metabolites-good.pdf": 44,
    "pdf-mdpi-molecules-good.pdf": 55,
    "pdf-portland-press-two-columns.pdf": 56,
    "pdf-scielo-pt-referencias.pdf": 44,
    "pdf-rescience-formulas.pdf": 9,
    "pdf-rescience-tex-accents.pdf": 11,
    "pdf-rescience-figure-lettering.pdf": 17,
    "pdf-veterinary-world-references.pdf": 28,
}
"""Entries of the list, of files that don't mark them: the number of the last one, or how many the
page has places for."""

TITLES: dict[str, str] = {
    "docx-peer-review-paleontology.docx": "Standardising Peer Review in Paleontology journals",
    "docx-troops-reliability.docx": "Inter-rater reliability of the tracking and reporting outcomes of "
    "procedural sedation tool",
    "html-aip-menus.html": "Field and frequency modulated sub-THz electron spin resonance spectrometer",
    "html-cup-menus.html": "A multiplex PCR test to identify four common cattle-adapted Cryptosporidium "
    "species",
    "html-distill-growing-ca.html": "Growing Neural Cellular Automata",
    "html-elife-2015.html": "Genetic transformation of structural and functional circuitry rewires the "
    "Drosophila brain",
    "html-highwire-menus.html": "Prevotella jejuni sp. nov., isolated from the small intestine of a child "
    "with coeliac disease",
    "html-oup-menus.html": "A mutualistic endophyte alters the niche dimensions of its host plant",
    "html-peerj-727.html": "Loss of wwox expression in zebrafish embryos causes edema and alters Ca2+ "
    "dynamics",
    "html-scielo-data-availability.html": "What Factors are Associated with Health-Related Quality of Life "
    "in Mixed Dentition Children?",
    "html-scielo-pt-title.html": "Racismo e a constituição de um signo ideológico de resistência",
    "html-springer-good.html": "Characterization of a novel metallocarboxypeptidase from Streptomyces "
    "cinnamoneus TH-2",
    "pdf-bmc-2006-hidden-captions.pdf": "Effect of Curcuma longa and Ocimum sanctum on myocardial apoptosis "
    "in experimentally induced myocardial ischemic-reperfusion injury",
    "pdf-bmc-provisional-title.pdf": "Colony size is linked to paternity frequency and paternity skew in "
    "yellowjacket wasps and hornets",
    "pdf-cidr-2007-essay.pdf": "Life beyond Distributed Transactions: an Apostate’s Opinion",
    "pdf-cidr-2011-megastore.pdf": "Megastore: Providing Scalable, Highly Available Storage for "
    "Interactive Services",
    "pdf-hindawi-review-title.pdf": "The Clinical Efficacy and Safety of Tulsi in Humans: A Systematic "
    "Review of the Literature",
    "pdf-hindawi-ligature.pdf": "Medicinal Plants of the Family Lamiaceae in Pain Therapy: A Review",
    "pdf-jose-00260-lists.pdf": "An R reproducibility toolkit for the practical researcher",
    "pdf-scielo-pt-referencias.pdf": "Diabetes gestacional autorreferido - uma análise da Pesquisa Nacional "
    "de Saúde",
    "pdf-scielo-tables-behind-references.pdf": "Differentiating diversity among different land cover types "
    "in the eastern Amazon",
}
"""Titles as they stand on the page, of files that don't mark them."""

ENTRY = re.compile(
    r"(?:\[?\d{1,3}[\].]\s*)?(?:[A-Z][\w'’-]+,? (?:[A-Z]\.?[ -]?){1,3}[,;.&]? "
    r"?){1,}.{10,250}?\b(?:19|20)\d\d\b.*"
    r"\d+\s*[-–:]\s*e?\d+"
)
"""A sentence that begins with names and has a year and page numbers: an entry of a reference list."""
STATEMENT_SECTION = re.compile(
    r"(?:data|code|software)[\w ,]*availab|availab\w+ of (?:data|code)|funding|financial|ethic|"
    r"(?:competing|conflict\w*(?: of)?) interest|disclosure",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")


@dataclass
class Figures:
    """What was measured of one file."""

    file: str
    status: str
    verdict: bool
    recall: float | None
    statements: tuple[int, int]
    """Found, and in the file."""
    references: tuple[int, int | None]
    """Read as such, and in the file."""
    entries_in_prose: int
    title: bool | None
    sentences: int
    seconds: float


def measure(file: Path, quick: bool = False) -> Figures:
    started = time.process_time()
    try:
        paper: Paper | None = read_file(str(file), Limits())
        status = "unreadable" if paper and paper.unreadable else "readable"
    except PaperError:
        paper, status = None, "refused"
    except Exception as error:
        paper, status = None, f"crash: {type(error).__name__}"
    seconds = time.process_time() - started
    root = _tree(file)
    wanted = _references(file, root)
    kinds = Counter(s.kind for s in paper.sentences) if paper else Counter()
    title = _title(file, root)
    said = statements(root)
    text = fold(paper.text) if paper else ""
    return Figures(
        file.name,
        status,
        _right(file.name, status, paper),
        _recall(file, root, paper) if status == "readable" and paper and not quick else None,
        (sum(statement in text for statement in said), len(said)),
        (kinds["reference"], wanted),
        sum(1 for s in paper.sentences if s.kind == "prose" and ENTRY.match(s.text)) if paper else 0,
        fold(paper.title if paper else "") == fold(title) if title else None,
        sum(kinds.values()),
        seconds,
    )


def _right(name: str, status: str, paper: Paper | None) -> bool:
    """Is the verdict the one that is expected?"""
    expected = EXPECTED.get(name, "")
    if expected == "unreadable":
        return status == "unreadable"
    if paper is None or status != "readable":
        return False
    said = "\n".join(map(str, paper.warnings))
    if expected:
        return re.search(expected, said, re.IGNORECASE) is not None
    return SAYS_TOO_MUCH.search(said) is None


def fold(text: str) -> str:
    """Words alone, in small letters, one space between."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).lower()))


def _tree(file: Path) -> Any:
    if file.suffix in (".xml", ".nxml"):
        parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
        return etree.parse(str(file), parser).getroot()
    if file.suffix in (".html", ".htm"):
        return etree.parse(str(file), etree.HTMLParser(encoding="utf-8", remove_comments=True)).getroot()
    if file.suffix == ".docx":
        with zipfile.ZipFile(file) as archive:
            return etree.fromstring(archive.read("word/document.xml"))
    return None


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _named(root: Any, *names: str) -> Iterator[Any]:
    return (element for element in root.iter() if _local(element) in names)


_APART = (
    "p",
    "para",
    "simple-para",
    "title",
    "section-title",
    "sec",
    "div",
    "td",
    "th",
    "li",
    "tr",
    "h2",
    "h3",
)


def _all_text(element: Any) -> str:
    """The text of a tree, paragraphs apart."""
    parts: list[str] = []
    for event, item in etree.iterwalk(element, events=("start", "end")):
        name = _local(item)
        if event == "start":
            parts.append((" " if name in _APART else "") + (item.text or ""))
        else:
            parts.append((" " if name in _APART else "") + (item.tail or ""))
    return "".join(parts)


def _independent(file: Path, root: Any) -> str:
    if file.suffix == ".pdf":
        from pdfminer.high_level import extract_text

        text = extract_text(str(file))
        return re.sub(r"-\n", "", text)
    if file.suffix == ".xml":
        bodies = [
            e for e in _named(root, "body", "bdy", "sections") if _local(e.getparent()) != "sub-article"
        ]
        return _all_text(bodies[0]) if bodies else ""
    if file.suffix == ".docx":
        return " ".join("".join(t.text or "" for t in _named(p, "t")) for p in _named(root, "p"))
    for element in list(root.iter("script", "style", "nav", "head", "noscript", "header", "footer")):
        element.text = ""
        for inner in element.iter():
            inner.text = inner.tail = ""
    return _all_text(root)


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = fold(text).split()
    return Counter(zip(*(words[n:] for n in range(5)), strict=False))


def _recall(file: Path, root: Any, paper: Paper) -> float | None:
    other = _grams(_independent(file, root))
    if sum(other.values()) < 50:
        return None
    ours = _grams(paper.text)
    return sum((other & ours).values()) / sum(other.values())


def statements(root: Any) -> list[str]:
    """The funding, data, code, ethics and conflict statements that a JATS file marks, folded."""
    if root is None or not any(True for _ in _named(root, "article-meta")):
        return []
    found: list[str] = []
    for element in _named(
        root, "award-group", "funding-statement", "custom-meta", "related-object", "sec", "fn", "notes"
    ):
        if any(_local(above) in ("sub-article", "response") for above in element.iterancestors()):
            continue
        name = _local(element)
        if name == "award-group":
            found += [fold(_all_text(e)) for e in _named(element, "award-id")] or [
                fold(_all_text(e)) for e in _named(element, "institution", "funding-source")
            ][:1]
        elif name == "funding-statement":
            found.append(fold(_all_text(element)))
        elif name == "custom-meta":
            label = " ".join(_all_text(e) for e in _named(element, "meta-name"))
            if STATEMENT_SECTION.search(label):
                found += [fold(_all_text(e)) for e in _named(element, "meta-value")]
        elif name == "related-object":
            found += [fold(_all_text(e)) for e in _named(element, "source", "data-title")][:1]
        else:
            label = next((_all_text(e) for e in element if _local(e) in ("title", "label")), "")
            sort = element.get("sec-type", "") + element.get("fn-type", "") + element.get("notes-type", "")
            if STATEMENT_SECTION.search(label) or STATEMENT_SECTION.search(sort):
                paragraphs = [fold(_all_text(e)) for e in _named(element, "p")]
                found += paragraphs[:1]
    return [" ".join(text.split()[:8]) for text in found if text]


def _references(file: Path, root: Any) -> int | None:
    if file.suffix == ".xml":
        names = {"ref", "bib-reference", "bibl", "bib"}
        marked = [
            e
            for e in _named(root, *names)
            if not any(_local(above) in ("sub-article", "response", "fm") for above in e.iterancestors())
        ]
        return len(marked)
    return REFERENCES.get(file.name)


def _title(file: Path, root: Any) -> str:
    if file.suffix == ".xml":
        for name in ("title-group", "head", "contentMeta", "titlegrp", "fm"):
            for group in _named(root, name):
                for title in _named(group, "article-title", "title"):
                    return _all_text(title)
    return TITLES.get(file.name, "")


def table(figures: list[Figures]) -> None:
    print(f"{'file':44}{'status':>12}{'verdict':>9}{'recall':>8}{'statements':>12}{'references':>12}"
          f"{'in prose':>10}{'title':>7}{'seconds':>9}")  # fmt: skip
    for f in figures:
        recall = "" if f.recall is None else f"{f.recall:.3f}"
        said = f"{f.statements[0]}/{f.statements[1]}" if f.statements[1] else ""
        listed = f"{f.references[0]}/{'?' if f.references[1] is None else f.references[1]}"
        title = "" if f.title is None else "yes" if f.title else "no"
        verdict = "right" if f.verdict else "WRONG"
        print(f"{f.file:44}{f.status:>12}{verdict:>9}{recall:>8}{said:>12}{listed:>12}"
              f"{f.entries_in_prose:>10}{title:>7}{f.seconds:>9.2f}")  # fmt: skip
    recalls = [f.recall for f in figures if f.recall is not None]
    titles = [f.title for f in figures if f.title is not None]
    print(
        f"\nverdicts right {sum(f.verdict for f in figures)}/{len(figures)}, crashes "
        f"{sum(f.status.startswith('crash') for f in figures)}, mean recall "
        f"{sum(recalls) / max(1, len(recalls)):.4f} of {len(recalls)}, statements found "
        f"{sum(f.statements[0] for f in figures)}/{sum(f.statements[1] for f in figures)}, entries read as "
        f"prose "
        f"{sum(f.entries_in_prose for f in figures)}, lists off by more than a tenth "
        f"{sum(map(_list_off, figures))}, titles right {sum(map(bool, titles))}/{len(titles)}, "
        f"{sum(f.seconds for f in figures):.1f} s"
    )


def _list_off(figures: Figures) -> bool:
    read, wanted = figures.references
    return wanted is not None and abs(read - wanted) > max(1, 0.1 * wanted)


def worse(before: dict[str, Any], now: Figures) -> list[str]:
    """In what a file is worse than it was."""
    found = []
    if before["verdict"] and not now.verdict:
        found.append("verdict")
    if before["recall"] and now.recall is not None and now.recall < before["recall"] - 0.005:
        found.append(f"recall {before['recall']:.3f} -> {now.recall or 0.0:.3f}")
    if now.statements[0] < before["statements"][0]:
        found.append(f"statements {before['statements'][0]} -> {now.statements[0]}")
    if now.entries_in_prose > before["entries_in_prose"]:
        found.append(f"entries in prose {before['entries_in_prose']} -> {now.entries_in_prose}")
    if before["title"] and not now.title:
        found.append("title")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--json", type=Path, help="keep the figures here")
    parser.add_argument("--quick", action="store_true", help="leave out the recall, which takes longest")
    parser.add_argument("--before", type=Path, help="compare with figures that were kept")
    options = parser.parse_args()
    files = [file for file in sorted(options.folder.iterdir()) if file.suffix != ".md"]
    if not files:
        sys.exit(f"no documents in {options.folder}")
    figures = [measure(file, options.quick) for file in files]
    table(figures)
    if options.json:
        options.json.write_text(json.dumps([asdict(f) for f in figures], indent=1))
    if options.before:
        earlier = {f["file"]: f for f in json.loads(options.before.read_text())}
        for f in figures:
            if f.file in earlier and (found := worse(earlier[f.file], f)):
                print(f"worse: {f.file}: {', '.join(found)}")


if __name__ == "__main__":
    main()
