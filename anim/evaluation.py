# Elements of arrays are Any to the type checker.
# mypy: disable-error-code="no-any-return"
"""From rows and a tick to a pose: every layer sampled, mixed property by property, and mix faded over mix.

Arrays are handed to few functions and numbers to many: numba counts references to every array it hands on.
"""

import math

import numpy as np
from numpy.typing import NDArray

from anim.clip import Interpolation, Path
from anim.kernel import kernel
from anim.mixing import mix_number, mix_rotation
from anim.quaternion import Quaternion, conjugate, dot, multiply, slerp
from anim.rig import ClipTables, RestTables
from anim.rows import Kind
from anim.sampling import locate, write_value
from anim.timing import set_fades, set_times

Floats = NDArray[np.float64]
Places = NDArray[np.int32]
Rows = NDArray[np.void]

PATHS = len(Path)
TRANSLATION, ROTATION, SCALE, WEIGHTS = (int(path) for path in Path)
OVER, ADDITIVE, ADDITIVE_LOCAL = int(Kind.OVER), int(Kind.ADDITIVE), int(Kind.ADDITIVE_LOCAL)
LINEAR = int(Interpolation.LINEAR)
NO_TURN = (0.0, 0.0, 0.0, 1.0)

SHORTEST_SUM = 1e-6
"""Length of a weighted sum of rotations below which it has no direction, and the heaviest stands for all."""


@kernel
def pose_at(
    tick: int,
    parts: int,
    clips: ClipTables,
    rest: RestTables,
    layers: Rows,
    mixes: Rows,
    masks: Floats,
    samples: Floats,
    translations: Floats,
    rotations: Floats,
    scales: Floats,
    weights: Floats,
) -> bool:
    """Set the rows' times and fades to tick `tick / parts` and write the pose; False, with no pose, on an overflow."""
    if not set_times(layers, tick, parts):
        return False
    set_fades(mixes, tick, parts)
    write_pose(clips, rest, layers, mixes, masks, samples, translations, rotations, scales, weights)
    return True


@kernel
def write_pose(
    clips: ClipTables,
    rest: RestTables,
    layers: Rows,
    mixes: Rows,
    masks: Floats,
    samples: Floats,
    translations: Floats,
    rotations: Floats,
    scales: Floats,
    weights: Floats,
) -> None:
    """Write the pose of what plays into translations (B,3), rotations (B,4), scales (B,3) and weights (W,).

    `layers` and `mixes` have their times and fades; `masks` is (N, B); `samples` is scratch, as long as the layers'
    `samples` fields ask for.
    """
    if len(mixes) == 0:
        set_rest(rest, translations, rotations, scales, weights)
    lowest = 0
    for m in range(1, len(mixes)):
        if mixes[m]["fade"] >= 1.0:
            lowest = m  # what lies below no longer shows
    for m in range(lowest, len(mixes)):
        mix = mixes[m]
        own = layers[mix["first"] : mix["end"]]
        for i in range(len(own)):
            sample_clip(clips, own[i]["clip"], own[i]["time"], own[i]["samples"], samples)
            if own[i]["kind"] >= ADDITIVE:
                after = own[i]["samples"] + clips.clip_samples[own[i]["clip"]]
                sample_clip(clips, own[i]["reference_clip"], own[i]["reference_time"], after, samples)
        fade = 1.0 if m == lowest else mix["fade"]
        mix_rotations(
            clips.place_of, clips.clip_samples, own, mix["shares"], fade, masks, samples, rest.rotations, rotations
        )
        for path in range(PATHS):
            if path == TRANSLATION:
                offsets, still, out = rest.triples, rest.translations.reshape(-1), translations.reshape(-1)
            elif path == SCALE:
                offsets, still, out = rest.triples, rest.scales.reshape(-1), scales.reshape(-1)
            elif path == WEIGHTS:
                offsets, still, out = rest.morphs, rest.weights, weights
            else:
                continue
            mix_numbers(
                clips.place_of, clips.clip_samples, own, mix["shares"], fade, masks, samples, path, offsets, still, out
            )


