"""Where the sentences of a paragraph begin and end, for scientific English.

One regular expression finds every place that could end a sentence: a full stop, a question or an
exclamation mark, with whatever closes behind it (brackets, quotation marks, a citation number), then
white space. For each of these a small function looks at the word before and the word after. It leans
towards not splitting: two sentences in one span still hold the quote, half a sentence doesn't.

Decided here, since the text alone doesn't say:
- After an abbreviation ("et al.", "Fig.", "Inc.", initials) a sentence ends only before a word that
  opens sentences and hardly anything else ("The", "However", ...), never before a bracket or a number.
- Before a small letter a sentence ends only when the next word can't be an ordinary one: "k-fold",
  "mRNA", "ggplot2".
- A label is no sentence: "1.", "2.1.", "(a)", "Figure 3." stay with the words that follow.
- A citation number after the full stop ("birds.9 In", "birds.[3] In") belongs to the sentence before it.
- Colons and semicolons never end a sentence, but a "sentence" of more than `LONGEST_SENTENCE` characters is
  most likely a list or a table that lost its lines, and is broken after semicolons.
"""

import re

LONGEST_SENTENCE = 1500
"""A longer sentence is broken after semicolons, where it has any."""

_CANDIDATE = re.compile(
    r"""
    (?P<mark>(?<![.!?…])[.!?…]++)                             # a row of dots is tried once
    (?P<close>
        [)\]}"'”’»]*                                             # closes what the sentence opened
        (?P<note>(?<=[a-z)\]][.!?])\d{1,3}(?:[,–-]\d{1,3})*      # birds.9,10 In
          |[⁰¹²³⁴-⁹]+(?:[,⁻–-][⁰¹²³⁴-⁹]+)*
          |\ ?\[\d[\d,;\ –-]*\](?=\s+["“(]?[A-Z])                # birds.[3] In
          |\ [”»](?=\s)
        )?
    )
    (?:\s+(?=[^\s,;:.)\]}%/&=<>+])
      |(?<=[a-z)\]]\.)(?=(?:The|This|These|We|In|It|For|However|Our|Here|To)\s)  # a lost space: used.The
    )
    """,
    re.VERBOSE,
)


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_NEVER = _words(
    """
    e.g i.e eg ie cf Cf vs viz Dr Prof Mr Mrs Ms St Mt E.g I.e resp incl excl esp aff c.f s.t w.r.t
    """
)
"""A sentence never ends with these."""

_SELDOM = _words(
    """
    al Al Fig Figs fig figs FIG FIGS Tab Tabs tab Eq Eqs eq eqs Eqn Eqns eqn eqns Ref Refs ref refs Sect
    Sects Sec Secs sect Chap Ch App Appx Suppl suppl Supp supp Alg Def Thm Lem Prop Ex ex Vol Vols vol
    vols pp p pg Nos nos ca Ca approx Approx sp subsp ssp var Var cv nov comb gen Inc Ltd Co Corp GmbH
    LLC Bros Univ Dept Inst Lab Acad Natl Int Intl Conf Proc Symp Trans Rev Sci Biol Ecol Evol Lett Res
    Soc Ann Bull Appl Comput Mach Learn Syst Environ Phys Chem Med Stat Nat Mech Adv Ser ser Ed Eds ed
    eds Hrsg Jr Sr Ph.D PhD M.Sc B.Sc Karst Mill Lam Willd Roxb Linn Thunb Hook Ehrh Jacq Benth Jan Feb
    Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec comm pers unpubl obs ibid op cit Gov Gen Col Capt Lt Sgt Hon
    dept avg Avg ver Ver Exp Rep Conserv Zool Entomol Inform Acoust Prog Agric
    """
)
"""A sentence ends with these only before one of `_OPENERS`."""

_OFTEN = _words(
    """
    etc spp a.m p.m
    """
)
"""Abbreviations that do end sentences: before any capital letter, but not before a number or a bracket."""

_BEFORE_NUMBER = _words(
    """
    No no v V vers version max Max min Min n N c ch app art Art sec mag lat lon
    """
)
"""Short for something only where a number follows: "No. 5", but "the answer was no. Then"."""

_OPENERS = _words(
    """
    The This These Those That There Thus Therefore Then Their They It Its In On At As For From We Our
    Here However Hence Moreover Furthermore Finally First Firstly Second Secondly Third Although Though
    Because Since When While Whereas With Without Within By Both Each Such Some Many Most All After
    Before During Additionally Also Another Using Given If Next Note Not Only Other Overall Similarly
    Specifically Subsequently Consequently Nevertheless Nonetheless Instead Unlike Despite Due Even
    Further Among Besides Currently Recently Previously Indeed Interestingly Importantly Likewise
    Meanwhile Once Until Unless Upon Under Through Throughout Where Which What Why How Is Are Was Were
    Can Could Should Will Would May Might Do Does Did Has Have He She You Your I An To So Several Few
    Every Compared According Based Following Regarding Towards
    """
)
_NAMES = _words(
    """
    An To So He Do She Most Both May Will Few Many I Given Second Case
    """
)
"""Openers that are also family names or initials: no sentence begins with one after an initial."""

_LETTERED = re.compile(
    r"""(?:\b(?:[Gg]roup|[Tt]ype|[Cc]lass|[Ss]ite|[Pp]lot|[Pp]anel|[Cc]ategory|[Vv]itamin|[Aa]ppendix|[Ll]evel|[Gg]rade
    |[Mm]odel|[Ss]cenario|[Tt]reatment|[Mm]ethod|[Cc]ase|[Ss]tation|[Zz]one|[Cc]luster|Figure|Table)\s\w
    |\b(?:in|using|with|software|language|program|environment|statistical)\sR
    |\d\s?[a-z]|[\s(][^\WA-Za-epv\d_])$""",
    re.VERBOSE,
)
"""One letter that is no initial, at a sentence's end: "group A.", "in R.", "at 1 m.", "the value of k."."""

