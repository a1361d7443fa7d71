"""A hypothesis traced: the frame that the tracer makes of what would be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tracer
from posed.camera import Camera
from posed.errors import MissingError
from posed.fitting import fit
from posed.frame import Frame
from posed.matrices import moved
from posed.properties import shown_parts
from posed.scene.description import Scene
from posed.stage import stage, stage_camera
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.posing import RIGHT, places


def trace_hypothesis(
    hypothesis: Hypothesis,
    scene: Scene,
    *,
    size: tuple[int, int],
    layers: Sequence[str],
    camera: Camera | None,
    backend: str | None,
    background: str | None = None,
) -> Frame:
    """Return the frame of what a hypothesis says is drawn, traced through pixel centres.

    It states neither tick nor camera: what it is compared with may state others.

    Raises
    ------
    PoseError
        A vertex is posed to where no number is.
    MissingError
        The backend is not on this machine.
    """
    own = hypothesis.scene or scene
    posed = replace(hypothesis.posed, scene="")  # a changed scene has another digest
    look = camera or posed.camera or own.camera
    staged = stage(own, replace(posed, previous=None), look)
    if hypothesis.posing is not RIGHT:
        staged = _reposed(staged, own, hypothesis)
    seen = stage_camera(look, staged.origin)
    integrator = "direct" if "color" in layers else "aov"
    try:
        traced = tracer.trace(
            staged,
            seen,
            size=size,
            integrator=integrator,
            samples="center",
            layers=list(layers),
            backend=backend,
            background=background,
        )
    except tracer.BackendError as error:
        raise MissingError(str(error)) from error
    return Frame(traced, size, None, own.ids, staged=(staged, seen))


def _reposed(staged: tracer.Scene, scene: Scene, hypothesis: Hypothesis) -> tracer.Scene:
    """Return a staged scene in which the changed objects are posed as the hypothesis poses."""
    positions, normals, facing = staged.positions.copy(), staged.normals.copy(), staged.facing.copy()
    posed = fit(scene, replace(hypothesis.posed, scene=""))
    vertex = face = 0
    for part in shown_parts(scene, posed):
        changed = part.object.name in hypothesis.objects
        local = hypothesis.posing.local(part, posed) if changed else None
        for place in places(part, posed):
            rows = slice(vertex, vertex + len(part.primitive.positions))
            faces = slice(face, face + len(part.primitive.triangles))
            if local is not None:
                found = hypothesis.posing.placed(part, local, moved(place, staged.origin))
                positions[rows], facing[faces] = found.positions, found.facing
                if found.normals is not None:
                    normals[rows] = found.normals
            vertex, face = rows.stop, faces.stop
    for array in (positions, normals, facing):
        array.flags.writeable = False
    return replace(staged, positions=positions, normals=normals, facing=facing)
