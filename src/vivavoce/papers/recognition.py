"""Which of our formats a file has, decided by what it holds: endings are often wrong, and a download is often
a web page. For what is no paper, the error says what it is and what to do.

The ending only decides between formats that look alike: Markdown and plain text, HTML fragments.
"""

import codecs
import io
import re
import zipfile

from vivavoce.errors import PaperError
from vivavoce.records import PaperWarning

MARKDOWN = (".md", ".markdown")
HTML = (".html", ".htm", ".xhtml")
XML = (".xml", ".nxml")

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"AT&TFORM", "a DjVu document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.doc, .xls or .ppt)"),
    (b"%!", "PostScript"),
)
"""First bytes of what can be turned into a PDF or DOCX, and what it's called."""

ARCHIVES: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"(\xb5/\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
)

ZIPS: tuple[tuple[str, str], ...] = (
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
    ("visio/", "a Visio drawing"),
)
"""Names inside a zip file that tell what it is."""


BIBLIOGRAPHIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("BibTeX", re.compile(r"^\s*@(?!comment|string|preamble)[a-z]+\s*[{(]\s*[^\s,{}]*\s*,", re.I | re.M)),
    ("RIS", re.compile(r"^TY {1,2}- *\w", re.M)),
    ("PubMed", re.compile(r"^PMID- *\d", re.M)),
    ("EndNote", re.compile(r"^%0 \w", re.M)),
)
"""Lists of references, and what each of their entries begins with."""
BIBLIOGRAPHY_START = re.compile(r"(?:\s|%(?!0 )[^\n]*\n)*(?:@[a-z]+\s*[{(]|TY {1,2}- |PMID- *\d|%0 \w)", re.I)
"""How such a file begins, after comments."""


def format_name(data: bytes, name: str) -> str:
    """The format of a file with these bytes and this name; `PaperError` says what it is when it's none."""
    if _is_pdf(data):
        return "pdf"
    for start, what in SIGNATURES:
        if data.startswith(start):
            raise PaperError(f"is {what}; save it as PDF or DOCX.")
    if data.lstrip()[:5] == b"{\\rtf":
        return "rtf"
    for start, what in ARCHIVES:
        if data.startswith(start):
            raise PaperError(f"is {what}; unpack it first.")
    if data.startswith(b"PK\x03\x04"):
        return _zip(data)
    if data.startswith(b"version https://git-lfs.github.com/"):
        raise PaperError("is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`.")
    head = _head(data)
    ending = name.lower()
    markup = _markup(head, ending)
    if markup:
        return markup
    if not _is_text(data, head):
        raise PaperError("is of no known format; save it as PDF or DOCX.")
    _refuse_bibliography(data, head)
    return "markdown" if ending.endswith(MARKDOWN) else "text"


def _refuse_bibliography(data: bytes, head: str) -> None:
    if not BIBLIOGRAPHY_START.match(head):
        return
    text = data.decode(_encoding(data), "replace")
    for kind, entry in BIBLIOGRAPHIES:
        if entry.search(head):
            many = len(entry.findall(text))
            raise PaperError(
                f"is a bibliography ({kind}, {many:,} {'entry' if many == 1 else 'entries'}), not a paper; "
                "give the PDFs of the papers that it lists."
            )


def doubts(format: str, name: str) -> tuple[PaperWarning, ...]:
    """A warning when what is inside suggests that the download went wrong."""
    if format in ("html", "text") and name.lower().endswith((".pdf", ".docx")):
        what = "a web page" if format == "html" else "plain text"
        said = f"the file is {what} in spite of its ending: was a login page saved instead of the paper?"
        return (PaperWarning("wrong_ending", said),)
    return ()


def _is_pdf(data: bytes) -> bool:
    """As Acrobat has it: the header stands somewhere in the first 1024 bytes. When it isn't right at the
    start, there must be an object too, since a text may talk about PDF."""
    at = data.find(b"%PDF-", 0, 1024)
    return at >= 0 and (not data[:at].strip(b"\xef\xbb\xbf\0 \t\r\n") or b" obj" in data)


def _zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise PaperError("is a damaged zip file (DOCX is one, too); download it again.") from None
    # Word itself writes `document2.xml` at times.
    if any(re.fullmatch(r"word/document\d*\.xml", entry) for entry in names):
        return "docx"
    if "META-INF/container.xml" in names:
        return "epub"
    if "content.xml" in names:
        return "odt"
    for start, what in ZIPS:
        if any(entry.startswith(start) for entry in names):
            raise PaperError(f"is {what}; save it as PDF or DOCX.")
    raise PaperError("is a zip archive with no paper in it that we know; unpack it first.")


