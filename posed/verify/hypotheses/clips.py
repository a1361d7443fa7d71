"""Another clip, or another weight of one: the wrong animation plays, or the right ones are mixed wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import anim
from anim.rows import Kind
from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.diagnosis import Finding
from posed.verify.diagnosing.hypothesis import USUAL, Family, Hypothesis
from posed.verify.hypotheses.steps import SAME, TENTHS, finer, surprise
from posed.verify.hypotheses.times import Mixes, with_clip
from posed.verify.played import Played

CLIP, WEIGHT = "another clip", "another blend weight"

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
    for name in case.suspects:
        played = case.played(case.scene.object(name))
        if played is not None:
            yield from _weighed(case, name, played, range(len(_newest(played))), TENTHS[1], TENTHS)


def refine_weights(case: Case, best: Sequence[Finding]) -> Iterator[Hypothesis]:
    """Yield finer weights around the best."""
    found = finer(best, "weight")
    if found is None:
        return
    layer, name = best[0].hypothesis.values["layer"], best[0].hypothesis.objects[0]
    assert isinstance(layer, int)
    played = case.played(case.scene.object(name))
    if played is not None:
        yield from _weighed(case, name, played, [layer], *found)


def _weighed(
    case: Case, name: str, played: Played, layers: Iterable[int], step: float, weights: Sequence[float]
) -> Iterator[Hypothesis]:
    """Yield layers of the newest mix at other weights; of shares the others keep their proportions."""
    newest = _newest(played)
    if len(newest) < 2:
        return
    for index in layers:
        for weight in weights:
            changed = _with_weight(newest, index, weight)
            if changed is None or abs(weight - newest[index].weight) < SAME:
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
                    values={
                        "clip": own.clip,
                        "layer": index,
                        "weight": weight,
                        "expected": own.weight,
                        "step": step,
                    },
                    surprise=surprise(weight, step),
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
