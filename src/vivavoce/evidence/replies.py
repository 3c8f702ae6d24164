"""Does a reply in words say something, or that there is nothing to say?

Readers that answer in words (language models, people, other tools) say "the paper does not report it" in many
ways: "I don't know", "Not mentioned.", "N/A", "Unfortunately, the provided context does not specify ...", and
then often go on with what is common elsewhere. `says_nothing` tells these from answers, in English;
`reported` combines that with a yes or no, where the reply has one.

A reply is taken apart into sentences, and these into clauses. A clause is one of these:

- a *denial*: the text does not say it, or it can't be known. What is denied must be saying, not doing: "No
  augmentation was mentioned" is a denial, "No augmentation was applied" a fact. A denial of the whole
  question ("I don't know the answer") is a *surrender*;
- a *guess*: what may be, can be inferred, or is common;
- *about*: what the text is about or goes into, as in "The provided text describes ...";
- a *remark*: what one may do to find out;
- a *fact*: anything else.

A reply that only denies says nothing, and one without a denial says something. One sentence is decided by
its last clause, and a reply that ends in its first surrender says nothing. Longer ones that both deny and
tell ("The text does not name it. However, it mentions ...") are decided by what people made of such replies
(`mixed_replies`): of 2,517 replies whose yes or no people decided, these are two in three.
"""

import re
from collections.abc import Sequence

from vivavoce.evidence.mixed_replies import tells

LONGEST_REPLY = 20_000
"""Characters that are looked at: a reply has a few hundred, and what a table holds is not to be trusted."""


DENIALS = ("denial", "surrender")


def reported(yes: bool | None, text: str) -> bool | None:
    """Does a reply report something? `yes` is its own yes or no, if it gives one, and `text` its words. "I
    don't know" counts as no, whatever `yes` is. None when there is neither."""
    if not text.strip():
        return yes
    return yes is not False and not says_nothing(text)


def says_nothing(text: str) -> bool:
    """Do these words say that there is nothing to say? A text without letters and digits says nothing."""
    text = text[:LONGEST_REPLY]
    plain = plain_words(text)
    if _BARE.fullmatch(plain.strip(" .,;:!?-–—/()[]\"'\n")):
        return True
    sentences, kinds = clauses(plain)
    if is_mixed(kinds):
        return not tells(text, sentences, kinds)
    if not kinds:
        return False
    first = next((some for some in kinds if set(some) != {"about"}), ["about"])
    return kinds[-1][-1] == "surrender" or first[-1] in DENIALS


def is_mixed(kinds: Sequence[Sequence[str]]) -> bool:
    """Does a reply of several sentences, with clauses of these kinds, both deny and tell? Telling what the
    text is about and ending in "I don't know" is no answer, so that is left to the rule."""
    denies = [kind in DENIALS for some in kinds for kind in some]
    if len(kinds) < 2 or len(set(denies)) < 2:
        return False
    return any(denies[:-1]) or kinds[-1][-1] != "surrender"


def clauses(plain: str) -> tuple[list[str], list[list[str]]]:
    """The sentences of a plain text that have clauses, and what these are."""
    found = [(sentence, some) for sentence in _SENTENCE.split(plain) if (some := _kinds(sentence))]
    return [sentence for sentence, _ in found], [some for _, some in found]


def _kinds(sentence: str) -> list[str]:
    """What each of its clauses is, but for remarks."""
    clauses = [clause for piece in _CLAUSE.split(sentence) if (clause := piece.strip(" .,;:!?\"'"))]
    return [kind for clause in clauses if (kind := _kind(clause)) not in ("", "remark")]


# Words

