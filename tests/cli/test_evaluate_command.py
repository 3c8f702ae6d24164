"""`viva evaluate`: a table for people, a document for programs, and when the call is wrong."""

import json
from pathlib import Path

import pytest

from tests.cli.test_export import run
from tests.conftest import ROOT
from tests.export.planted import READERS, add, answer, empty_store, evidence
from vivavoce.records import Closest, Question, QuestionSet, Receipt

QUESTIONS = QuestionSet("two", (Question("Where is the code?", "A"), Question("Which seed?", "B")))
CODE, SEED = QUESTIONS.questions
RECEIPT = Receipt(3, 50, (Closest("almost\x1b[31m it", 2, 0.4, 0, 6),))
LABELS = """file,question_id,reported,quote,page
bees.pdf,A,yes,the label's \x1b[2J words,4
bees.pdf,B,no,,
wasps,A,yes,,
wasps,B,no,,
ants.pdf,A,yes,,
broken.pdf,A,no,,
"""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A study and its labels, in the current folder."""
    store = empty_store(tmp_path / "study")
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    missed = answer(CODE, "alpha", "not_reported", confidence=0.61, receipt=RECEIPT)
    claimed = answer(SEED, "alpha", "reported", "42", evidence=(evidence("the \x07seed", 7),))
    add(store, "papers/bees.pdf", (missed, claimed))
    add(
        store,
        "papers/wasps.pdf",
        (answer(CODE, "alpha", "reported"), answer(SEED, "alpha", "not_reported")),
        "cd" * 32,
    )
    add(store, "papers/broken.pdf", (), reason="is not a whole PDF")
    store.close()
    (tmp_path / "labels.csv").write_text(LABELS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("study")
def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "study", "--labels", "labels.csv") == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "\x1b" not in said.out
    assert "\x07" not in said.out
    assert said.out == (
        "5 labels of 3 papers.\n"
        "1 label left out: their paper or question is not in the study (ants.pdf; A).\n"
        "\n"
        "reader   labels  accuracy  precision  recall    F1  kappa  TP  FP  FN  TN  left out\n"
        "alpha         4      0.50       0.50    0.50  0.50   0.00   1   1   1   1         1\n"
        "verdict       4      0.50       0.50    0.50  0.50   0.00   1   1   1   1         1\n"
        "Left out of alpha: 1 failed.\n"
        "Left out of verdict: 1 failed.\n"
        "\n"
        "By question, the verdict:\n"
        "question  labels  accuracy  precision  recall    F1  kappa  TP  FP  FN  TN  left out\n"
        "A              2      0.50       1.00    0.50  0.67   0.00   1   0   1   0         1"
        "  Where is the code?\n"
        "B              2      0.50       0.00       -  0.00   0.00   0   1   0   1         0  Which seed?\n"
        "\n"
        "Misses (the label says yes, the verdict no): 1\n"
        "  papers/bees.pdf A: Where is the code? (not reported, confidence 0.61)\n"
        "    label: “the label's �[2J words” (p. 4)\n"
        "    closest 0.40: “almost�[31m it” (p. 2)\n"
        "\n"
        "False claims (the label says no, the verdict yes): 1\n"
        "  papers/bees.pdf B: Which seed? (reported, confidence 0.90)\n"
        "    given: “the �seed” (p. 7)\n"
        "\n"
        "With 95% intervals, drawing papers:\n"
        "accuracy     alpha 0.50 (0.00 to 1.00)  verdict 0.50 (0.00 to 1.00)\n"
        "precision    alpha 0.50 (0.00 to 1.00)  verdict 0.50 (0.00 to 1.00)\n"
        "recall       alpha 0.50 (0.00 to 1.00)  verdict 0.50 (0.00 to 1.00)\n"
        "specificity  alpha 0.50 (0.00 to 1.00)  verdict 0.50 (0.00 to 1.00)\n"
        "F1           alpha 0.50 (0.00 to 1.00)  verdict 0.50 (0.00 to 1.00)\n"
        "kappa        alpha 0.00 (-1.00 to 1.00)  verdict 0.00 (-1.00 to 1.00)\n"
        "MCC          alpha 0.00 (-1.00 to 1.00)  verdict 0.00 (-1.00 to 1.00)\n"
        "\n"
        "Confidence: expected calibration error, and accuracy when the most doubtful go to a person:\n"
        "alpha: ECE 0.378; 0% 0.50 (0.50), 25% 0.67 (0.75), 50% 0.50 (0.75)\n"
        "verdict: ECE 0.378; 0% 0.50 (0.50), 25% 0.67 (0.75), 50% 0.50 (0.75)\n"
        "The share that goes to a person, the accuracy of the rest, and (of all, if the person is right).\n"
    )


@pytest.mark.usefixtures("study")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "study", "--labels", "labels.csv", "--json", "--list", 0) == 0
    said = capsys.readouterr()
    assert said.err == ""
    document = json.loads(said.out)
    assert (document["labels"], document["papers"], document["debatable"]) == (5, 3, 0)
    assert [(label["file"], label["question_id"]) for label in document["not_in_study"]] == [
        ("ants.pdf", "A")
    ]
    assert document["readers"][1] == {
        "reader": "verdict",
        "labels": 4,
        **dict.fromkeys(("accuracy", "precision", "recall", "specificity", "f1"), 0.5),
        **dict.fromkeys(("kappa", "mcc"), 0.0),
        "intervals": {
            **{key: [0.0, 1.0] for key in ("accuracy", "precision", "recall", "specificity", "f1")},
            **{key: [-1.0, 1.0] for key in ("kappa", "mcc")},
        },
        **dict.fromkeys(("tp", "fp", "fn", "tn"), 1),
        "left_out": {"failed": 1},
    }
    by_question = document["questions"][1]
    assert by_question["question"] == {"id": "B", "text": "Which seed?"}
    assert by_question["readers"][0]["recall"] is None
    assert [(miss["reader"], miss["question"]["id"]) for miss in document["misses"]] == [
        ("alpha", "A"),
        ("verdict", "A"),
    ]
    assert document["misses"][0]["label"]["quote"] == "the label's \x1b[2J words"
    assert document["misses"][0]["receipt"]["closest"][0]["page"] == 2
    claim = document["false_claims"][1]
    assert (claim["evidence"][0]["page"], claim["label"]["reported"]) == (7, False)
    text = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    described = text.split("\n### `viva evaluate --json`\n")[1].split("\n#")[0]
    names = {*document, *document["readers"][0], *document["questions"][0], *claim["label"], "label"}
    assert sorted(n for n in names if f"`{n}`" not in described and f"`readers[].{n}`" not in described) == []


def test_long_lists_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = empty_store(tmp_path)
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    rows = ["file,question_id,reported"]
    for number in range(13):
        add(store, f"{number:02}.pdf", (answer(CODE, "alpha", "reported"),), f"{number:064x}")
        rows.append(f"{number:02},A,no")
    store.close()
    (tmp_path / "labels.csv").write_text("\n".join(rows))
    for words, shown, last in [
        ([], 10, "and 3 more; --list 13 shows all."),
        (["--list", 12], 12, "and 1 more; --list 13 shows all."),
        (["--list", 13], 13, ""),
        (["--list", 0], 0, ""),
    ]:
        assert run("evaluate", tmp_path, "--labels", tmp_path / "labels.csv", *words) == 0
        lines = capsys.readouterr().out.splitlines()
        assert "Misses (the label says yes, the verdict no): none" in lines
        assert "False claims (the label says no, the verdict yes): 13" in lines
        assert sum(".pdf A: Where is the code?" in line for line in lines) == shown
        assert [line for line in lines if line.startswith("and ")] == ([last] if last else [])


def test_without_what_is_debatable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = empty_store(tmp_path / "study")
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    add(store, "7.pdf", (answer(CODE, "alpha", "reported"), answer(SEED, "alpha", "reported")))
    store.close()
    labels = {
        "paper": 7,
        "questions": [
            {"id": "A", "reported": True, "evidence": [], "note": ""},
            {"id": "B", "reported": False, "evidence": [], "note": "Debatable: a hint."},
        ],
    }
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "7.json").write_text(json.dumps(labels))
    assert run("evaluate", tmp_path / "study", "--labels", tmp_path / "gold") == 0
    out = capsys.readouterr().out
    assert out.startswith("2 labels of 1 paper, 1 of them debatable.\n")
    assert "(reported, confidence 0.90; debatable)" in out
    assert run("evaluate", tmp_path / "study", "--labels", tmp_path / "gold", "--without-debatable") == 0
    assert capsys.readouterr().out.startswith("1 label of 1 paper.\n")


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["study"], "say which labels to compare with: --labels FILE."),
        (["study", "--labels", "nowhere.csv"], "nowhere.csv: it can't be opened: No such file or directory."),
        (["study", "--labels", "labels.csv", "--list", "x"], "--list takes a number of mistakes, 0 or more"),
        (["nowhere", "--labels", "labels.csv"], "nowhere: there is no study here; `viva run "),
        (["study", "--labels", "bad.csv"], "bad.csv, line 2: reported is 'perhaps'; write yes or no."),
        (
            ["study", "--labels", "other.csv"],
            "none of the 1 labels is of a paper and a question of this study",
        ),
    ],
)
def test_a_wrong_call_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    Path("bad.csv").write_text("file,question_id,reported\nbees.pdf,A,perhaps\n")
    Path("other.csv").write_text("file,question_id,reported\nx.pdf,A,yes\n")
    assert run("evaluate", *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"viva: {says}")
    assert len(said.err.splitlines()) == 1
