"""The store's tables as they are today. How they came to be: `migrations`."""

import sqlalchemy as sa


def _table(name: str, columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns.split()))


META = _table("meta", "key value")
PAPERS = _table(
    "papers", "id format title doi year pages unreadable text text_hash layout parsed_by warnings journal"
)
SENTENCES = _table("sentences", "paper number start end page kind section reading")
FILES = _table("files", "path name paper reason size changed")
QUESTIONS = _table("questions", "key text")
ASKED = _table("asked", "position question id detail")
READERS = _table("readers", "position name version")
ANSWERS = _table(
    "answers", "number paper question reader version status text confidence reason detail run at"
)
EVIDENCE = _table("evidence", "answer rank quote page match start end score reading boxes")
FAILURES = _table("failures", "number path paper question reader reason run at")
REPLIES = _table("replies", "number prompt reader version body detail at")
DECISIONS = _table(
    "decisions", "number paper question reviewer status text evidence reason undoes at kind value"
)
CALIBRATIONS = _table(
    "calibrations",
    "number calibration reader version question offset decisions accuracy_before accuracy_after "
    "log_loss_before log_loss_after undoes at",
)
RUNS = _table("runs", "number run event detail at")
CLAIMS = _table("claims", "path run at")
SEARCHED = _table("searched", "number paper")
SENTENCE_WORDS = _table("sentence_words", "paper number words")
STATES = _table("states", "paper encoder data")
VECTORS = _table("vectors", "paper encoder data")