def _encoding(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return encoding
    if data.startswith(b"<\0"):
        return "utf-16-le"
    if data.startswith(b"\0<"):
        return "utf-16-be"
    if data.count(0) > len(data) // 4:  # as `cleaning.decode` has it
        return "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    return "utf-8"


def _head(data: bytes) -> str:
    """The first characters, for looking at markup: wrong bytes don't matter there."""
    return data[:65536].decode(_encoding(data), "replace").lstrip("\ufeff \t\r\n\f")


PROLOG = re.compile(
    r"""\s+ | <\?.*?\?> | <!--.*?-->
    | <!DOCTYPE (?: [^\[>"']++ | "[^"]*" | '[^']*' )*+ (?: \[ .*? \]\s* )? >""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)(?=[\s/>])")
ARTICLE = re.compile(r"<(?:[\w.-]+:)?article[\s>]")
DOCTYPE = re.compile(r"<!DOCTYPE\s+html\b", re.IGNORECASE)

PUBLISHERS: tuple[tuple[str, frozenset[str], re.Pattern[str]], ...] = (
    ("tei", frozenset({"tei", "teicorpus"}), re.compile(r"")),
    (
        "elsevier",
        frozenset(
            {"document", "full-text-retrieval-response", "article", "converted-article", "simple-article"}
        ),
        re.compile(r"elsevier\.com/xml|<(?:ja:)?item-info|<ce:[a-z]"),
    ),
    ("wiley", frozenset({"component"}), re.compile(r"wiley|<publicationMeta")),
    ("bmc", frozenset({"art"}), re.compile(r"<(?:fm|bdy|ui)\b")),
    (
        "springer",
        frozenset({"publisher", "article", "journal"}),
        re.compile(r"<(?:ArticleInfo|ChapterInfo)\b"),
    ),
    ("nature", frozenset({"article"}), re.compile(r"<(?:pubfm|fm|bdy|atl)[\s>]")),
    ("rsc", frozenset({"article"}), re.compile(r"<art-(?:front|body|admin)\b")),
)
"""Publishers' own XML: the format, what its root may be, and what must be in it."""


def _publisher(head: str, root: str) -> str | None:
    """Whose own XML this is; JATS says what it is by names that the others don't have."""
    if root == "article" and _like_jats(head):
        return None
    return next(
        (name for name, roots, inside in PUBLISHERS if root.lower() in roots and inside.search(head)), None
    )


def _root(head: str) -> tuple[str, int]:
    """The name of the first element and where it stands; empty when the text doesn't begin with markup."""
    at = 0
    while found := PROLOG.match(head, at):
        at = found.end()
    root = ROOT.match(head, at)
    return (root[1], at) if root else ("", at)


def _markup(head: str, ending: str) -> str | None:
    if not head.startswith("<"):
        # A fragment with text in front; browsers show it as HTML because of its ending.
        return "html" if ending.endswith(HTML) and re.search(r"</?[a-zA-Z]+[\s>]", head) else None
    root, at = _root(head)
    if root.lower() in ("html", "head", "body") or DOCTYPE.search(head, 0, at):
        return "html"
    if publisher := _publisher(head[at:], root):
        return publisher
    if root in ("article", "pmc-articleset") and not (ending.endswith(HTML) and not _like_jats(head[at:])):
        return "jats"
    if head.startswith("<?xml") or ending.endswith(XML):
        article = ARTICLE.search(head, at)
        if article and _like_jats(head[article.start() :]):  # in a wrapper, such as <OAI-PMH>
            return "jats"
        if not root:
            raise PaperError("is XML without a root element, likely cut short; download it again.")
        raise PaperError(
            f"is XML, but not of a known kind (its root is <{root}>); save the paper as JATS, TEI, PDF or "
            f"DOCX."
        )
    if ending.endswith(HTML):
        return "html"
    if not ending.endswith(MARKDOWN) and re.search(r"<(?:head|body|html)[\s>]", head[:4096], re.IGNORECASE):
        return "html"
    return None


def _like_jats(article: str) -> bool:
    """`<article>` is a tag of HTML, too."""
    return bool(
        re.search(
            r"<(?:front|article-meta|journal-meta)[\s>]|<article[^>]*\s(?:article-type|dtd-version)=", article
        )
    )


def _is_text(data: bytes, head: str) -> bool:
    encoding = _encoding(data)
    if encoding == "utf-8" and b"\0" in data:
        return False
    sample = data[:65536]
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        # Not Unicode, so a Western 8-bit encoding or no text at all. In random bytes a quarter are controls
        # or high; in text in such an encoding nearly all are letters, spaces and signs.
        odd = sum(byte < 9 or 13 < byte < 32 or 127 <= byte < 160 for byte in sample)
        high = sum(byte >= 128 for byte in sample)
        return odd <= 0.02 * len(sample) and high <= 0.3 * len(sample)
    odd = sum(not (c.isprintable() or c.isspace() or c == "\ufeff") for c in head)
    return odd <= 0.05 * len(head)
