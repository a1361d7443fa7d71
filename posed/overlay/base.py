"""What an overlay is: it names the layers of a frame that it needs, and draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from posed.overlay.canvas import Canvas
from posed.overlay.view import View


class Overlay(ABC):
    """Something drawn into a traced frame.

    Attributes
    ----------
    needs
        The frame's layers that it reads, beside `depth`.
    rank
        Overlays of a smaller rank are drawn first: colors of surfaces, then lines.
    """

    needs: ClassVar[frozenset[str]] = frozenset()
    rank: ClassVar[int] = 1

    @abstractmethod
    def draw(self, view: View, canvas: Canvas) -> None:
        """Draw into the canvas.

        Raises
        ------
        PosedError
            It names a joint or an object that the scene has not.
        """
