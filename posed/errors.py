"""The errors that reach a user: each says what was given, what is wrong, what would be right and how to cure it."""

from __future__ import annotations

from pathlib import Path


class PosedError(Exception):
    """Anything that a call of `posed` refuses; the text is one line made to be read.

    `exit_status` is what the command line ends with.
    """

    exit_status = 2


class AssetError(PosedError):
    """A glTF file, image or other asset that cannot be used.

    Parameters
    ----------
    path
        The file, as the caller named it.
    pointer
        JSON pointer (RFC 6901) to the faulty place, empty where the whole file is meant.
    message
        What is wrong, expected and found, and the cure.
    """

    def __init__(self, path: Path | str, pointer: str, message: str) -> None:
        self.path, self.pointer, self.message = Path(path), pointer, message
        place = f"{path}: {pointer}" if pointer else f"{path}"
        super().__init__(f"{place}: {message}")


class SceneError(PosedError):
    """A scene file that cannot be used.

    Parameters
    ----------
    path
        The scene file.
    line
        1-based line of the faulty key, 0 where the whole file is meant.
    key
        Dotted key such as ``object.animation.clip``, may be empty.
    message
        What was found and what would be right.
    """

    def __init__(self, path: Path | str, line: int, key: str, message: str) -> None:
        self.path, self.line, self.key, self.message = Path(path), line, key, message
        place = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{place}: {key}: {message}" if key else f"{place}: {message}")


class PoseError(PosedError):
    """A pose, command or snapshot that does not fit its scene, with the object named."""


class VerdictError(PosedError):
    """A live frame that does not agree with its reference: the first failing layer and how far off it is."""

    exit_status = 1


class MissingError(PosedError):
    """Something this machine lacks, an adapter or an extra, with the line that installs it."""

    exit_status = 3
