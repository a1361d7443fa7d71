"""What all descriptions share: arrays that are checked once, copied, and read-only from then on."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.errors import AnimError


class Description:
    """A frozen dataclass whose arrays stay read-only, also after a pickle has brought it back."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        self.__dict__.update(state)

    def _set(self, **values: object) -> None:
        """Set attributes while the object is being made."""
        self.__dict__.update(values)


def read_only(name: str, values: ArrayLike, dtype: type, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """Return a read-only copy of the values, C-contiguous and of a dtype.

    Parameters
    ----------
    name
        What an error calls the values.
    shape
        The length of each axis; None for any.

    Raises
    ------
    AnimError
        Where the shape differs, a number is not finite, or an integer does not fit.
    """
    given = np.asarray(values)
    if given.size == 0 and given.ndim == 1:
        given = given.reshape([0 if length is None else length for length in shape])
    if given.shape != shape and not _fits(given.shape, shape):
        expected = ", ".join("any" if length is None else str(length) for length in shape)
        raise AnimError(f"{name} has shape {given.shape}; expected ({expected})")
    if given.dtype == dtype or (dtype is np.float64 and given.dtype == np.float32):
        out: NDArray[Any] = np.array(given, dtype=dtype, order="C")
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            out = np.array(given, dtype=dtype, order="C")
    right = np.isfinite(out) if out.dtype.kind == "f" else out == given
    if not right.all():
        wrong = ~right
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise AnimError(f"{name}{list(place)} is {given[place]}; expected a finite number that fits {dtype.__name__}")
    out.flags.writeable = False
    return out


def _fits(found: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    return len(found) == len(expected) and all(e is None or e == f for e, f in zip(expected, found, strict=True))
