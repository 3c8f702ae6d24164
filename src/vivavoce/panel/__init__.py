"""Several answers -> a verdict: `voting` of readers, `decisions` of people."""
