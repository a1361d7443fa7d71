"""Accessors: every component and element type, stride, normalization, sparse overrides and claims checked first."""

from pathlib import Path

import numpy as np
import pytest

from posed.errors import AssetError
from posed.gltf.accessor import LARGEST_TOTAL, Accessors
from posed.gltf.buffer import Buffers
from posed.gltf.document import Record
from tests.gltf_literals import COMPONENTS, KINDS, Literal

ALL_KINDS = tuple(KINDS.values())


def opened(literal):
    root = {**literal.root, "buffers": [{"byteLength": len(literal.data)}]}
    document = Record(Path("model.glb"), root)
    return Accessors(document, Buffers(document, memoryview(bytes(literal.data)))), document


def read(literal, index=0, dtype=np.float32):
    accessors, document = opened(literal)
    return accessors.floats(index, ALL_KINDS, dtype, document, "user")


def refused(literal, index=0):
    with pytest.raises(AssetError) as caught:
        read(literal, index)
    return str(caught.value).removeprefix("model.glb: ")


PACKED = [
    (component, shape)
    for component in COMPONENTS
    for shape in KINDS
    if len(shape) < 2 or np.dtype(component).itemsize * shape[0] % 4 == 0
]


@pytest.mark.parametrize(("component", "shape"), PACKED)
def test_every_component_and_element_type(component, shape):
    values = np.arange(3 * int(np.prod(shape))).reshape(3, *shape)
    literal = Literal()
    literal.accessor(values, component)
    assert np.array_equal(read(literal), values.astype(np.float32))


@pytest.mark.parametrize(
    ("kind", "stored", "expected"),
    [
        ("MAT2", [1, 2, 0, 0, 3, 4, 0, 0], [[1, 3], [2, 4]]),
        ("MAT3", [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0], [[1, 4, 7], [2, 5, 8], [3, 6, 9]]),
    ],
)
def test_columns_of_byte_matrices_begin_on_four_bytes(kind, stored, expected):
    literal = Literal()
    view = literal.view(bytes(stored))
    literal.root["accessors"] = [{"bufferView": view, "componentType": 5121, "count": 1, "type": kind}]
    assert read(literal)[0].tolist() == expected


def test_stride_and_offset_are_honoured():
    literal = Literal()
    view = literal.view(bytes([9, 9, 1, 2, 3, 9, 4, 5, 6, 9]), byteStride=4)
    accessor = {"bufferView": view, "byteOffset": 2, "componentType": 5121, "count": 2, "type": "VEC3"}
    literal.root["accessors"] = [accessor]
    assert read(literal).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_three_bytes_padded_to_four():
    literal = Literal()
    view = literal.view(bytes([1, 2, 3, 0, 4, 5, 6, 0]), byteStride=4)
    literal.root["accessors"] = [{"bufferView": view, "componentType": 5121, "count": 2, "type": "VEC3"}]
    assert read(literal).tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("component", "stored", "expected"),
    [
        ("int8", [-128, -127, 0, 127], [-1.0, -1.0, 0.0, 1.0]),
        ("uint8", [0, 51, 255], [0.0, 0.2, 1.0]),
        ("int16", [-32768, -32767, 16384, 32767], [-1.0, -1.0, 16384 / 32767, 1.0]),
        ("uint16", [0, 13107, 65535], [0.0, 0.2, 1.0]),
    ],
)
def test_normalized_integers(component, stored, expected):
    literal = Literal()
    literal.accessor(stored, component, normalized=True)
    assert np.array_equal(read(literal, dtype=np.float64), expected)
    assert np.array_equal(read(literal), np.float32(expected))


def test_buffer_view_zero_is_a_view_and_none_is_zeros():
    literal = Literal()
    literal.accessor([1.0, 2.0])
    literal.root["accessors"].append({"componentType": 5126, "count": 2, "type": "VEC3"})
    assert read(literal).tolist() == [1.0, 2.0]
    assert read(literal, 1).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("component", "number"), [("uint8", 5121), ("uint16", 5123), ("uint32", 5125)])
