"""Deterministic animation: skeletons, clips, poses and the animators that play them by integer tick."""
