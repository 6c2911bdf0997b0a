"""What all optimal solutions of a model have in common, without listing them."""
