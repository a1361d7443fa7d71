"""Functions that stay functions: what few rays need does not grow the loop that every ray goes through.

Numba hands `inlined` on: what an inlined function calls is inlined with it, unless it says otherwise. So do the large
and rare parts of a path's loop, such as textures, coats and images of an environment. Inlined, they would double the
time to compile it.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from anim.kernel import compiled_later

F = TypeVar("F", bound=Callable[..., Any])


def apart(function: F) -> F:
    """Compile as `leaf` does, into no caller."""
    return compiled_later(function, _nrt=False, forceinline=False)
