"""Answers against labels: measures by hand and by their definitions, label files good and bad."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export.planted import READERS, add, answer, empty_store, evidence
from vivavoce.errors import VivaError
from vivavoce.records import Closest, Question, QuestionSet, Receipt, Status
from vivavoce.results.cells import Results
from vivavoce.results.evaluation import Label, Score, evaluate, read_labels
from vivavoce.results.labels import Quote

QUESTIONS = QuestionSet("two", (Question("Where is the code?", "A"), Question("Which seed?", "B")))
RECEIPT = Receipt(3, 50, (Closest("almost", 2, 0.4, 0, 6),))


def study(folder: Path, said: dict[str, str], readers: int = 1) -> Results:
    """A study from a line per paper: a letter for each question of each reader (r, n, u, x unreadable,
    f failed, - not applicable, a space for not answered)."""
    names: dict[str, Status] = {
        "r": "reported",
        "n": "not_reported",
        "u": "unsupported",
        "x": "unreadable",
        "f": "failed",
        "-": "not_applicable",
    }
    store = empty_store(folder)
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:readers])
    for number, (file, letters) in enumerate(said.items()):
        cells = zip(letters, [(r, q) for r, _ in READERS for q in QUESTIONS.questions], strict=False)
        answers = tuple(
            answer(
                question,
                reader,
                names[letter],
                evidence=(evidence("a quote", 7),) if letter == "r" else (),
                receipt=RECEIPT if letter == "n" else None,
            )
            for letter, (reader, question) in cells
            if letter != " "
        )
        add(store, file, answers, f"{number:064x}")
    return Results.of(store)


def labels(said: dict[str, str]) -> list[Label]:
    """A line per paper: y or n for each question."""
    return [
        Label(file, question.id, letter == "y", where=f"{file} {question.id}")
        for file, letters in said.items()
        for letter, question in zip(letters, QUESTIONS.questions, strict=False)
        if letter != " "
    ]


def test_by_hand(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "rr", "b.pdf": "rn", "c.pdf": "un", "d.pdf": "nr", "e.pdf": "xf"})
    truth = labels({"a.pdf": "yy", "b.pdf": "yy", "c.pdf": "yn", "d.pdf": "nn", "e.pdf": "yn"})
    found = evaluate(results, truth)
    assert (found.labels, found.papers, found.strangers) == (10, 5, ())
    (reader, score), (verdict, same) = found.overall
    assert (reader, verdict, score) == ("alpha", "verdict", same)
    # said yes: aA aB bA dB; labelled yes: aA aB bA bB cA
    assert (score.tp, score.fp, score.fn, score.tn) == (3, 1, 2, 2)
    assert score.left_out == (("failed", 1), ("unreadable", 1))
    assert (score.accuracy, score.precision, score.recall) == (5 / 8, 3 / 4, 3 / 5)
    assert score.f1 == pytest.approx(2 / 3)
    # chance: 4/8 * 5/8 + 4/8 * 3/8 = 1/2; (5/8 - 1/2) / (1 - 1/2)
    assert score.kappa == pytest.approx(0.25)
    (a, ((_, of_a), _)), (b, ((_, of_b), _)) = found.questions
    assert (a.id, of_a) == ("A", Score(2, 0, 1, 1, (("unreadable", 1),)))
    assert (b.id, of_b) == ("B", Score(1, 1, 1, 1, (("failed", 1),)))
    assert of_b.kappa == 0


def test_mistakes_come_with_what_helps_to_judge_them(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "nr", "b.pdf": "ur"})
    truth = [
        Label("a.pdf", "A", True, "the label's words", 4),
        *labels({"a.pdf": " n", "b.pdf": "yy"}),
    ]
    found = evaluate(results, truth)
    first, second = found.misses()
    assert (first.paper.file, first.question.id, first.label.quote) == ("a.pdf", "A", "the label's words")
    assert first.answer.receipt == RECEIPT
    assert (second.paper.file, second.answer.status) == ("b.pdf", "unsupported")
    (claim,) = found.false_claims()
    assert (claim.question.id, claim.answer.evidence[0].quote, claim.answer.evidence[0].page) == (
        "B",
        "a quote",
        7,
    )
    assert [m.answer.reader for m in found.misses("alpha")] == ["alpha", "alpha"]


def test_each_reader_by_itself(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "rrnn", "b.pdf": "rrrr", "c.pdf": "  r "}, readers=2)
    found = evaluate(results, labels({"a.pdf": "yy", "b.pdf": "yn", "c.pdf": "yy"}))
    scores = dict(found.overall)
    assert scores["alpha"] == Score(3, 1, 0, 0, (("not_answered", 2),))
    assert scores["beta"] == Score(2, 1, 2, 0, (("not_answered", 1),))
    assert scores["verdict"] == Score(4, 1, 0, 0, (("not_answered", 1),))


def test_what_does_not_apply_is_left_out(tmp_path: Path) -> None:
    found = evaluate(study(tmp_path, {"a.pdf": "r-"}), labels({"a.pdf": "yn"}))
    assert found.overall[-1][1] == Score(1, 0, 0, 0, (("not_applicable", 1),))


def test_what_is_not_defined_is_none() -> None:
    nothing = Score(0, 0, 0, 0)
    assert {nothing.accuracy, nothing.precision, nothing.recall, nothing.f1, nothing.kappa} == {None}
    silent = Score(0, 0, 3, 4)
    assert (silent.precision, silent.recall, silent.f1, silent.kappa) == (None, 0, 0, 0)
    assert Score(5, 0, 0, 0).kappa is None
    assert Score(0, 0, 0, 5).f1 is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_measures_agree_with_their_definitions(pairs: list[tuple[bool, bool]]) -> None:
    """Pairs of what the label and the reader say, against formulas over the pairs themselves."""
    score = Score(
        tp=pairs.count((True, True)),
        fp=pairs.count((False, True)),
        fn=pairs.count((True, False)),
        tn=pairs.count((False, False)),
    )
    n = len(pairs)
    assert score.n == n
    said = [s for _, s in pairs]
    truth = [t for t, _ in pairs]
    precision = [t for t, s in pairs if s]
    recall = [s for t, s in pairs if t]
    assert score.precision == (pytest.approx(sum(precision) / len(precision)) if precision else None)
    assert score.recall == (pytest.approx(sum(recall) / len(recall)) if recall else None)
    if score.precision and score.recall:
        harmonic = 2 / (1 / score.precision + 1 / score.recall)
        assert score.f1 == pytest.approx(harmonic)
    elif any(said) or any(truth):
        assert score.f1 == 0
    else:
        assert score.f1 is None
    if not n:
        assert (score.accuracy, score.kappa) == (None, None)
        return
    observed = sum(t == s for t, s in pairs) / n
    chance = sum((truth.count(v) / n) * (said.count(v) / n) for v in (True, False))
    assert score.accuracy == pytest.approx(observed)
    if len({*said, *truth}) == 1:
        assert score.kappa is None
    else:
        assert score.kappa == pytest.approx((observed - chance) / (1 - chance))
        assert score.kappa is not None
        assert -1 <= score.kappa <= 1


# Which paper a label is of


@pytest.mark.parametrize(
    ("file", "paper"),
    [
        ("x/a.pdf", "x/a.pdf"),
        ("y\\a.pdf", "y/a.pdf"),
        ("b.pdf", "x/b.pdf"),
        ("elsewhere/b.pdf", "x/b.pdf"),
        ("b", "x/b.pdf"),
        ("b.txt", "x/b.pdf"),
        ("c.v2", "c.v2.pdf"),
        ("c", "c.pdf"),
        ("Mu\u0308ller", "Müller.pdf"),
        ("copy-of-b.pdf", "x/b.pdf"),
    ],
)
def test_a_label_finds_its_paper(tmp_path: Path, file: str, paper: str) -> None:
    files = ("x/a.pdf", "y/a.pdf", "x/b.pdf", "c.pdf", "c.v2.pdf", "Müller.pdf")
    results = study(tmp_path, dict.fromkeys(files, "r"))
    add(results.store, "z/copy-of-b.pdf", (), f"{2:064x}")
    (mistake,) = evaluate(Results.of(results.store), [Label(file, "A", False)]).false_claims()
    assert mistake.paper.file == paper


@pytest.mark.parametrize("file", ["a.pdf", "a", "z/a.pdf"])
def test_a_label_that_fits_several_papers(tmp_path: Path, file: str) -> None:
    results = study(tmp_path, {"x/a.pdf": "r", "y/a.pdf": "r"})
    with pytest.raises(
        VivaError, match=r"l\.csv, line 2: .*fits several papers: x/a\.pdf, y/a\.pdf; give the"
    ):
        evaluate(results, [Label(file, "A", True, where="l.csv, line 2")])


def test_labels_of_other_papers_and_questions(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "rr"})
    truth = [*labels({"a.pdf": "y", "other.pdf": "y"}), Label("a.pdf", "C", True)]
    found = evaluate(results, truth)
    assert found.labels == 1
    assert [(label.file, label.question) for label in found.strangers] == [("other.pdf", "A"), ("a.pdf", "C")]
    with pytest.raises(VivaError, match=r"none of the 1 labels .* other\.pdf and A, .* a\.pdf and A"):
        evaluate(results, labels({"other.pdf": "y"}))
    with pytest.raises(VivaError, match="there are no labels"):
        evaluate(results, [])


def test_the_same_label_twice_counts_once_and_must_agree(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "rr"})
    assert evaluate(results, labels({"a.pdf": "y", "x/a.pdf": "y"})).labels == 1
    with pytest.raises(VivaError, match=r"x/a\.pdf A: A of x/a\.pdf is no here and yes in a\.pdf A"):
        evaluate(results, labels({"a.pdf": "y", "x/a.pdf": "n"}))


# Label files


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_csv(tmp_path: Path) -> None:
    path = write(
        tmp_path / "l.csv",
        "\ufeffFile, question_id,reported,quote,page,mine\n"
        'a.pdf,A,YES,"two\nlines, with a comma",3,x\n'
        "\n"
        "b.pdf,A,0,,,\n"
        "c.pdf,B,n\n",
    )
    assert read_labels(path) == [
        Label("a.pdf", "A", True, "two\nlines, with a comma", 3, where=f"{path}, line 2"),
        Label("b.pdf", "A", False, where=f"{path}, line 5"),
        Label("c.pdf", "B", False, where=f"{path}, line 6"),
    ]
    other = write(tmp_path / "m.csv", "file;question_id;reported\r\na.pdf;A;y\r\n")
    assert [(label.file, label.reported) for label in read_labels(other)] == [("a.pdf", True)]


def test_jsonl(tmp_path: Path) -> None:
    lines = [
        {"file": "a.pdf", "question_id": "A", "reported": True, "quote": "q", "page": 2},
        {"file": 13, "question_id": "A", "reported": "No"},
        {"file": "c", "question_id": "A", "reported": 1, "quote": None, "page": None},
    ]
    path = write(tmp_path / "l.jsonl", "\n".join(map(json.dumps, lines)) + "\n\n")
    assert read_labels(path) == [
        Label("a.pdf", "A", True, "q", 2, where=f"{path}, line 1"),
        Label("13", "A", False, where=f"{path}, line 2"),
        Label("c", "A", True, where=f"{path}, line 3"),
    ]


def gold(paper: Any, **notes: str) -> str:
    questions = [
        {
            "id": id,
            "reported": id == "A",
            "answer": "",
            "evidence": [{"quote": "found here", "page": 5}, {"quote": "and here", "page": 6}]
            if id == "A"
            else [],
            "note": notes.get(id, ""),
        }
        for id in ("A", "B")
    ]
    return json.dumps({"paper": paper, "title": "T", "questions": questions}, indent=1)


def test_json_a_file_or_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gold"
    folder.mkdir()
    one = write(folder / "1.json", gold(1, B="Debatable: only hinted at."))
    write(folder / "2.json", gold("two"))
    assert read_labels(one) == [
        Label(
            "1", "A", True, "found here", 5, where=f"{one}, questions[0]", more_quotes=(Quote("and here", 6),)
        ),
        Label("1", "B", False, debatable=True, where=f"{one}, questions[1]"),
    ]
    assert [label.file for label in read_labels(folder)] == ["1", "1", "two", "two"]
    results = study(tmp_path / "study", {"papers/1.pdf": "rr", "papers/two.pdf": "nn"})
    found = evaluate(results, read_labels(folder))
    assert (found.labels, found.debatable, found.overall[0][1]) == (4, 1, Score(1, 1, 1, 1))
    sure = evaluate(results, read_labels(folder), without_debatable=True)
    assert (sure.labels, sure.debatable, sure.overall[0][1]) == (3, 0, Score(1, 0, 1, 1))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("l.csv", "", "l.csv: is empty; its columns are file,question_id,reported"),
        ("l.csv", "file,reported\na,yes\n", "l.csv, line 1: there is no column question_id"),
        (
            "l.csv",
            "file,question_id,reported\na,A,yes\nb,A,maybe\n",
            "line 3: reported is 'maybe'; write yes",
        ),
        ("l.csv", "file,question_id,reported\na,A\n", "line 2: reported is missing"),
        (
            "l.csv",
            "file,question_id,reported\na,A,yes,x\n",
            "line 2: it has 4 columns, and the first line has 3",
        ),
        ("l.csv", "file,question_id,reported,page\na,A,yes,0\n", "line 2: page is '0'"),
        ("l.csv", f"file,question_id,reported,page\na,A,yes,{'9' * 5000}\n", "line 2: page is '999"),
        ("l.csv", 'file,question_id,reported\na,A,yes\n"a,A,yes\n', "l.csv, line 3: unexpected end of data"),
        (
            "l.jsonl",
            '{"file": "a", "question_id": "A", "reported": 1}\n{"file"\n',
            "line 2: this is not JSON",
        ),
        ("l.jsonl", "[1]\n", "line 1: expected an object with file, question_id, reported"),
        ("l.jsonl", '{"file": "a", "question_id": "A"}\n', "line 1: reported is missing"),
        ("l.json", '{"paper": 1,\n "questions": [}', "l.json, line 2: this is not JSON"),
        ("l.json", '{"paper": 1}', 'has the form {"paper": ..., "questions": [...]}'),
        ("l.json", '{"paper": 1, "questions": [{"id": "A"}]}', "questions[0]: reported is missing"),
        ("l.json", '{"paper": 1, "questions": [3]}', "questions[0]: expected an object"),
        (
            "l.json",
            '{"paper": 1, "questions": [{"id": "A", "reported": true, "evidence": "x"}]}',
            "questions[0]: its evidence is not a list",
        ),
        ("l.txt", "", "labels are read from .csv .xlsx .jsonl .json files"),
    ],
)
def test_bad_label_files(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(VivaError) as caught:
        read_labels(write(tmp_path / name, text))
    assert says in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert len(str(caught.value).splitlines()) == 1


def test_no_file_no_folder_no_utf8(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match="it can't be opened: No such file"):
        read_labels(tmp_path / "nowhere.csv")
    with pytest.raises(VivaError, match=r"there are no \.json files in this folder"):
        read_labels(tmp_path)
    (tmp_path / "l.csv").write_bytes(b"file,question_id,reported\nM\xfcller.pdf,A,yes\n")
    with pytest.raises(VivaError, match=r"l\.csv, line 2: this is not UTF-8"):
        read_labels(tmp_path / "l.csv")
