"""Rules of the ground floor's tests."""

from hypothesis import settings

settings.register_profile("anim", deadline=None)  # the first call of a kernel compiles it
settings.load_profile("anim")
