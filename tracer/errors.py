"""The errors of the second floor: both are `ValueError`, so that callers need not import them."""


class SceneError(ValueError):
    """A scene, camera or option that cannot be traced: says what was given, what was expected and how to cure it."""


class BackendError(ValueError):
    """The ray backend that was asked for is not on this machine, or is not the one these kernels were written for."""
