"""The window: events in, pictures out, a new picture only where something has changed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from posed.errors import MissingError
from posed.viewer.session import Session

BEATS = 30
"""Frames a second at most."""


def show(session: Session, *, title: str = "posed", ready: Callable[[Any], None] | None = None) -> None:
    """Open a window on a session and return when it is closed.

    Parameters
    ----------
    session
        What is shown.
    title
        Of the window.
    ready
        Called with the canvas once it stands.

    Raises
    ------
    MissingError
        There is no display, or no window library.
    """
    try:
        import glfw
        from rendercanvas.glfw import RenderCanvas, loop
    except (ImportError, RuntimeError) as error:
        raise MissingError(
            f'a window needs glfw, which is not here ({error}): pip install "posed[view]"; '
            "`posed render` and `posed live` need no display"
        ) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what glfw warns of is said below
        opens = glfw.init()  # without it, opening a window ends the process
    if not opens:
        raise MissingError(
            "no window can be opened here: there is no display; `posed render` and `posed live` draw to files"
        )
    canvas = RenderCanvas(size=session.size, title=title, update_mode="ondemand", max_fps=BEATS)
    context = canvas.get_bitmap_context()

    def draw() -> None:
        context.set_bitmap(session.picture())

    def take(event: dict[str, Any]) -> None:
        if session.handle(event):
            canvas.request_draw()
        if session.closed:
            canvas.close()

    def beat() -> None:
        if canvas.get_closed():
            return
        if session.beat(BEATS):
            canvas.request_draw()
        loop.call_later(1.0 / BEATS, beat)

    canvas.request_draw(draw)
    canvas.add_event_handler(take, "resize", "pointer_down", "pointer_move", "pointer_up", "wheel", "key_down")
    beat()
    if ready is not None:
        ready(canvas)
    loop.run()