def test_sparse_overrides_with_and_without_a_base(component, number):
    for base in (True, False):
        literal = Literal()
        literal.accessor([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
        if not base:
            del literal.root["accessors"][0]["bufferView"]
        places = literal.view(np.array([0, 2], component).tobytes())
        values = literal.view(np.array([[7, 8], [9, 10]], np.float32).tobytes())
        literal.root["accessors"][0]["sparse"] = {
            "count": 2,
            "indices": {"bufferView": places, "componentType": number},
            "values": {"bufferView": values},
        }
        assert read(literal).tolist() == [[7, 8], [2, 2] if base else [0, 0], [9, 10]]


def test_sparse_values_take_offsets_of_their_own():
    literal = Literal()
    literal.root["accessors"] = [
        {
            "componentType": 5126,
            "count": 2,
            "type": "SCALAR",
            "sparse": {
                "count": 1,
                "indices": {"bufferView": literal.view(b"\xff\x01"), "byteOffset": 1, "componentType": 5121},
                "values": {"bufferView": literal.view(np.float32([5, 6]).tobytes()), "byteOffset": 4},
            },
        }
    ]
    assert read(literal).tolist() == [0.0, 6.0]


def test_arrays_are_shared_and_read_only():
    literal = Literal()
    literal.accessor([1.0, 2.0])
    accessors, document = opened(literal)
    first = accessors.floats(0, ALL_KINDS, np.float32, document, "user")
    assert first is accessors.floats(0, ALL_KINDS, np.float32, document, "user")
    assert not first.flags.writeable
    assert not accessors.raw(0).flags.writeable


def test_past_the_buffer_view():
    literal = Literal()
    literal.accessor([[1.0, 2.0, 3.0]], count=3, byteOffset=4)
    assert refused(literal) == (
        "/accessors/0: 3 elements of 12 bytes, 12 apart, from byte 4: expected 40 bytes in the buffer view, found 12; "
        "export the file again"
    )


def test_a_view_past_its_buffer():
    literal = Literal()
    literal.accessor([1.0])
    literal.root["bufferViews"][0]["byteLength"] = 100
    assert refused(literal) == (
        "/bufferViews/0: expected bytes 0 to 100 within the buffer, found 4 bytes in it: export the file again"
    )


@pytest.mark.parametrize("count", [2**31, 2**52])
def test_a_claim_of_too_much_is_refused_before_anything_is_allocated(count):
    literal = Literal()
    literal.root["accessors"] = [{"componentType": 5126, "count": count, "type": "SCALAR"}]
    assert refused(literal) == (
        f"/accessors/0/count: expected at most {LARGEST_TOTAL} numbers in all accessors, found {count} in this one: "
        "export the file again"
    )


def test_many_claims_count_together():
    literal = Literal()
    claim = {"componentType": 5121, "count": LARGEST_TOTAL // 16, "type": "VEC4"}
    literal.root["accessors"] = [claim] * 5
    accessors, _ = opened(literal)
    for index in range(4):
        assert len(accessors.raw(index)) == LARGEST_TOTAL // 16
    with pytest.raises(AssetError, match="expected at most"):
        accessors.raw(4)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"componentType": 5124},
            "/accessors/0/componentType: expected a component type of 5120, 5121, 5122, 5123, 5125, 5126, found 5124",
        ),
        (
            {"type": "VEC5"},
            '/accessors/0/type: expected one of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4, found "VEC5"',
        ),
        ({"bufferView": 1}, "/accessors/0/bufferView: expected an index of bufferViews below 1, found 1"),
        ({"count": -1}, "/accessors/0/count: expected an integer of 0 or more, found -1"),
        ({"normalized": 1, "componentType": 5121}, "/accessors/0/normalized: expected true or false, found 1"),
    ],
)
def test_wrong_properties(changes, expected):
    literal = Literal()
    literal.accessor([1.0], **changes)
    assert refused(literal) == f"{expected}: correct it or export the file again"


def test_the_wrong_element_type_names_its_user():
    literal = Literal()
    literal.accessor([1.0])
    accessors, document = opened(literal)
    with pytest.raises(AssetError) as caught:
        accessors.floats(0, ("VEC3",), np.float32, document, "user")
    assert (
        str(caught.value)
        == "model.glb: /accessors/0/type: expected VEC3 for /user, found SCALAR: export the file again"
    )


def test_sparse_indices_past_the_end():
    literal = Literal()
    literal.accessor([1.0])
    literal.root["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": literal.view(b"\x01"), "componentType": 5121},
        "values": {"bufferView": literal.view(bytes(4))},
    }
    assert refused(literal) == ("/accessors/0/sparse/indices: expected indices below 1, found 1: export the file again")


def test_sparse_indices_of_signed_numbers():
    literal = Literal()
    literal.accessor([1.0])
    literal.root["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": literal.view(bytes(1)), "componentType": 5120},
        "values": {"bufferView": literal.view(bytes(4))},
    }
    assert refused(literal) == (
        "/accessors/0/sparse/indices/componentType: expected an unsigned component type, found 5120: correct it or "
        "export the file again"
    )


def test_floats_are_no_indices():
    literal = Literal()
    literal.accessor([1.0])
    accessors, document = opened(literal)
    with pytest.raises(AssetError, match="expected unsigned integers for /user, found float32"):
        accessors.integers(0, ("SCALAR",), document, "user")