_BULLETS = "•·▪■●◦‣∙"
_WORD_BEFORE = re.compile(r"""[^\s()\[\]{}"'“”‘’«»,;:/–—]+$""")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?)*(?<![^\W\d_])[^\W\d_]$")
_NEXT = re.compile(r"""(?P<open>[(\[{"'“”‘«„¿¡•·▪■●◦‣∙*–—-]*)\s*(?P<word>[\w.]*\w|)(?P<after>\W?)""")
_LABEL = re.compile(
    r"""[(\[]?(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Za-z](?:\.\d{1,2}){0,3}|[ivxIVX]{1,5}
    |(?:Supp\w*\.?\s|Extended\sData\s|Appendix\s|Online\s)?
     (?:Fig(?:ure|\.)?|FIG(?:URE|\.)?|Tab(?:le|\.)|TABLE|Box|Plate|Scheme|Algorithm|Appendix|Step|Section|Chapter)
     \s?[A-Z]?[\d.]*[A-Za-z]?)[)\]]?""",
    re.VERBOSE,
)
_ODD_WORD = re.compile(r"[a-z]{1,3}[A-Z]|[a-zα-ω]-[a-z]|[a-z]+\d|scikit-|[αβγδ]")
"""Small at the front and yet no ordinary word: mRNA, iNaturalist, k-fold, ggplot2."""


def split(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of one paragraph, whose lines are joined already.

    They come in order, don't overlap, neither begin nor end with white space, and cover every other
    character of the text."""
    spans: list[tuple[int, int]] = []
    start = len(text) - len(text.lstrip())
    for found in _CANDIDATE.finditer(text, start):
        if _ends(text, start, found):
            _add(text, start, found.end("close"), spans)
            start = found.end()
    end = len(text.rstrip())
    if start < end:
        _add(text, start, end, spans)
    return spans


def _add(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    """Adds the sentence, in pieces of at most `LONGEST_SENTENCE` characters where its semicolons allow."""
    while end - start > LONGEST_SENTENCE:
        cut = text.rfind("; ", start, start + LONGEST_SENTENCE) + 1
        if cut <= start:
            cut = text.find("; ", start, end) + 1
        if cut <= start:
            break
        spans.append((start, cut))
        start = cut
        while text[start].isspace():
            start += 1
    spans.append((start, end))


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    """Does the sentence that began at `start` end at the candidate?"""
    mark = found["mark"]
    following = _NEXT.match(text, found.end())
    assert following is not None  # every part of it may be empty
    opened, word = following.group("open", "word")
    if mark[0] != "." or len(mark) > 1:
        return _ends_loud(text, found, mark, opened, word)
    at = found.start()
    before = text[max(start, at - 40) : at].rstrip()
    found_word = _WORD_BEFORE.search(before)
    last = found_word.group() if found_word else ""
    if last in _NEVER or (at - start < 30 and _LABEL.fullmatch(text, start, at)):
        return False
    if opened and opened[0] in _BULLETS:
        return True
    if word[:1].islower() and not opened:
        return len(last) > 2 and last not in _SELDOM and _ODD_WORD.match(text, found.end()) is not None
    if found["note"] and (opened or not word[:1].isupper()):
        return False
    if not last:
        return bool(before)  # a bracket or a quotation mark stands before the full stop: "(2016).", "[3]."
    if word[:1].isdigit() and not opened:
        return _ends_before_number(before, last, following["after"])
    return _ends_before_word(text, before, last, following)


def _ends_before_word(text: str, before: str, last: str, following: re.Match[str]) -> bool:
    """Is the word after the full stop, or the bracket or quotation mark, the beginning of a sentence?"""
    opened, word = following.group("open", "word")
    if last in _OFTEN:
        return not opened
    if last in _SELDOM:
        if opened:
            return False
        return word in _OPENERS or (word == "A" and text[following.end() : following.end() + 1].islower())
    if _INITIALS.fullmatch(last):
        if opened:
            return False
        return (word in _OPENERS and word not in _NAMES) or _LETTERED.search(before) is not None
    # "the steps are: 1. Record": a number that counts what follows
    return not (last.isdigit() and len(last) < 3 and before[: -len(last)].rstrip()[-1:] in (":", ";"))


def _ends_before_number(before: str, last: str, after: str) -> bool:
    """Is the number after the full stop the beginning of a sentence?"""
    if last in _BEFORE_NUMBER or last in _SELDOM or last in _OFTEN or last == "0":
        return False  # "0. 5" is a decimal that a PDF pulled apart
    if after in (")", "]", ";", ",") or (_INITIALS.fullmatch(last) and not _LETTERED.search(before)):
        return False
    # A short capitalised word before a number is an abbreviation that we don't know.
    return not (len(last) <= 4 and last.istitle() and last.isalpha())


def _ends_loud(text: str, found: re.Match[str], mark: str, opened: str, word: str) -> bool:
    """A question mark, an exclamation mark or an ellipsis: an end where something new begins."""
    if mark[0] in ".…":
        # An ellipsis that stands apart leaves words out; one that is glued to a word may end a sentence.
        glued = found.start() > 0 and not text[found.start() - 1].isspace()
        return glued and word[:1].isupper() and "[" not in opened
    return not word[:1].islower() or bool(opened)
