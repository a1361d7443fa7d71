"""What a user is told of a model that a scene shows: what was read with a reservation, and what no picture shows."""

from __future__ import annotations

from posed.gltf.model import Model
from posed.gltf.topology import TRIANGLES


def model_notes(model: Model, name: str) -> list[str]:
    """Return the sentences on `model`, each beginning with `name`, what the user calls its file."""
    undrawn = _undrawn(model)
    return [f"{name}: {note}" for note in (*model.notes, *([undrawn] if undrawn else []))]


def _undrawn(model: Model) -> str | None:
    """Say what of the shown scene has no triangle, None where there is at least one of them and no points or lines."""
    shown = {model.nodes[node].mesh for node in model.mesh_nodes}
    parts = [one for mesh in sorted(one for one in shown if one is not None) for one in model.meshes[mesh].primitives]
    thin = sum(part.mode < TRIANGLES and len(part.positions) > 0 for part in parts)
    if not any(len(part.triangles) for part in parts):
        what = "nothing but points and lines" if thin else "no visible triangle"
        return f"its scene has {what}: no picture shows anything of it"
    if thin:
        return f"{thin} of {len(parts)} parts {'is' if thin == 1 else 'are'} points or lines, which no picture shows"
    return None
