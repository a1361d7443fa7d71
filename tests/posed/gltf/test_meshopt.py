"""Compressed views: streams written by hand from the specification's text, and what is no stream."""

import numpy as np
import pytest

from posed.gltf import load
from posed.gltf.meshopt_attributes import decode_attributes
from posed.gltf.meshopt_filters import undo_color, undo_exponential, undo_octahedral, undo_quaternion
from posed.gltf.meshopt_indices import decode_sequence, decode_triangles
from tests.gltf_literals import TRIANGLE, Literal, refusal

ZEROS = b"\0"
"""The header of a lane whose one to four groups are all zeros."""


def data(*parts):
    return np.frombuffer(b"".join(bytes(part) if isinstance(part, list) else part for part in parts), np.uint8)


def stream(*lanes, tail=(0, 0, 0, 0)):
    """Return a version 0 stream of four-byte elements."""
    return data(b"\xa0", *lanes, bytes(32 - len(tail)), list(tail))


def lane(elements, number=0):
    return elements[:, number].tolist()


def test_the_specification_s_example_of_four_bit_deltas():
    packed = [0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5]
    found = decode_attributes(stream([2], packed, ZEROS, ZEROS, ZEROS), 16, 4)
    deltas = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]
    assert lane(found) == (np.cumsum(deltas) % 256).tolist()
    assert lane(found, 1) == [0] * 16


def test_two_bit_deltas_with_a_code_that_is_stored_whole():
    packed = [0b00_01_10_11, 0, 0, 0b11_00_00_01, 200, 3]
    found = decode_attributes(stream(ZEROS, [1], packed, ZEROS, ZEROS, tail=(9, 5, 0, 7)), 16, 4)
    # Codes 0, 1, 2, then 200 in full; 0 eight times; then 3 in full, 0, 0, 1: deltas 0 -1 1 100 ... -2 0 0 -1.
    assert lane(found, 1) == [5, 4, 5, 105] + [105] * 8 + [103, 103, 103, 102]
    assert lane(found, 0) == [9] * 16
    assert lane(found, 3) == [7] * 16


def test_whole_bytes_and_a_block_that_ends_within_a_group():
    found = decode_attributes(stream([3], [2] * 16, ZEROS, ZEROS, ZEROS), 3, 4)
    assert lane(found) == [1, 2, 3]


def test_blocks_go_on_from_one_another():
    # Elements of 256 bytes come in blocks of 32: 40 of them are a block of two groups and one of one.
    first = b"\x0f" + bytes([2] * 32) + ZEROS * 255
    second = b"\x03" + bytes([2] * 16) + ZEROS * 255
    found = decode_attributes(data(b"\xa0", first, second, bytes(256)), 40, 256)
    assert lane(found) == list(range(1, 41))
    assert not found[:, 1:].any()


def version_one(controls, *lanes, channels=(0,), baseline=(0, 0, 0, 0)):
    tail = bytes([*baseline, *channels])
    return data(b"\xa1", bytes([controls]), *lanes, bytes(24 - len(tail)), tail)


def test_version_one_has_single_bits_zeros_and_literals():
    # Lane 0 in single bits, lowest first; lane 1 all zero; lane 2 literal; lane 3 in whole bytes.
    controls = 0 | 2 << 2 | 3 << 4 | 1 << 6
    found = decode_attributes(version_one(controls, [1], [0b101, 0], [2, 6], [2, 4, 6], [3], [8] * 16), 3, 4)
    # A single bit that is set stands for a code in full: 2, 6 are deltas 1, 3.
    assert lane(found, 0) == [1, 1, 4]
    assert lane(found, 1) == [0, 0, 0]
    assert lane(found, 2) == [1, 3, 6]
    assert lane(found, 3) == [4, 8, 12]


def test_pairs_of_bytes_carry_and_wrap():
    controls = 3 | 3 << 2 | 3 << 4 | 3 << 6
    # Codes 2 and 0x200 for the first pair: deltas 1 and 256; 1 for the second: delta -1 from 0.
    found = decode_attributes(version_one(controls, [2, 0], [0, 2], [1, 0], [0, 0], channels=(1,)), 2, 4)
    assert found.view("<u2").tolist() == [[1, 0xFFFF], [257, 0xFFFF]]


def test_exclusive_or_of_four_bytes_turns_back():
    controls = 3 | 3 << 2 | 3 << 4 | 3 << 6
    value, turn = 0x12345678, 4
    turned = ((value << turn) | (value >> (32 - turn))) & 0xFFFFFFFF
    lanes = [[(turned >> (8 * byte)) & 255, 0] for byte in range(4)]
    found = decode_attributes(version_one(controls, *lanes, channels=(2 | turn << 4,), baseline=(1, 0, 0, 0)), 2, 4)
    assert found.view("<u4").ravel().tolist() == [value ^ 1] * 2


