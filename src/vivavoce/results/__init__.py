"""One view of a study: its cells, and what is counted from them. Nothing here calls a reader."""
