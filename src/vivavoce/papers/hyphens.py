"""A word broken at a line's end: is the hyphen its own ("two-/dimensional") or not ("con-/volutional")?

The document itself is the best witness: if the word stands unbroken somewhere else, solid or with its
hyphen, that decides. Failing that, capitals and digits keep the hyphen ("U-Net", "ResNet-50"), and so
do a few first and last parts that seldom go without; two words that the document uses on their own
keep it; anything else is a fragment and is joined.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

_BROKEN = re.compile(
    r"(?<![\w\u2010\u2011-])[^\W_]++(?:[-\u2010\u2011][^\W_]++)*+(?:[-\u2010\u00ad][ \t]*\n\s*|\ufffe\s*)\S+"
)
WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SUFFIXES = _set(
    "ability able ably age al ally ance ant ants ate ated ation ations ed ence en ened ens ently er ers es "
    "est fold form formed forming forms ful fully graphic graphy hood ible ier ies ing ings ion ions ise "
    "ised ish ism ist ity ize ized izing less ling logy ly ment ments ness ous r s ship sion sions teen th "
    "tion tions ty ure ward wards y"
)
_FRAGMENTS = _set(
    "a ac ad al an ap as at be bi bio by com con de dis do em en ex for geo he hydro hyper hypo il im in "
    "inter intra ir is it macro mega meta micro mid mini mis mono nano no ob of on or out over para per "
    "photo poly pro re so sub sup super tele the to tra trans tri un under uni up us we with"
)
"""First parts that open solid words far more often than compounds, though some are words."""
_PREFIXES = _set("anti auto co counter ex extra multi post pre ultra")
"""Keep their hyphen before a word, and open solid words before anything else ("pre-trained", "pre-dict")."""
_FIRST = _set("cross non pseudo quasi self semi three two well")
_LAST = _set(
    "aware based class cost defined dependent dimensional driven friendly grained independent known "
    "label lapse layer learning level like made making measured quality related resolution rich scale "
    "shot sized source specific stage step supervised term throughput trained tuned tuning weighted "
    "wide world"
)
_COMPOUNDS = _set(
    "by-product in-depth in-house in-situ in-vitro in-vivo off-line on-board on-line on-site "
    "over-fitting so-called up-sampling under-fitting"
)
_SOLID = _set(
    "alexnet alongside although anything background backpropagation bandwidth baseline became because "
    "benchmark bottleneck cannot checkpoint chatgpt database dataset deadline densenet download dropout "
    "efficientnet elsewhere everything feedback feedforward fieldwork footprint foreground framework "
    "freshwater furthermore github googlenet grassland groundwater guideline hardware headline hereafter "
    "herein highlight highlighted highlighting highlights however imagenet input itself javascript "
    "keyword keypoint landmark landscape lifetime likewise longitude longitudinal mainstream meanwhile "
    "megadetector mobilenet moreover nearby network nevertheless nonetheless notebook otherwise output "
    "outside password pathway pipeline pixelwise platform pytorch rainfall rainforest regardless resnet "
    "roadmap seaweed shortcoming snapshot software someone something sometimes somewhat spreadsheet "
    "stepwise straightforward surface tensorflow themselves thereby therefore threshold throughout "
    "throughput timestamp together topsoil toward vggnet watershed website weekday whereas whereby "
    "wherein widespread wildlife within without workflow worldwide workload workstation"
)


def vocabulary(text: str) -> dict[str, int]:
    """How often each word and hyphenated compound stands unbroken in the text, in lower case.

    Compounds also count for their ends: "fine-tuning" as "fine-" and as "-tuning", and for the pairs in
    them: "state-of-the-art" as "state-of"."""
    whole = _BROKEN.sub(" ", text).replace("\u2010", "-").replace("\u2011", "-")
    return count_words(WORD.findall(whole.lower()))


def count_words(found: Iterable[str]) -> dict[str, int]:
    """The vocabulary of words in lower case that all stand unbroken."""
    words = Counter(found)
    for word, count in [item for item in words.items() if "-" in item[0]]:
        parts = word.split("-")
        words[parts[0] + "-"] += count
        words["-" + parts[-1]] += count
        if len(parts) > 2:
            for first, second in pairwise(parts):
                words[f"{first}-{second}"] += count
    return dict(words)


def join(left: str, right: str, words: Collection[str] | Mapping[str, int]) -> str:
    """What stands between the halves of a word broken at a line's end: "-" or nothing."""
    before, first = left.lower().rpartition("-")[::2]
    second = right.lower().partition("-")[0]
    solid = _count(words, left.lower() + right.lower(), first + second)
    kept = _count(words, f"{left.lower()}-{right.lower()}", f"{first}-{second}")
    if solid or kept:
        return "-" if kept > solid else ""
    if first + second in _SOLID or (first + second).removesuffix("s") in _SOLID:
        return ""
    if f"{first}-{second}" in _COMPOUNDS or not (first.isalpha() and second.isalpha()):
        return "-"
    last_of_left = left.rpartition("-")[2]
    if right[:1].isupper():
        shouting = last_of_left.isupper() and right.isupper() and len(first) > 4 and len(second) > 4
        return "" if shouting else "-"
    if len(first) == 1 or (last_of_left.isupper() and last_of_left.isalpha()):
        return "-"  # k-means, GPU-based
    return "-" if _compound(bool(before), first, second, words) else ""


def _compound(inside: bool, first: str, second: str, words: Collection[str] | Mapping[str, int]) -> bool:
    """Whether two parts in lower case, that the document never shows together, are a compound."""
    if second in _SUFFIXES:
        return False
    if inside and first in _FRAGMENTS:
        return True  # state-of-/the-art: a short word after a hyphen is a word
    if first in _FRAGMENTS:
        return False
    if first in _PREFIXES:
        return second in words
    if first in _FIRST:
        return True
    if len(first) < 3 or len(second) < 2:
        return False
    if second in _LAST:
        return True
    if first + "-" in words and (second in words or _count(words, first + "-") > 1):
        return True
    return len(second) > 2 and min(_count(words, first), _count(words, second)) > 0


def _count(words: Collection[str] | Mapping[str, int], *forms: str) -> int:
    """How often the most frequent of the forms occurs, in the singular or the plural."""
    wanted = {form for given in forms for form in (given, given + "s", given.removesuffix("s"))}
    if isinstance(words, Mapping):
        return max(words.get(form, 0) for form in wanted)
    return max(int(form in words) for form in wanted)
