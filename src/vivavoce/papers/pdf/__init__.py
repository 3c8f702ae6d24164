"""The PDF reader in stages: text, hidden text, margins, paragraphs, kinds, flow, tables, runs, metadata.

`reading` joins them. `ocr` reads scanned pages; `view` has boxes and pictures, when somebody looks.
"""