@kernel
def set_rest(rest: RestTables, translations: Floats, rotations: Floats, scales: Floats, weights: Floats) -> None:
    """Write the rest pose."""
    for bone in range(len(rotations)):
        for axis in range(3):
            translations[bone, axis] = rest.translations[bone, axis]
            scales[bone, axis] = rest.scales[bone, axis]
        for axis in range(4):
            rotations[bone, axis] = rest.rotations[bone, axis]
    for i in range(len(weights)):
        weights[i] = rest.weights[i]


@kernel
def sample_clip(tables: ClipTables, clip: int, time: float, first: int, samples: Floats) -> None:
    """Write the values of a clip's channels at a time, one after the other, from `samples[first]`."""
    place = first
    values = tables.values
    for timeline in range(tables.clip_timelines[clip], tables.clip_timelines[clip + 1]):
        begin = tables.timeline_keys[timeline]
        key, share = locate(tables.times, begin, tables.timeline_keys[timeline + 1], time)
        interval = tables.times[begin + key + 1] - tables.times[begin + key] if share > 0.0 else 0.0
        for channel in range(tables.timeline_channels[timeline], tables.timeline_channels[timeline + 1]):
            components = tables.channel_components[channel]
            if share > 0.0 and tables.channel_rotates[channel] and tables.channel_interpolation[channel] == LINEAR:
                at = tables.channel_values[channel] + 4 * key
                turn = slerp(quaternion_in(values, at), quaternion_in(values, at + 4), share)
                samples[place], samples[place + 1] = turn[0], turn[1]
                samples[place + 2], samples[place + 3] = turn[2], turn[3]
            else:
                write_value(
                    values,
                    tables.channel_values[channel],
                    tables.channel_interpolation[channel],
                    components,
                    tables.channel_rotates[channel],
                    key,
                    share,
                    interval,
                    samples,
                    place,
                )
            place += components


@kernel
def mix_numbers(
    place_of: Places,
    clip_samples: NDArray[np.int64],
    layers: Rows,
    shares: int,
    fade: float,
    masks: Floats,
    samples: Floats,
    path: int,
    offsets: Places,
    rest: Floats,
    out: Floats,
) -> None:
    """Mix what a mix gives for a path that is no rotation into the numbers of all bones, by the mix's fade.

    Bone b's numbers are `out[offsets[b]:offsets[b + 1]]`, and so in `rest`. The first `shares` layers are the shares.
    """
    for bone in range(len(offsets) - 1):
        moved = False
        for i in range(len(layers)):
            moved |= place_of[layers[i]["clip"], bone, path] >= 0
        for at in range(offsets[bone], offsets[bone + 1]):
            component = at - offsets[bone]
            value = rest[at]
            if moved:
                left = 1.0 if shares == 0 else 0.0
                value = 0.0
                for i in range(shares):
                    place = place_of[layers[i]["clip"], bone, path]
                    share = layers[i]["weight"]
                    if place < 0:
                        left += share
                    else:
                        masked = share * masks[layers[i]["mask"], bone]
                        left += share - masked
                        value += samples[layers[i]["samples"] + place + component] * masked
                if left != 0.0:
                    value += rest[at] * left
                for i in range(shares, len(layers)):
                    place = place_of[layers[i]["clip"], bone, path]
                    if place < 0:
                        continue
                    number = samples[layers[i]["samples"] + place + component]
                    weight = layers[i]["weight"] * masks[layers[i]["mask"], bone]
                    if layers[i]["kind"] == OVER:
                        value = mix_number(value, number, weight)
                        continue
                    reference = rest[at]
                    place = place_of[layers[i]["reference_clip"], bone, path]
                    if place >= 0:
                        own = clip_samples[layers[i]["clip"]]
                        reference = samples[layers[i]["samples"] + own + place + component]
                    if path == SCALE:
                        value *= 1.0 - weight + weight * (number / reference)
                    else:
                        value += weight * (number - reference)
            out[at] = value if fade >= 1.0 else mix_number(out[at], value, fade)