_SOURCE = (
    r"(?:contexts?|texts?|papers?|articles?|stud(?:y|ies)|passages?|documents?|information|excerpts?|"
    r"snippets?|"
    r"extracts?|publications?|manuscripts?|authors?|sources?|pieces?|materials?|abstracts?|sections?|"
    r"sentences?|"
    r"content|query|researchers?|references?|chunks?|paragraphs?|parts?|report|details|it|they|there)"
)
_HOW = (
    r"(?:\s(?:explicitly|specifically|directly|clearly|actually|really|fully|further|even|also|any|much|"
    r"enough|"
    r"explicit|specific|detailed|direct|clear|sufficient|exact|precise|further|additional|such|otherwise|"
    r"necessarily|exactly|precisely|currently|yet|at all|seem to|appear to|in detail|in the \w+(?: \w+)?))*"
)
_SAY = (
    r"(?:mention|specif|stat|provid|describ|giv|contain|includ|discuss|report|disclos|indicat|address|"
    r"detail|list|"
    r"reveal|say|tell|offer|elaborat|delv|explain|outlin|name|identif|present|cover|refer|defin|clarif|"
    r"answer|"
    r"touch|talk|go into|focus|suppl|shar|document|show|not|record|hav|convey|highlight|point|pertain|"
    r"relate)\w*"
)
_SAID = (
    r"(?:mentioned|specified|stated|provided|described|given|reported|discussed|disclosed|indicated|"
    r"addressed|"
    r"detailed|listed|revealed|explained|outlined|named|identified|presented|covered|defined|clarified|"
    r"supplied|"
    r"shared|documented|shown|noted|recorded|said|found in|present in|elaborated|made explicit|part of|"
    r"included in|contained in|available in the|evident|spelled out)"
)
_KNOWLEDGE = (
    r"(?:information|info|mentions?|details?|indications?|descriptions?|references?|evidence|statements?|"
    r"specifics|"
    r"discussions?|answers?|explanations?|clues?|hints?|data (?:available )?(?:on|about)|context|knowledge)"
)
_FIND = (
    r"(?:answer|determine|find|provide|say|tell|identify|give|confirm|ascertain|infer|deduce|conclude|"
    r"pinpoint|"
    r"locate|know|specify|state|establish|derive|extract|see|offer|accurately|definitively|directly)"
)
_UNCLEAR = (
    r"(?:unclear|unknown|uncertain|undisclosed|unspecified|unstated|unreported|not (?:\w+ly )?(?:clear|"
    r"known|certain))"
    r"(?=$|,| (?:which|whether|if|how|what|who|where|when|why|from|based|at|in the (?:text|paper|context|"
    r"\w+ "
    r"(?:text|context|passages?|information)))\b)"
)
"""Of what one wants to know: "the species was unclear to both annotators" is an answer."""
_NOT = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|may|might)\snot"

_BARE = re.compile(
    r"|(?:none|nil|null|nan|n/?\s?a|n/?[dr]|n\.\s?[adr]|nothing|no|unknown|unclear|unspecified|unstated|"
    r"undisclosed|"
    r"unreported|missing|absent|blank|empty|not applicable|not available|not found|not sure|no idea|"
    r"no answer|"
    r"no response|no data|tbd|[\W_]*)"
)
"""The whole reply, without punctuation around it."""

