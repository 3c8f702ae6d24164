"""A study's database: what was read, asked, answered, decided, and what went wrong. SQL lives here alone.

`Store.open(folder_or_url)` opens one. `store` has its methods; `database` says which database a location
means, `sqlite` and `postgresql` how that one is opened; `tables` and `migrations` hold the schema, `convert`
turns records into rows and back, `copying` copies them; `asked`, `claims`, `papers`, `answers`, `replies`,
`decisions`, `calibrations`, `search`,
`states`, `runs` and `integrity` hold the SQL.
"""

from vivavoce.store.database import DATABASE_FILE, DEFINITION, is_url, url_in, without_password
from vivavoce.store.entries import Failure, File, HistoryEntry, file_id, question_key
from vivavoce.store.search import Hit
from vivavoce.store.states import states_name
from vivavoce.store.store import Store

__all__ = [
    "DATABASE_FILE",
    "DEFINITION",
    "Failure",
    "File",
    "HistoryEntry",
    "Hit",
    "Store",
    "file_id",
    "is_url",
    "question_key",
    "states_name",
    "url_in",
    "without_password",
]
