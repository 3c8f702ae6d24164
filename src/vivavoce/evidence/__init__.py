"""What proves an answer: the place of a quote, the links and versions in it, what a reply in words means."""
