"""Sets the sample papers: content is read from `content/*.txt`, and each module here does one step."""
