"""The errors that reach a user: each says what was given, what is wrong, what would be right and how to cure it."""

from __future__ import annotations

from pathlib import Path

LONGEST = 1200
"""Characters of a text that are shown: a file may hold a name of a million letters, or a million names."""


class PosedError(Exception):
    """Anything that a call of `posed` refuses; the text is one line made to be read.

    Control characters, which names in files may hold, are escaped, and a text past `LONGEST` loses its middle.
    `exit_status` is what the command line ends with.
    """

    exit_status = 2

    def __init__(self, text: str) -> None:
        super().__init__(_readable(text))


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

    def __reduce__(self) -> tuple[type[AssetError], tuple[Path, str, str]]:
        return type(self), (self.path, self.pointer, self.message)


class SceneError(PosedError):
    """A scene, suite or policy file that cannot be used.

    Parameters
    ----------
    path
        The file.
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

    def __reduce__(self) -> tuple[type[SceneError], tuple[Path, int, str, str]]:
        return type(self), (self.path, self.line, self.key, self.message)


class PoseError(PosedError):
    """A pose, command or snapshot that does not fit its scene, with the object named."""


class VerdictError(PosedError):
    """A live frame that does not agree with its reference, with the first failing layer and how far off it is; or an
    engine that drew none."""

    exit_status = 1


class MissingError(PosedError):
    """Something this machine lacks, an adapter or an extra, with the line that installs it."""

    exit_status = 3


def _readable(text: str) -> str:
    if len(text) > LONGEST:
        text = f"{text[: LONGEST * 2 // 3]} [...] {text[-LONGEST // 3 :]}"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