@pytest.mark.parametrize("channel", [3, 0x10, 0x11])
def test_unknown_channels(channel):
    assert decode_attributes(version_one(0b10101010, channels=(channel,)), 2, 4) is None


def triangles(*codes, extra=(), table=()):
    return data([0xE1, *codes], bytes(extra), bytes(table).ljust(16, b"\0"))


def test_fresh_triangles_and_shared_edges():
    # Three fresh vertices; then the newest edge, (0, 2), with the next vertex, which leaves (3, 2) and (0, 3) as the
    # newest; then the newest edge but one with the newest vertex but two.
    found = decode_triangles(triangles(0xF0, 0x00, 0x12), 9)
    assert found.reshape(-1, 3).tolist() == [[0, 1, 2], [0, 2, 3], [3, 2, 1]]


def test_the_table_tells_recent_vertices():
    # Entry 1 of the table: a second vertex that is fresh, a third that is the newest but one.
    found = decode_triangles(triangles(0xF0, 0xF1, table=[0, 0x02]), 6)
    assert found.reshape(-1, 3).tolist() == [[0, 1, 2], [3, 4, 1]]


def test_explicit_indices_are_deltas_from_the_last_one():
    # All three explicit: 10 (+10), 7 (-3), 300 (+293, in two bytes); then the newest edge with the last index + 1.
    extra = [0xFF, 20, 5, 0xCA, 0x04]
    found = decode_triangles(triangles(0xFF, 0x0E, extra=extra), 6)
    assert found.reshape(-1, 3).tolist() == [[10, 7, 300], [10, 300, 301]]


def test_a_restart_counts_from_zero_again():
    found = decode_triangles(triangles(0xF0, 0xFE, extra=[0x00]), 6)
    assert found.reshape(-1, 3).tolist() == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize(
    ("wrong", "count"),
    [
        (triangles(0x00), 3),  # an edge where there is none
        (triangles(0xF0, 0x0C), 6),  # a vertex where there is none
        (triangles(0xFF, extra=[0xFF, 20, 5]), 3),  # the third index is missing
        (triangles(0xF0, extra=[0]), 3),  # a byte that nothing asks for
        (triangles(0xFF, extra=[0xFF, *[0x80] * 9]), 3),  # an integer without an end
        (data([0xE2, 0xF0], bytes(16)), 3),  # another version
        (data([0xE1]), 3),
    ],
)
def test_triangles_that_refer_to_nothing_or_end_elsewhere(wrong, count):
    assert decode_triangles(wrong, count) is None


def test_a_sequence_on_two_baselines():
    # +5 and +1 on the first baseline, +100 on the second, then -2 on the first.
    codes = [5 << 2, 1 << 2, (100 << 2 | 1) & 127 | 128, (100 << 2 | 1) >> 7, (1 << 1 | 1) << 1]
    assert decode_sequence(data([0xD1], codes, bytes(4)), 4).tolist() == [5, 6, 100, 4]


def test_sequences_that_end_elsewhere():
    assert decode_sequence(data([0xD1, 4, 4], bytes(4)), 1) is None
    assert decode_sequence(data([0xD1, 0x80], bytes(4)), 1) is None
    assert decode_sequence(data([0xD1], bytes(4)), 1) is None


def test_octahedral_vectors():
    coded = np.array([[127, 0, 127, 5], [0, 0, 127, -5], [127, 127, 127, 0], [-32, 32, 64 - 1, 0]], np.int8)
    found = undo_octahedral(coded.view(np.uint8))
    # x alone; z alone; the corner of the square is -z; a third of the way round in six bits of precision.
    assert found[:2].tolist() == [[127, 0, 0, 5], [0, 0, 127, -5]]
    assert found[2].tolist() == [0, 0, -127, 0]
    assert np.linalg.norm(found[3, :3].astype(float)) == pytest.approx(127, abs=1)
    wide = np.array([[0, -32767, 32767, 9]], np.int16)
    assert undo_octahedral(wide.view(np.uint8)).tolist() == [[0, -32767, 0, 9]]


@pytest.mark.parametrize(("place", "expected"), [(3, [0, 0, 0, 1]), (0, [1, 0, 0, 0]), (1, [0, 1, 0, 0])])
def test_quaternions_without_their_largest_component(place, expected):
    coded = np.array([[0, 0, 0, 32764 | place]], np.int16)
    assert undo_quaternion(coded.view(np.uint8)).tolist() == [[32767 * part for part in expected]]


