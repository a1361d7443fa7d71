"""The error that `anim` raises."""


class AnimError(ValueError):
    """A description that does not hold together, or a call that no animator can follow.

    The message says what was given, what was found and expected, and what would be right.
    """