_DENIAL = re.compile(
    rf"\b{_SOURCE}\b[^,]{{0,60}}?\s{_NOT}{_HOW}\s{_SAY}"
    rf"|\b(?:is|are|was|were|been|be)\snot{_HOW}\s{_SAID}"
    rf"|\bno(?:t any)?(?:\s(?!longer|other|only|more|less)[\w/-]+){{0,6}}?\s{_KNOWLEDGE}\b"
    rf"|(?:^|\b(?:is|are|was|were) )(?:none|nothing|no)\b[^,]{{0,80}}?\s(?:is |are |was |were |has been |"
    rf"have been |being )?{_SAID}"
    r"|\bno (?:direct |specific |explicit |public |such )*(?:links?|urls?)\b"
    r"|\bi can (?:still )?(?:give|provide|offer|share|explain|tell) (?:you )?(?:with )?(?:some |a |"
    r"an )?(?:general|brief|common|typical)"
    rf"|^(?:do|does|did) not{_HOW}\s{_SAY}"
    rf"|^not(?:\s\w+ly)?\s(?:{_SAID}|available|applicable|found|clear|sure|enough)"
    r"|^none of (?:this|these|those|them|that|it|the above)\b|^nothing (?:in|about) (?:this|the)\b"
    rf"|\b(?:not (?:have |provide |give |contain |offer |include )?(?:enough|sufficient)|insufficient|"
    rf"lack of|lacks?|"
    rf"without (?:any |more |further |additional |explicit |specific )*|too little|limited)"
    rf"(?:\s\w+){{0,3}}?\s?{_KNOWLEDGE}"
    rf"|(?:^|\b(?:is|are|was|were|remains?) )(?:\w+ly |also |still )?{_UNCLEAR}"
    rf"|\b(?:impossible|not possible|difficult|hard|challenging|"
    rf"not feasible) (?:for me )?to (?:\w+ly )?{_FIND}"
    rf"|\bcan not be (?:\w+ly )?(?:determined|answered|inferred|found|ascertained|identified|deduced|"
    rf"provided|derived|"
    rf"established|given|confirmed|concluded)"
    r"|\b(?:mention|information|details?|description)s? (?:of|on|about|regarding)\b.{0,80}\s(?:missing|"
    r"absent|lacking)"
    rf"|^nowhere\b.{{0,60}}{_SAY}|\b{_SOURCE}\b[^,]{{0,40}}\s(?:fails?|failed) to {_SAY}"
)

_SURRENDER = re.compile(
    r"^(?:do|did) not know\b|\b(?:i|we) (?:do|did) not (?:\w+ly )?(?:know|have)\b"
    rf"|\b(?:i|we) (?:can|could|was|were|am|would) not (?:able to )?(?:\w+ly )*{_FIND}"
    rf"|\b(?:am|was|are|were|be) (?:not able|unable) to (?:\w+ly )*{_FIND}"
    r"|\bi(?:'m| am)? (?:not sure|not aware|uncertain)\b|\bno idea\b"
    r"|\b(?:can not|could not|not possible to|impossible to|unable to) (?:\w+ly )?"
    r"(?:be answered|answer|provide an? (?:\w+ )?answer)"
    r"|\b(?:answer|question|query)\b[^,]{0,40}\s(?:is|are|was|were) (?:unknown|unclear|not)\b"
)

_GUESS = re.compile(
    r"\b(?:infer\w*|assum\w+|possibl[ey]|possibility|probabl[ey]|likely|may|might|could|perhaps|"
    r"presumabl[ey]|"
    r"suggest\w*|impl(?:y|ies|ied|ying)|typical(?:ly)?|general(?:ly)?|common(?:ly)?|usually|often|would|"
    r"speculat\w+|hypothetical(?:ly)?|potential(?:ly)?|reasonable|indirectly|educated guess|can (?:be used|"
    r"include|involve)|seems?|appears?)\b"
)

_CAREFUL = re.compile(r"\b(?:it )?(?:appears?|seems?)(?: that| to)?\b")
_DIGIT = re.compile(r"\d")

_ABOUT = re.compile(
    rf"^(?:the|this|these|both|all|each|only|your)?\s?(?:\w+\s){{0,3}}?{_SOURCE}\b(?:\s(?:you|that|i|we|"
    rf"was|were|is|are|"
    r"have|has|been|provided|given|here|above|from|in|the|of|paper|text|context|study|article))*"
    r"(?:\s(?:only|primarily|mainly|mostly|also|just|merely|does|do|instead|simply|briefly))*\s"
    r"(?:focus\w*|discuss\w*|appears?|seems?|describ\w+|mention\w*|talks?|deals?|provides?|is about|"
    r"are about|refers?|"
    r"states?|concerns?|presents?|contains?|includes?|highlights?|details?|outlines?|covers?|revolves?|"
    r"relates?|"
    r"primarily|explains?|lists?|compares?|gives?|consists?|centers?|emphasi[sz]es?)\b"
)

