"""Model files and solution files: writers and readers."""
