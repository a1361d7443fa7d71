"""One suite over all backends."""

import pytest


@pytest.fixture(params=["embree", "bvh"])
def backend(request):
    """The name of each backend in turn."""
    return request.param
