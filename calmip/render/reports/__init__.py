"""Results as texts: for each task the module of its name has what its command prints."""
