"""What each program reads in small model files on which programs differ."""
