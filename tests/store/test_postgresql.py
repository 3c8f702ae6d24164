"""The store on a real PostgreSQL server: what the tests of SQLite's say holds there, too; and what several
who write at once can rely on."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.postgres import FreshURL
from tests.store.sample import ANSWER, CODE, ID, PAPER, RECEIPT, SET, WHO, filled
from tests.store.test_current_answers import (  # noqa: F401
    test_a_failure_is_over_when_the_paper_has_answered_in_a_later_run,
    test_a_question_is_known_by_its_text_alone,
    test_an_answer_to_another_text_is_kept_and_does_not_count,
    test_an_older_version_is_kept_and_does_not_count,
    test_failures_are_the_last_of_each_file,
    test_sources_name_each_paper_once,
    test_the_run_log,
)
from tests.store.test_opening import (  # noqa: F401
    test_the_change_mark_differs_after_something_was_written,
)
from tests.store.test_round_trip import (  # noqa: F401
    test_a_file_name_that_is_no_text,
    test_a_paper,
    test_a_paper_that_is_not_there_is_said,
    test_a_paper_that_is_there_stays_as_it_is,
    test_a_question_set,
    test_a_scanned_paper_keeps_where_its_lines_stand,
    test_answers,
    test_any_paper,
    test_readers_and_files_keep_their_order,
)
from vivavoce.errors import VivaError
from vivavoce.records import Decision
from vivavoce.store import File, Store, question_key
from vivavoce.store.copying import table_names


@pytest.fixture(scope="module")
def url(fresh_url: FreshURL) -> str:
    """A study that all tests use in turn: making its tables takes longer than most of the tests."""
    url = fresh_url()
    Store.open(url, create=True).close()
    return url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store.open(url)
    with made._engine.begin() as connection:
        connection.execute(sa.text("SET LOCAL session_replication_role = replica"))  # without triggers
        for table in sa.inspect(connection).get_table_names():
            if table != "schema_steps":
                connection.execute(sa.text(f"DELETE FROM {table}"))
        for sequence in sa.inspect(connection).get_sequence_names():
            connection.execute(sa.text(f"ALTER SEQUENCE {sequence} RESTART"))
    made.set_asked(SET)
    made.set_readers([("builtin", "1")])
    yield made
    made.close()


@pytest.fixture
def other(store: Store) -> Iterator[Store]:
    """The same study, opened by somebody else."""
    opened = Store.open(store.location)
    yield opened
    opened.close()


def count(store: Store, table: str) -> int:
    with store._engine.connect() as connection:
        return int(connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_a_letter_that_the_server_does_not_take_comes_back(store: Store) -> None:
    text = "a\x00b \ud800 \uffff"
    store.add_paper(replace(PAPER, title=text))
    assert store.paper(ID).title == text


def test_files_are_in_the_order_of_their_letters_codes(store: Store) -> None:
    for name in ("b.txt", "B.txt", "a_1.txt", "a-2.txt", "é.txt"):
        store.set_file(File(f"/{name}", name, None, "", 3_000_000_000, 20))
    assert [file.name for file in store.files()] == ["B.txt", "a-2.txt", "a_1.txt", "b.txt", "é.txt"]


@pytest.mark.parametrize("table", ["decisions", "calibrations"])
@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET at = ''"])
def test_the_database_itself_refuses_to_change_what_people_did(store: Store, table: str, change: str) -> None:
    filled(store).decide(ID, question_key(CODE), Decision("ann", "reported"))
    with store._engine.begin() as connection:
        connection.execute(
            sa.text(
                'INSERT INTO calibrations (calibration, reader, version, question, "offset", decisions, '
                "accuracy_before, accuracy_after, log_loss_before, log_loss_after, at) "
                "VALUES (1, 'builtin', '1', 'q', 0, 1, 1, 1, 1, 1, 'now')"
            )
        )
    with (
        store._engine.begin() as connection,
        pytest.raises(sa.exc.DatabaseError, match=f"{table} are never changed or deleted"),
    ):
        connection.execute(sa.text(change.format(table)))


def test_decisions_are_kept_undone_and_refused_as_in_a_file(store: Store) -> None:
    filled(store)
    question = question_key(CODE)
    store.decide(ID, question, Decision("ann", "not_reported"))
    store.decide(ID, question, Decision("ben", "reported", "here", ANSWER.evidence, "I saw it"))
    assert [(d.reviewer, d.evidence) for d in store.decisions(ID)[question]] == [
        ("ann", ()),
        ("ben", ANSWER.evidence),
    ]
    assert store.undo(ID, question, "ann") is not None
    assert store.undo(ID, question, "ann") is None
    assert [(e.decision.reviewer, e.undo, e.undone) for e in store.history(ID, question)] == [
        ("ann", False, True),
        ("ben", False, False),
        ("ann", True, False),
    ]
    assert store.reviewers() == ["ben"]
    with pytest.raises(VivaError, match="not in the paper"):
        store.decide(
            ID, question, Decision("ben", "reported", evidence=(replace(ANSWER.evidence[0], start=1),))
        )


# Errors


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(VivaError) as said:
        Store.open("postgresql://ann:secret@127.0.0.1:1/bees")
    assert str(said.value).startswith("postgresql://ann@127.0.0.1:1/bees: can't be reached (")
    assert "PGPASSWORD" in str(said.value)
    assert "secret" not in str(said.value)


def test_a_database_that_is_not_there(fresh_url: FreshURL) -> None:
    url = fresh_url().replace("/postgres?", "/bees?")
    with pytest.raises(VivaError, match="there is no such database on the server; create it"):
        Store.open(url, create=True)


def test_a_study_that_is_not_there(fresh_url: FreshURL) -> None:
    url = fresh_url()
    assert not Store.exists(url)
    with pytest.raises(VivaError, match="there is no study here"):
        Store.open(url)


@pytest.mark.parametrize("schema", ["x; drop", "A", "1a"])
def test_a_schema_that_can_not_be(fresh_url: FreshURL, schema: str) -> None:
    with pytest.raises(VivaError, match="a schema's name has small letters, digits and '_'"):
        Store.open(fresh_url().partition("schema=")[0] + "schema=" + schema)


def test_who_may_only_read_can_look(store: Store) -> None:
    filled(store)
    schema = str(store.location).rpartition("=")[2]
    with store._engine.begin() as connection:
        connection.execute(sa.text(f"CREATE USER looker_{schema}"))
        connection.execute(sa.text(f"GRANT USAGE ON SCHEMA {schema} TO looker_{schema}"))
        connection.execute(sa.text(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO looker_{schema}"))
    looking = Store.open(str(store.location).replace("viva@", f"looker_{schema}@"))
    assert looking.answers(ID) == store.answers(ID)
    with pytest.raises(VivaError, match="may not write there"):
        looking.add_answer(ID, replace(ANSWER, question=WHO))
    looking.close()


def test_a_connection_that_the_server_ended_is_replaced(store: Store, other: Store) -> None:
    filled(store)
    with other._engine.begin() as connection:
        connection.execute(
            sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        )
    assert len(store.answers(ID)) == 2


# Several who write at once


def test_two_who_open_a_new_study_at_once_make_it_once(fresh_url: FreshURL) -> None:
    url = fresh_url()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(Store.open(url, create=True))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 4
    assert all(one.files() == [] for one in opened)
    for one in opened:
        one.close()


def test_two_who_write_the_same_cell_write_it_once(store: Store, other: Store) -> None:
    filled(store)
    new: list[int] = []
    answers = [replace(ANSWER, version=str(n)) for n in range(40)]

    def write(to: Store) -> None:
        new.append(to.add_answers(ID, answers))
        to.add_paper(PAPER)
        to.set_file(File("/papers/bees.txt", "bees.txt", ID, "", 10, 20))

    threads = [threading.Thread(target=write, args=(to,)) for to in (store, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(new) == 39  # one is there already
    assert count(store, "answers") == 41
    assert list(store.problems()) == []


def test_who_watches_sees_what_is_written_out_of_order(store: Store, other: Store) -> None:
    """Of two answers that are written at once, the one with the lower number comes to light later."""
    filled(store)
    with store._engine.begin() as slow:
        slow.execute(sa.text("INSERT INTO runs (run, event, detail, at) VALUES (1, 'slow', '{}', '')"))
        other.log("quick", {})
        before = other.marks()
    assert other.marks() != before


def test_a_run_claims_a_file_that_no_other_has(store: Store, other: Store) -> None:
    store.begin({})
    other.begin({})
    assert (store.run, other.run) == (1, 2)
    assert store.claim("/a")
    assert store.claim("/a")
    assert not other.claim("/a")
    assert other.claim("/b")
    assert not store.claim("/b")
    store.end()
    assert other.claim("/a")
    assert other.abandoned(["/a", "/b"]) == set()


def test_what_a_run_claimed_that_died_is_free(store: Store, other: Store) -> None:
    store.begin({})
    other.begin({})
    assert store.claim("/a")
    assert store._alive is not None
    store._alive.invalidate()  # as if the process had been killed: the server lets go of its locks
    assert other.abandoned(["/a", "/b"]) == {"/a"}
    assert other.claim("/a")
    assert other.abandoned(["/a"]) == set()


def test_a_claim_does_not_wait_for_another(store: Store, other: Store) -> None:
    """Who looks at a claim that a third is just taking over goes on with something else."""
    store.begin({})
    other.begin({})
    assert store.claim("/a")
    with store._engine.begin() as third:
        third.execute(sa.text("SELECT * FROM claims FOR UPDATE"))
        assert not other.claim("/a")


# Copies


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All that is kept, table by table."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with store._engine.connect() as connection:
        for name in table_names(connection):
            columns = sorted(column["name"] for column in sa.inspect(connection).get_columns(name))
            table = sa.table(name, *(sa.column(column) for column in columns))
            found[name] = sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
    return found


def test_there_and_back_nothing_is_lost(fresh_url: FreshURL, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    first = filled(Store.open(tmp_path / "first", create=True))
    first.set_asked(SET)
    first.set_readers([("builtin", "1")])
    first.set_file(File("/papers/\udcff.txt", "\udcff.txt", None, "it is empty", 0, 0))
    first.add_failure("/papers/\udcff.txt", None, "it is empty")
    first.add_replies("m", "1", {"hash": "a\x00b"})
    first.decide(ID, question_key(CODE), Decision("ann", "reported", "at \U0001d6fc", ANSWER.evidence))
    first.set_own_file("study.toml", "readers = []")
    there = Store.open(fresh_url(), create=True)
    copied = first.copy_to(there)
    assert copied["answers"] == 2
    assert rows(there) == rows(first)
    assert there.answers(ID) == first.answers(ID)
    (tmp_path / "back").mkdir()
    back = Store.open(tmp_path / "back", create=True)
    there.copy_to(back)
    assert rows(back) == rows(first)
    # And both go on counting where the first has ended.
    for one in (there, back):
        one.begin({})
        assert one.run == 2
        assert one.add_answer(ID, replace(RECEIPT, version="2"))
        assert list(one.problems()) == []
    for one in (first, there, back):
        one.close()


# Full text


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_words_are_found_in_sentences(store: Store, tmp_path: Path, kind: str) -> None:
    where = filled(store if kind == "postgresql" else Store.open(tmp_path, create=True))
    assert where.find_words("bees", 10) == []
    assert where.index_words() == 0
    assert [(hit.paper, hit.number) for hit in where.find_words("counting a bee", 10)] == [(ID, 0)]
    assert [hit.number for hit in where.find_words('"counted bees" example.org', 10)] in ([0, 1], [1, 0])
    assert where.find_words('"bees counted"', 10) == []
    assert where.find_words("!? '; DROP", 10) == []
    # A newer reading of the paper: the old words are gone from the index.
    text = "We counted wasps."
    newer = replace(
        PAPER, text=text, sentences=(replace(PAPER.sentences[0], text=text, start=0, end=17),), anchors=()
    )
    assert where.replace_paper(newer)
    where.index_words()
    assert where.find_words("bees", 10) == []
    assert [hit.number for hit in where.find_words("wasp", 10)] == [0]
    if kind == "sqlite":
        where.close()
