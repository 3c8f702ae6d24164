"""Formats that are trees of elements: HTML, JATS, DOCX, Markdown. `walk` has what they share."""
