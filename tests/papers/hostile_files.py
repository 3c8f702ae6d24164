"""Files made to hurt whoever reads them. Each function returns the bytes of one."""

import io
import random
import zlib
from typing import Any

from reportlab.lib import pdfencrypt
from reportlab.pdfgen.canvas import Canvas

SENTENCE = "We trained the network on 300 pictures of bees."


def pdf(objects: dict[int, bytes]) -> bytes:
    """A PDF file of these objects, number 1 being the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (max(places) + 1)
    for number in range(1, max(places) + 1):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (max(places) + 1, start)
    return bytes(out)


def stream(content: bytes, extra: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    return b"<</Length %d/Filter/FlateDecode%s>>stream\n%s\nendstream" % (len(packed), extra, packed)


def page(content: bytes, size: str = "612 792", resources: bytes = b"", **more: bytes) -> bytes:
    """A PDF of one page; `more` are further objects, o6=..., o7=..."""
    return pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>%s>>>>"
            % (size.encode(), resources),
            4: stream(content),
            5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            **{int(name[1:]): body for name, body in more.items()},
        }
    )


def line(text: str, y: int = 700) -> bytes:
    return b"BT /F 11 Tf 72 %d Td (%s) Tj ET\n" % (y, text.encode())


def plain(pages: int = 2) -> bytes:
    """A harmless PDF of reportlab's, which the others are measured against."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    for number in range(pages):
        canvas.setFont("Helvetica", 11)
        for row in range(10):
            canvas.drawString(72, 750 - 14 * row, f"{SENTENCE} This is row {row} of page {number + 1}.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def encrypted() -> bytes:
    out = io.BytesIO()
    lock = pdfencrypt.StandardEncryption("open sesame", "owner", strength=128)
    canvas = Canvas(out, encrypt=lock)
    canvas.drawString(72, 700, SENTENCE)
    canvas.save()
    return out.getvalue()


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (10 + number) for number in range(count))
    sheet = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    return pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids),
            4: stream(line(SENTENCE)),
            5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            **{10 + number: sheet for number in range(count)},
        }
    )


def false_count() -> bytes:
    """Says that it has two thousand million pages."""
    return plain().replace(b"/Count 2", b"/Count 2000000000")


def text_bomb(operators: int = 5_000_000) -> bytes:
    """Millions of words on one page, compressed to a few hundred kilobytes."""
    return page(b"BT /F 11 Tf 72 700 Td\n" + b"(bees and bees )Tj\n" * operators + b"ET")


def path_bomb(operators: int = 10_000_000) -> bytes:
    """Millions of lines drawn on one page."""
    return page(line(SENTENCE) + b"0 0 m 9 9 l S\n" * operators)


def stream_bomb() -> bytes:
    """A page's content that unpacks, twice packed, to 1 GB."""
    once = zlib.compressobj(1)
    chunk = bytes(1 << 20)
    packed = b"".join(once.compress(chunk) for _ in range(1024)) + once.flush()
    twice = zlib.compress(packed, 9)
    return pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>",
            4: b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream" % (len(twice), twice),
        }
    )


FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]"


def self_reference() -> bytes:
    """A form that draws itself."""
    own = b"/Resources<</XObject<</X 6 0 R>>/Font<</F 5 0 R>>>>"
    return page(
        b"/X Do", resources=b"/XObject<</X 6 0 R>>", o6=stream(line(SENTENCE) + b"/X Do /X Do", FORM + own)
    )


def form_tree(depth: int = 30) -> bytes:
    """Each form draws the next one ten times: 10 to the power of `depth` forms in all."""
    forms: dict[str, Any] = {}
    for level in range(depth):
        below = b"/Resources<</XObject<</X %d 0 R>>/Font<</F 5 0 R>>>>" % (7 + level)
        forms[f"o{6 + level}"] = stream(b"/X Do " * 10, FORM + below)
    forms[f"o{6 + depth}"] = stream(line(SENTENCE), FORM + b"/Resources<</Font<</F 5 0 R>>>>")
    return page(b"/X Do", resources=b"/XObject<</X 6 0 R>>", **forms)


def form_chain(depth: int = 20_000) -> bytes:
    """Forms one in another, deeper than any stack."""
    forms: dict[str, Any] = {}
    for level in range(depth):
        below = b"/Resources<</XObject<</X %d 0 R>>>>" % (7 + level)
        forms[f"o{6 + level}"] = stream(b"/X Do", FORM + below)
    forms[f"o{6 + depth}"] = stream(line(SENTENCE), FORM + b"/Resources<</Font<</F 5 0 R>>>>")
    return page(b"/X Do", resources=b"/XObject<</X 6 0 R>>", **forms)


def huge_image() -> bytes:
    """Text on a page with a picture that says it has 60,000 by 60,000 pixels."""
    image = stream(
        bytes(1000),
        b"/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceRGB/BitsPerComponent 8",
    )
    return page(line(SENTENCE) + b"q 600 0 0 600 0 0 cm /X Do Q", resources=b"/XObject<</X 6 0 R>>", o6=image)


def huge_page() -> bytes:
    """A page of 40 by 40 kilometres."""
    return page(line(SENTENCE), size="100000000 100000000")


def page_loop() -> bytes:
    """A tree of pages whose branch is its own root."""
    return pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9/Parent 2 0 R>>",
        }
    )


def deep_arrays() -> bytes:
    """Arrays nested a million deep, where a parser expects a number."""
    return plain().replace(b"/Count 2", b"/Count " + b"[" * 1_000_000)


def mutants(count: int, seed: int) -> list[bytes]:
    """A harmless PDF with a few bytes changed, removed or repeated, `count` times."""
    dice = random.Random(seed)
    whole = plain()
    made = []
    for _ in range(count):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 12)):
            at = dice.randrange(len(data))
            match dice.randrange(4):
                case 0:
                    data[at] = dice.randrange(256)
                case 1:
                    data[at] ^= 1 << dice.randrange(8)
                case 2:
                    del data[at : at + dice.randint(1, 40)]
                case 3:
                    data[at:at] = data[at : at + dice.randint(1, 40)]
        made.append(bytes(data))
    return made
