"""Faults planted in the live side on purpose, each with the layer that must fail first and the names it must give."""
