"""Correct frames, drawn by lot: the built-in renderer against the trace, wherever the camera stands."""
