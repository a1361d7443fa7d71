"""Mutations: what a file may have become by accident or by malice, drawn from a seeded chance."""

import io
import json
import random
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

VALUES = (
    None,
    True,
    -1,
    0,
    1,
    2,
    7,
    2**31,
    2**63,
    1e308,
    -1.5,
    "",
    "x",
    "data:;base64,",
    "../x",
    [],
    {},
    [0],
    [[]],
    [{}],
)
"""What takes a JSON value's place."""

NUMBERS = ("0", "-1", "1e308", "1e-320", "inf", "nan", "9223372036854775808", "0.0", "true", '"x"', "[]", "{}", "-0.0")
"""What takes a number's place in TOML."""

DTYPES = ("float32", "float64", "uint32", "int64", "uint8", "bool", "complex64", "U3")


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path to every value within a JSON value."""
    yield path
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(below, (*path, key))


def mutated_json(text: bytes, chance: random.Random) -> bytes:
    """Return the JSON with one or two of its values replaced, removed or moved."""
    root = json.loads(text)
    for _ in range(chance.randint(1, 2)):
        path = chance.choice([path for path in places(root) if path])
        holder = root
        for key in path[:-1]:
            holder = holder[key]
        value = holder[path[-1]]
        match chance.randrange(6):
            case 0:
                del holder[path[-1]]
            case 1:
                holder[path[-1]] = [value] * 3
            case 2 | 3 if isinstance(value, int | float):
                holder[path[-1]] = chance.choice((value + 1, value - 1, 2 * value, value / 2, -value, chance.random()))
            case _:
                holder[path[-1]] = chance.choice(VALUES)
    return json.dumps(root).encode()


def mutated_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with some of them changed, cut off or repeated."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    if chance.random() < 0.25:
        del changed[chance.randrange(len(changed)) :]
    return bytes(changed)


def mutated_glb(data: bytes, chance: random.Random) -> bytes:
    """Return a .glb whose JSON is mutated as JSON and put together again, or whose bytes are."""
    length = struct.unpack_from("<I", data, 12)[0]
    start = 20 + length
    match chance.randrange(5):
        case 0:
            return mutated_bytes(data, chance)
        case 1 | 2:
            return data[:start] + mutated_bytes(data[start:], chance)
    text = mutated_json(data[20:start], chance)
    text += b" " * (-len(text) % 4)
    rest = data[start:]
    if chance.random() < 0.2:
        rest = mutated_bytes(rest, chance)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


def mutated_toml(data: bytes, chance: random.Random) -> bytes:
    """Return a scene file with lines lost, doubled or moved, numbers and words replaced, or bytes changed."""
    if chance.random() < 0.1:
        return mutated_bytes(data, chance)
    lines = data.decode().splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[at])
            case 2:
                words = re.findall(r'"[^"]*"', data.decode())
                lines[at] = re.sub(r'"[^"]*"', lambda _, words=words: chance.choice(words), lines[at], count=1)
            case _:
                numbers = list(re.finditer(r"-?\d+(\.\d+)?", lines[at]))
                if numbers:
                    chosen = chance.choice(numbers)
                    lines[at] = lines[at][: chosen.start()] + chance.choice(NUMBERS) + lines[at][chosen.end() :]
        lines = lines or ["format = 1"]
    return "\n".join(lines).encode()


def mutated_png(data: bytes, chance: random.Random) -> bytes:
    """Return a PNG whose head claims another size or kind under a right checksum, or whose bytes are changed."""
    if chance.random() < 0.5:
        return mutated_bytes(data, chance)
    head = bytearray(data[12:29])
    if chance.random() < 0.7:
        struct.pack_into(">II", head, 4, *(chance.choice((0, 1, 7, 8191, 16384, 100_000, 2**31 - 1)) for _ in range(2)))
    else:
        head[chance.randrange(12, 17)] = chance.randrange(20)
    return data[:12] + bytes(head) + struct.pack(">I", zlib.crc32(head)) + data[33:]


def mutated_npz(data: bytes, chance: random.Random) -> bytes:
    """Return an npz with an array lost, of another shape, kind or content, its text mutated, or its bytes changed."""
    if chance.random() < 0.3:
        return mutated_bytes(data, chance)
    with np.load(io.BytesIO(data)) as opened:
        arrays = dict(opened)
    name = chance.choice(sorted(arrays))
    array = arrays.pop(name)
    kind = chance.randrange(4)
    if array.dtype == np.uint8 and array.ndim == 1 and kind:
        arrays[name] = np.frombuffer(mutated_json(array.tobytes(), chance), np.uint8)
    elif kind == 1:
        shape = tuple(chance.choice((0, 1, 3, side)) for side in array.shape)
        arrays[name] = np.zeros(shape[: chance.randint(0, len(shape))], chance.choice(DTYPES))
    elif kind == 2 and array.dtype.kind == "f" and array.size:
        arrays[name] = array.copy()
        arrays[name].flat[chance.randrange(array.size)] = chance.choice((np.nan, np.inf, 1e38, -1e38, 1e-45))
    elif kind == 3:
        arrays[chance.choice(("x", "../x", "layers", "posed"))] = array
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()
