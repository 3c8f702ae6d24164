"""Statements that JATS keeps in an article's metadata: who paid, where the data is.

A journal's page shows them as sections ("Funding", "Data availability"), and reviewers look for exactly
these; in
the file they are award groups, `custom-meta` and `related-object`. Here they become sections again, with a
heading and a sentence for each, made of the file's own words.
"""

import re
from collections.abc import Callable, Iterator

from vivavoce.papers.blocks import Block, block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.markup.walk import Element, local

Text = Callable[[Element], str]
"""The text of an element, as it is read elsewhere."""

_SECTIONS = (
    ("Data availability", re.compile(r"data\b.*(?:availab|access|sharing|archiv)|availab\w+ of data", re.I)),
    ("Code availability", re.compile(r"(?:code|software)\b.*availab|availab\w+ of (?:code|software)", re.I)),
    ("Funding", re.compile(r"fund|financial (?:support|disclosure)", re.I)),
    ("Competing interests", re.compile(r"(?:competing|conflicts? of) interest|disclosure", re.I)),
    ("Ethics", re.compile(r"\bethic|consent", re.I)),
    ("Trial registration", re.compile(r"trial.*(?:registr|number|id)|registration", re.I)),
)
"""Names of `custom-meta`, and the section that each belongs to."""
_FUNDERS = ("funding-source", "contract-sponsor", "grant-sponsor", "support-source")
_AWARDS = ("award-id", "contract-num", "grant-num")
_WORDS = re.compile(r"[^\W_]+")


def statements(article: Element, text_of: Text, already: str) -> list[Block]:
    """Blocks of the sections, those with something to say; what `already` has word for word is left out."""
    meta = next((e for e in article.iter() if local(e) in ("article-meta", "front-stub")), None)
    if meta is None:
        return []
    known = _folded(already)
    sections: dict[str, list[str]] = {}
    for heading, said in _found(meta, text_of):
        if _folded(said) not in known and said not in sections.setdefault(heading, []):
            sections[heading].append(said)
    return [
        item
        for heading, lines in sections.items()
        if lines
        for item in (block("heading", heading), *(block("prose", line) for line in lines))
    ]


def _found(meta: Element, text_of: Text) -> Iterator[tuple[str, str]]:
    """(section, sentence) of each statement, in the file's order."""
    for element in meta.iter():
        name = local(element)
        if (name == "funding-statement" and (said := text_of(element))) or (
            name == "award-group" and (said := _award(element, text_of))
        ):
            yield "Funding", said
        elif name in _FUNDERS + _AWARDS and local(element.getparent()) == "article-meta":
            yield "Funding", _ended(text_of(element))
        elif name == "custom-meta":
            label = next((text_of(e) for e in element if local(e) == "meta-name"), "")
            said = next((text_of(e) for e in element if local(e) == "meta-value"), "")
            section = next((section for section, names in _SECTIONS if names.search(label)), "")
            if section and len(said.split()) > 2:
                yield section, _ended(said)
        elif name == "related-object" and (said := _object(element, text_of)):
            trial = "trial" in " ".join(element.values()).lower()
            yield "Trial registration" if trial else "Data availability", said


def _award(group: Element, text_of: Text) -> str:
    """An award as a sentence: the funder, its numbers, who received it."""
    parts: dict[str, list[str]] = {"funder": [], "award": [], "name": [], "recipient": []}
    for element in group:
        name = local(element)
        if name in _FUNDERS:
            parts["funder"].append(_institution(element, text_of))
        elif name in _AWARDS:
            parts["award"].append(text_of(element))
        elif name in ("award-name", "award-desc"):
            parts["name"].append(text_of(element))
        elif name in ("principal-award-recipient", "principal-investigator"):
            people = [
                text_of(e) for e in element if local(e) in ("name", "string-name", "collab", "institution")
            ]
            parts["recipient"] += people or [text_of(element)]
    said = ", ".join(filter(None, (*parts["funder"], *parts["name"], *parts["award"])))
    recipients = ", ".join(filter(None, parts["recipient"]))
    if not said:
        return ""
    return _ended(f"{said} (to {recipients})" if recipients else said)


def _institution(element: Element, text_of: Text) -> str:
    """A funder by its name, without the identifiers that stand beside it."""
    named = [e for e in element.iter() if local(e) == "institution"]
    return ", ".join(map(text_of, named)) if named else text_of(element)


def _object(element: Element, text_of: Text) -> str:
    """Something related, such as a data set: its text and where it is."""
    said = text_of(element)
    where = element.get("source-id") or element.get("object-id") or element.get("document-id") or ""
    href = next((value for key, value in element.items() if key.endswith("href")), "")
    places = [clean(place) for place in (where, href) if place and clean(place) not in said]
    return _ended(", ".join([*filter(None, [said]), *dict.fromkeys(places)]))


def _ended(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))
