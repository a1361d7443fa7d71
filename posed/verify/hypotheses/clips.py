"""Another clip, or another weight of one: the wrong animation plays, or the right ones are mixed wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import anim
from anim.rows import Kind
from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.diagnosis import Finding
from posed.verify.diagnosing.hypothesis import USUAL, Family, Hypothesis
from posed.verify.hypotheses.times import Mixes, with_clip
from posed.verify.played import Played

CLIP, WEIGHT = "another clip", "another blend weight"

COARSE, FINE = 10, 100
"""Steps of a weight from 0 to 1 that are tried first, and around the best."""

CURE = "which clips the engine plays, by name or by index, and with which weights"


def propose_clips(case: Case) -> Iterator[Hypothesis]:
    """Yield that one of the rig's clips plays alone: as far from its start as the newest, or from tick 0."""
    for name in case.suspects:
        played = case.played(case.scene.object(name))
        if played is None:
            continue
        layers = played.mixes[-1].layers if played.mixes else ()
        starts = [replace(layers[0], kind=Kind.SHARE, weight=1.0, reference=None, mask=None)] if layers else []
        starts.append(anim.PlayedLayer("", 0, Kind.SHARE, 1.0, 0.0, unwrapped=float(case.seconds)))
        tried: set[tuple[int, float]] = set()
        for index in range(len(played.rig.clips)):
            for start in starts:
                layer = with_clip(played, start, index)
                alone = len(played.mixes) == 1 and len(layers) == 1 and layers[0].index == index
                if alone or (index, layer.time) in tried:
                    continue
                tried.add((index, layer.time))
                posed = case.reposed({name: (anim.PlayedMix(1.0, (layer,)),)})
                if posed is not None:
                    yield Hypothesis(
                        family=CLIP,
                        claim=f'object "{name}" plays {_clip(played, index)} at {layer.time:.4g} s, not {_now(played)}',
                        cure=CURE,
                        posed=posed,
                        objects=(name,),
                        values={"clip": layer.clip, "index": index, "time": layer.time},
                        surprise=USUAL + 0.25,
                    )


def propose_weights(case: Case) -> Iterator[Hypothesis]:
    """Yield other weights, in tenths, of the layers that are blended."""
    steps = [step / COARSE for step in range(COARSE + 1)]
    for name in case.suspects:
        played = case.played(case.scene.object(name))
        if played is not None:
            yield from _weighed(case, name, played, steps, range(len(_newest(played))))


def refine_weights(case: Case, best: Sequence[Finding]) -> Iterator[Hypothesis]:
    """Yield weights in hundredths around the best."""
    if not best or best[0].share >= 1.0:
        return
    values = best[0].hypothesis.values
    name, layer, weight = best[0].hypothesis.objects[0], values["layer"], values["weight"]
    assert isinstance(layer, int)
    assert isinstance(weight, float)
    played = case.played(case.scene.object(name))
    if played is not None:
        near = [round(weight * FINE) + step for step in range(-FINE // COARSE + 1, FINE // COARSE)]
        yield from _weighed(case, name, played, [one / FINE for one in near if 0 <= one <= FINE], [layer])


def _weighed(
    case: Case, name: str, played: Played, weights: Iterable[float], layers: Iterable[int]
) -> Iterator[Hypothesis]:
    """Yield layers of the newest mix at other weights; of shares the others keep their proportions."""
    newest = _newest(played)
    if len(newest) < 2:
        return
    for index in layers:
        for weight in weights:
            changed = _with_weight(newest, index, weight)
            if changed is None or abs(weight - newest[index].weight) < 0.5 / FINE:
                continue
            mixes: Mixes = (*played.mixes[:-1], replace(played.mixes[-1], layers=changed))
            posed = case.reposed({name: mixes})
            if posed is not None:
                own = newest[index]
                yield Hypothesis(
                    family=WEIGHT,
                    claim=f'object "{name}": the weight of clip "{own.clip}" is {weight:g}, not {own.weight:.4g}',
                    cure=CURE,
                    posed=posed,
                    objects=(name,),
                    values={"clip": own.clip, "layer": index, "weight": weight, "expected": own.weight},
                    # Whole weights are mistakes that people make; others are found by turning a knob.
                    surprise=USUAL if weight in (0.0, 1.0) else USUAL + 0.5,
                )


def _newest(played: Played) -> tuple[anim.PlayedLayer, ...]:
    return played.mixes[-1].layers if played.mixes else ()


def _with_weight(
    layers: tuple[anim.PlayedLayer, ...], index: int, weight: float
) -> tuple[anim.PlayedLayer, ...] | None:
    """Return layers of which one has another weight; None for the only share there is."""
    if layers[index].kind is not Kind.SHARE:
        return tuple(replace(one, weight=weight) if i == index else one for i, one in enumerate(layers))
    others = sum(one.weight for i, one in enumerate(layers) if one.kind is Kind.SHARE and i != index)
    if others <= 0.0:
        return None
    scale = (1.0 - weight) / others
    return tuple(
        one if one.kind is not Kind.SHARE else replace(one, weight=weight if i == index else one.weight * scale)
        for i, one in enumerate(layers)
    )


def _clip(played: Played, index: int) -> str:
    return f'clip "{played.rig.clips[index].name}"'


def _now(played: Played) -> str:
    names = dict.fromkeys(f'"{one.clip}"' for mix in played.mixes for one in mix.layers)
    return " and ".join(names) or "the rest pose"


FAMILIES = (Family(CLIP, propose_clips), Family(WEIGHT, propose_weights, refine_weights))
