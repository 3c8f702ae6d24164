"""What proves an answer: where a quote stands, which links and versions are in it, what words come to."""
