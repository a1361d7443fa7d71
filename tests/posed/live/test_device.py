"""Choosing an adapter and holding it to WebGPU's default limits."""

import pytest

from posed.errors import MissingError
from posed.live import Renderer, device
from posed.live.device import DEFAULT_LIMITS, Adapter
from tests.adapter import go_without

GPU = Adapter("Big GPU", "driver 1", "Vulkan", "DiscreteGPU", True)
SOFTWARE = Adapter("llvmpipe", "Mesa 22", "Vulkan", "CPU", True)
SMALL = Adapter("Small GPU", "driver 2", "Vulkan", "IntegratedGPU", False, ("max-bind-groups is 2, needed 4",))


@pytest.mark.parametrize(
    ("found", "wanted", "chosen"),
    [
        ((SOFTWARE, GPU), "", GPU),
        ((SOFTWARE,), "", SOFTWARE),
        ((GPU, SOFTWARE), "LLVM", SOFTWARE),
        ((SOFTWARE, GPU), "mesa", SOFTWARE),
        ((GPU, SMALL), "big", GPU),
    ],
)
def test_a_gpu_goes_before_a_software_adapter_and_a_part_of_a_name_before_both(
    found: tuple[Adapter, ...], wanted: str, chosen: Adapter
) -> None:
    assert found[device._choose(found, wanted)] is chosen


def test_no_adapter_names_the_package_that_brings_one() -> None:
    with pytest.raises(MissingError, match=r"no graphics adapter was found: .*mesa-vulkan-drivers") as caught:
        device._choose((), "")
    assert caught.value.exit_status == 3


def test_an_unknown_name_lists_what_is_there() -> None:
    with pytest.raises(MissingError, match=r'holds "nvidia": this machine has "Big GPU", "llvmpipe"'):
        device._choose((GPU, SOFTWARE), "nvidia")


def test_an_adapter_below_the_default_limits_is_refused() -> None:
    with pytest.raises(MissingError, match=r'"Small GPU" is below .*\(max-bind-groups is 2, needed 4\)'):
        device._choose((SMALL, SOFTWARE), "")


def test_limits_are_compared_in_their_own_direction() -> None:
    assert device._below(DEFAULT_LIMITS) == ()
    finer = {"min-storage-buffer-offset-alignment": 32, "max-bind-groups": 8}
    assert device._below({**DEFAULT_LIMITS, **finer}) == ()
    coarser = {"min-storage-buffer-offset-alignment": 512}
    assert device._below({**DEFAULT_LIMITS, **coarser}) == ("min-storage-buffer-offset-alignment is 512, needed 256",)
    fewer = {"max-storage-buffers-per-shader-stage": 4}
    assert device._below({**DEFAULT_LIMITS, **fewer}) == ("max-storage-buffers-per-shader-stage is 4, needed 8",)


def test_the_device_is_one_and_grants_the_default_limits_only(renderer: Renderer) -> None:
    gpu = device.open_gpu(renderer.adapter.name)
    assert gpu is device.open_gpu(renderer.adapter.name)
    assert {name: gpu.device.limits[name] for name in DEFAULT_LIMITS} == dict(DEFAULT_LIMITS)
    assert renderer.adapter in device.list_adapters()


def test_the_environment_chooses_where_the_call_does_not(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSED_ADAPTER", "no such adapter")
    with pytest.raises(MissingError, match="no such adapter"):
        device.open_gpu()
    assert device.open_gpu(renderer.adapter.name).adapter == renderer.adapter


def test_tests_without_an_adapter_say_why_and_fail_where_one_has_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSED_TEST_ADAPTER", "1")
    with pytest.raises(pytest.fail.Exception, match="POSED_TEST_ADAPTER is 1, and no adapter"):
        go_without(MissingError("no adapter"))
    monkeypatch.delenv("POSED_TEST_ADAPTER")
    with pytest.raises(pytest.skip.Exception, match="no adapter"):
        go_without(MissingError("no adapter"))