@kernel
def mix_rotations(
    place_of: Places,
    clip_samples: NDArray[np.int64],
    layers: Rows,
    shares: int,
    fade: float,
    masks: Floats,
    samples: Floats,
    rest: Floats,
    out: Floats,
) -> None:
    """Mix what a mix gives for the rotations of all bones into out (B,4), by the mix's fade."""
    for bone in range(len(out)):
        value = quaternion_at(rest, bone)
        if shares == 1 and masks[layers[0]["mask"], bone] == 1.0:
            place = place_of[layers[0]["clip"], bone, ROTATION]
            if place >= 0:
                value = quaternion_in(samples, layers[0]["samples"] + place)
        elif shares > 0:
            value = shared_rotation(place_of, layers[:shares], masks, samples, bone, value)
        for i in range(shares, len(layers)):
            place = place_of[layers[i]["clip"], bone, ROTATION]
            if place < 0:
                continue
            turn = quaternion_in(samples, layers[i]["samples"] + place)
            weight = layers[i]["weight"] * masks[layers[i]["mask"], bone]
            if layers[i]["kind"] == OVER:
                value = mix_rotation(value, turn, weight)
                continue
            reference = quaternion_at(rest, bone)
            place = place_of[layers[i]["reference_clip"], bone, ROTATION]
            if place >= 0:
                own = clip_samples[layers[i]["clip"]]
                reference = quaternion_in(samples, layers[i]["samples"] + own + place)
            value = add_rotation(value, turn, reference, weight, layers[i]["kind"] == ADDITIVE_LOCAL)
        if fade < 1.0:
            value = mix_rotation(quaternion_at(out, bone), value, fade)
        out[bone, 0], out[bone, 1], out[bone, 2], out[bone, 3] = value[0], value[1], value[2], value[3]


@kernel
def shared_rotation(
    place_of: NDArray[np.int32], layers: Rows, masks: Floats, samples: Floats, bone: int, rest: Quaternion
) -> Quaternion:
    """Return the weighted sum of the layers' rotations and, for the shares of those that move nothing, of the rest's.

    Two contributions (by count, whatever they weigh) are flipped into each other's hemisphere, more into the rest's; a
    sum that has no length gives the heaviest.
    """
    movers = 0
    left = 0.0
    resting = False
    for i in range(len(layers)):
        share = layers[i]["weight"]
        masked = 0.0
        if place_of[layers[i]["clip"], bone, ROTATION] >= 0:
            masked = share * masks[layers[i]["mask"], bone]
            movers += 1
        resting |= masked != share or place_of[layers[i]["clip"], bone, ROTATION] < 0
        left += share - masked
    if left == 1.0 or movers == 0:
        return rest
    hemisphere = rest
    chosen = resting or movers > 2
    heaviest, greatest = rest, left
    x, y, z, w = 0.0, 0.0, 0.0, 0.0
    for i in range(len(layers)):
        place = place_of[layers[i]["clip"], bone, ROTATION]
        if place < 0:
            continue
        turn = quaternion_in(samples, layers[i]["samples"] + place)
        share = layers[i]["weight"] * masks[layers[i]["mask"], bone]
        if share == 1.0:
            return turn
        if share > greatest:
            heaviest, greatest = turn, share
        if not chosen:
            hemisphere, chosen = turn, True
        sign = -1.0 if dot(hemisphere, turn) < 0.0 else 1.0
        x += sign * turn[0] * share
        y += sign * turn[1] * share
        z += sign * turn[2] * share
        w += sign * turn[3] * share
    x += rest[0] * left
    y += rest[1] * left
    z += rest[2] * left
    w += rest[3] * left
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length < SHORTEST_SUM:
        return heaviest
    return x / length, y / length, z / length, w / length


@kernel
def add_rotation(base: Quaternion, turn: Quaternion, reference: Quaternion, weight: float, local: bool) -> Quaternion:
    """Return the base turned by a weight of the way from the reference to a turn.

    The difference acts on the left, in the parent's space, or on the right, in the bone's own.
    """
    if local:
        return multiply(base, slerp(NO_TURN, multiply(conjugate(reference), turn), weight))
    return multiply(slerp(NO_TURN, multiply(turn, conjugate(reference)), weight), base)


@kernel
def quaternion_at(rows: Floats, row: int) -> Quaternion:
    """Return a row of (N, 4)."""
    return rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]


@kernel
def quaternion_in(numbers: Floats, first: int) -> Quaternion:
    """Return four numbers in a row."""
    return numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]
