"""Scenes: the description that a scene file or a lone model gives, as checked values."""
