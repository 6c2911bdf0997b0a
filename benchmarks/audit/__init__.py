"""Published numbers of tilings, and their recount."""