_REMARK = re.compile(
    r"\b(?:please|let me know|feel free|if you|if there|you (?:may|can|could|would|should|might|need)|"
    r"i would|"
    r"i(?:'d| can) (?:be happy|recommend|suggest)|would (?:need|require|be necessary)|further research|"
    r"i apologi[sz]e|"
    r"i(?:'m| am) (?:so )?sorry|thank you|hope this helps|it is (?:important|worth) (?:to note|noting)|"
    r"i (?:regret|am happy|will|shall))\b|^(?:sorry|apologies|note|answer|response|unfortunately|"
    r"helpful answer)$"
)

_LEAD = re.compile(
    r"^(?:(?:unfortunately|regrettably|sadly|sorry|i(?:'m| am) (?:so |very )?sorry(?: for \w+ \w+)?|"
    r"i apologi[sz]e(?: for "
    r"\w+ \w+)?|therefore|thus|hence|so|in conclusion|in summary|overall|as such|to summari[sz]e|"
    r"as a result|"
    r"consequently|additionally|also|furthermore|moreover|and|or|in this case|answer|response|"
    r"helpful answer|well|"
    r"that|i regret to inform you that|based (?:solely |only )?on [^,]{0,60}|according to [^,]{0,60}|"
    r"from [^,]{0,60}|"
    r"given [^,]{0,60}|in the [^,]{0,40}|in (?:this|these) [^,]{0,40}|as (?:mentioned|stated)[^,]{0,40}|"
    r"however|but|nevertheless|nonetheless|that (?:being )?said|still|yet|instead|though|"
    r"it is (?:important|worth)"
    r" (?:to note|noting) that|please note that|note that)(?:[,:]\s*|\s+(?:but|that)\s+|\s+(?=(?:i|it|"
    r"the|there|do|does|did)\b)))+"
)
_CONCESSION = re.compile(
    r"^(?:while|although|though|even though|despite)\b.*?,\s(?=(?:it|the|there|they|he|she|this|these|"
    r"those|we|i|some|"
    r"several|one|based|an?|authors|their|both|all|other)\b)"
    r"|^(?:while|although|though|even though|despite)\b[^,]*,\s"
)
_SENTENCE = re.compile(r"(?<=[.!?:])[\"')\]]*\s+|\n+|;\s+")
_CLAUSE = re.compile(
    r",?\s+(?=(?:but|however|although|though|yet)\b)|,\s+(?=(?:and|nor|so)\s(?:it|the|i|there|they)\b)"
)
_PLAINER = (
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bdont\b"), "do not"),
    (re.compile(r"\bit's\b"), "it is"),
    (re.compile(r"\([^()\n]{0,400}\)"), " "),
    (re.compile(r"[*_#`>]+|^\s*(?:[-•]|\d+[.)])\s+", re.MULTILINE), " "),
    (re.compile(r"[ \t\r\f\v]+"), " "),
)
_SHORT = re.compile(r"\b(et al|e\.g|i\.e|vs|fig|figs|no|approx|cf|resp|eq|sec)\.")


def plain_words(text: str) -> str:
    """In small letters, with whole words for short forms, and without marks of layout and asides."""
    plain = text.replace("’", "'").replace("‘", "'").lower()
    for pattern, instead in _PLAINER:
        plain = pattern.sub(instead, plain)
    return _SHORT.sub(lambda short: short[1].replace(".", ""), plain).strip()


def _kind(clause: str) -> str:
    """Of a clause, or nothing for one without words."""
    lead = _LEAD.match(clause)
    rest = clause[lead.end() :] if lead else clause
    if conceded := _CONCESSION.match(rest):
        rest = rest[conceded.end() :]
    if not any(letter.isalnum() for letter in rest):
        return ""
    if _SURRENDER.search(rest):
        return "surrender"
    if rest.startswith(("not only", "no longer")):
        return "fact"
    if _DENIAL.search(rest) or _BARE.fullmatch(rest):
        return "denial"
    if _REMARK.search(rest):
        return "remark"
    # "It appears that 32 cores were used" is careful, but no guess.
    if _DIGIT.search(rest):
        rest = _CAREFUL.sub("", rest).strip()
    if _GUESS.search(rest):
        return "guess"
    return "about" if _ABOUT.match(rest) else "fact"