def test_quaternions_scale_by_the_root_of_a_half():
    coded = np.array([[32767, 0, 0, 32767]], np.int16)
    # The first of the three after place 3 is x: it and w are sqrt(1/2).
    assert undo_quaternion(coded.view(np.uint8)).tolist() == [[23170, 0, 0, 23170]]


def test_exponential_numbers_are_exact():
    coded = np.array([[(2 << 24) | 3, ((-1 & 0xFF) << 24) | (-5 & 0xFFFFFF)]], np.uint32)
    assert undo_exponential(coded.view(np.uint8)).tolist() == [[12.0, -2.5]]


def test_colors_in_luma_and_chroma():
    # Eight bits: alpha 127 under the top bit; y 100, co 20, cg -10: red 130, green 90, blue 90.
    coded = np.array([[100, 20, 246, 255], [0, 0, 0, 128]], np.uint8)
    assert undo_color(coded).tolist() == [[130, 90, 90, 255], [0, 0, 0, 0]]


def compressed(name="KHR_meshopt_compression", **changes):
    """Return a triangle whose indices are compressed to one code."""
    literal = Literal(extensionsRequired=[name])
    packed = bytes(triangles(0xF0))
    given = literal.primitive()
    view = literal.view(packed)
    extension = {"buffer": 0, "byteOffset": literal.root["bufferViews"][view]["byteOffset"], "byteLength": len(packed)}
    extension |= {"byteStride": 2, "count": 3, "mode": "TRIANGLES", **changes}
    literal.root["bufferViews"][view] = {"buffer": 1, "byteLength": 6, "extensions": {name: extension}}
    literal.root["accessors"].append({"bufferView": view, "componentType": 5123, "count": 3, "type": "SCALAR"})
    given["indices"] = len(literal.root["accessors"]) - 1
    literal.node(mesh=literal.mesh(given))
    return literal


@pytest.mark.parametrize("name", ["EXT_meshopt_compression", "KHR_meshopt_compression"])
def test_a_compressed_file_loads_without_its_fallback(tmp_path, name):
    primitive = load(compressed(name).write(tmp_path)).meshes[0].primitives[0]
    assert primitive.triangles.tolist() == [[0, 1, 2]]
    assert primitive.positions.tolist() == [list(map(float, corner)) for corner in TRIANGLE]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"mode": "LINES"}, '/mode: expected one of ATTRIBUTES, TRIANGLES, INDICES, found "LINES"'),
        ({"count": 4}, "/count: expected a multiple of 3, found 4"),
        ({"byteStride": 3}, "/byteStride: expected 2 or 4, found 3"),
        ({"mode": "ATTRIBUTES", "byteStride": 6}, "/byteStride: expected a multiple of 4 up to 256, found 6"),
        (
            {"mode": "ATTRIBUTES", "byteStride": 4, "filter": "QUATERNION"},
            "/byteStride: expected 8 for the filter QUATERNION, found 4",
        ),
        (
            {"filter": "OCTAHEDRAL"},
            "/filter: expected one of NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, COLOR, and NONE for indices, found "
            '"OCTAHEDRAL"',
        ),
    ],
)
def test_layouts_that_do_not_go_together(tmp_path, changes, expected):
    place = "/bufferViews/1/extensions/KHR_meshopt_compression"
    text = refusal(compressed(**changes).write(tmp_path))
    assert text == f"{place}{expected}: correct it or export the file again"


def test_another_count_than_the_stream_holds(tmp_path):
    assert refusal(compressed(count=6).write(tmp_path)) == (
        "/bufferViews/1/extensions/KHR_meshopt_compression: expected 6 elements in 18 compressed bytes, found others: "
        "compress the file again"
    )


def test_a_claim_of_too_much_is_refused_before_it_is_unpacked(tmp_path):
    text = refusal(compressed(mode="ATTRIBUTES", byteStride=256, count=2**40).write(tmp_path))
    assert text.startswith(
        "/bufferViews/1/extensions/KHR_meshopt_compression/count: expected at most 268435456 numbers"
    )


def test_noise_never_reads_past_its_end():
    generator = np.random.default_rng(11)
    header = {decode_attributes: (0xA0, 0xA1), decode_triangles: (0xE0, 0xE1), decode_sequence: (0xD0, 0xD1)}
    with np.errstate(all="ignore"):
        for _ in range(500):
            noise = generator.integers(0, 256, generator.integers(1, 400)).astype(np.uint8)
            for decode, (old, new) in header.items():
                noise[0] = (old, new)[generator.integers(2)]
                count = int(generator.integers(0, 60)) * 3
                found = decode(noise, count, 8) if decode is decode_attributes else decode(noise, count)
                assert found is None or len(found) == count
