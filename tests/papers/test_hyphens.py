import pytest

from tests.timing import processor_time
from vivavoce.papers.hyphens import join, vocabulary

PAPER = vocabulary(
    """We trained convolutional networks on images of leaves. The region-specific models were fine-tuned
    and the MegaDetector was used for time-lapse cameras. A hyperparameter search, training and processing
    of the data set; research, results and the learning rate in a state-of-the-art model. Object detection
    and instance segmentation of image data with a pretrained backbone: light conditions, plant species,
    decision trees. High accuracy, long series and camera traps. The search was random and present."""
)

CASES = [
    ("con", "volutional", ""),
    ("Ten", "sorFlow", ""),
    ("perfor", "mance", ""),
    ("architec", "ture", ""),
    ("pa", "rameters", ""),
    ("augmen", "tation", ""),
    ("net", "work", ""),
    ("data", "set", ""),
    ("data", "base", ""),
    ("frame", "work", ""),
    ("how", "ever", ""),
    ("there", "fore", ""),
    ("re", "search", ""),
    ("in", "formation", ""),
    ("in", "dependent", ""),
    ("un", "supervised", ""),
    ("train", "able", ""),
    ("train", "ing", ""),
    ("hyper", "parameter", ""),
    ("hyper", "parameters", ""),
    ("pre", "sent", ""),
    ("pre", "diction", ""),
    ("pre", "trained", ""),  # the document writes it solid
    ("multi", "ple", ""),
    ("sub", "set", ""),
    ("trans", "formed", ""),
    ("Mega", "Detector", ""),
    ("Py", "Torch", ""),
    ("Image", "Net", ""),
    ("CLASSI", "FICATION", ""),
    ("high", "lighted", ""),
    ("high", "est", ""),
    ("long", "itudinal", ""),
    ("end", "angered", ""),
    ("ten", "dency", ""),
    ("multi-spec", "tral", ""),
    ("two", "dimensional", "-"),
    ("state-of", "the-art", "-"),
    ("state", "of-the-art", "-"),
    ("state-of-the", "art", "-"),
    ("region", "specific", "-"),
    ("fine", "tuned", "-"),
    ("fine", "tuning", "-"),
    ("time", "lapse", "-"),
    ("self", "supervised", "-"),
    ("semi", "supervised", "-"),
    ("well", "known", "-"),
    ("non", "linear", "-"),
    ("non", "Gaussian", "-"),
    ("pre", "processing", "-"),
    ("post", "processing", "-"),
    ("co", "trained", "-"),
    ("U", "Net", "-"),
    ("R", "CNN", "-"),
    ("ResNet", "50", "-"),
    ("COVID", "19", "-"),
    ("k", "means", "-"),
    ("GPU", "based", "-"),
    ("lab", "based", "-"),
    ("Gradient", "weighted", "-"),
    ("Carranza", "Rojas", "-"),
    ("camera", "trap", "-"),
    ("high", "resolution", "-"),
    ("in", "situ", "-"),
    ("3", "dimensional", "-"),
]


@pytest.mark.parametrize(("left", "right", "between"), CASES)
def test_real_cases(left: str, right: str, between: str) -> None:
    assert join(left, right, PAPER) == between


def test_the_document_decides() -> None:
    assert join("on", "line", {"online": 3, "on-line": 1}) == ""
    assert join("on", "line", {"online": 1, "on-line": 3}) == "-"
    assert join("cross", "validation", {"crossvalidation"}) == ""
    assert join("web", "page", {"web", "page"}) == "-"
    assert join("web", "page", {"web", "page", "webpages"}) == ""
    assert join("nonsense", "fragm", ()) == ""


def test_vocabulary_counts_what_stands_unbroken() -> None:
    words = vocabulary("The U-Net, the re-\nsult. Fine\u2010tuning con\ufffe volutional Größe")
    assert words == {
        "the": 2,
        "u-net": 1,
        "u-": 1,
        "-net": 1,
        "fine-tuning": 1,
        "fine-": 1,
        "-tuning": 1,
        "größe": 1,
    }


def test_vocabulary_is_fast() -> None:
    text = "The region-specific models were fine-tuned on convolutional back-\nbones again. " * 1250
    assert len(text) > 100_000 - 5000
    with processor_time(at_most=2):
        vocabulary(text)
