"""Files become papers: `load` reads one, `load_all` many, `find` looks for them in folders.

Every format has a reader of its own (`pdf`, `jats`, `html`, `markdown`, `text`, `docx`) that turns a
file into a `Draft`; `formats` decides by content which reader gets the file; `loading` turns the draft
into a `Paper`. Readers run in a worker process (`processes`), so that a hostile file can cost
no more than its `Limits` and never takes the caller down.
"""

from vivavoce.papers.batch import load_all
from vivavoce.papers.discovery import ENDINGS, find
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load
from vivavoce.papers.pages import boxes, picture

__all__ = ["ENDINGS", "Limits", "boxes", "find", "load", "load_all", "picture"]
