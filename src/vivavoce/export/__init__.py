"""What a study found, in forms that others can use. Nothing here calls a reader."""
