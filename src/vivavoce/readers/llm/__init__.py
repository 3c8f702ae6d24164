"""Any language model as a reader. Only `reader` and `recording` need the extra `llm`."""
