"""From the command line's words to snapshots: which clips, which ticks, or a saved file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from posed.cli.moment import Moment
from posed.errors import PoseError
from posed.game import Game, PlayedWorld
from posed.gltf.model import Model
from posed.numerals import read_index
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.world import World


def load_scene(path: Path, *, playing: bool = False, number: int | None = None, variant: str | None = None) -> Scene:
    """Load a scene for a command and say on standard error what was read with a reservation.

    Where the command chooses what plays, the note that a lone model rests until a clip is chosen is left out.
    """
    from posed.scene.load import load
    from posed.scene.lone import rest_note

    scene = load(path, scene=number, variant=variant)
    resting = {rest_note(one.model) for one in scene.objects} if playing else set()
    for note in scene.notes:
        if note not in resting:
            click.echo(f"note: {note}", err=True)
    return scene


def check_moment(scene: Scene, moment: Moment) -> None:
    """Refuse what can be told from names alone, before anything is played or a kernel compiled.

    Raises
    ------
    PoseError
        The options contradict each other, or name no clip or object.
    """
    given = [name for name in moment.given() if name in ("--tick", "--time", "--posed")]
    if len(given) > 1:
        raise PoseError(f"{' and '.join(given)} each choose the moment: give one")
    if moment.posed is None:
        if moment.play is None:  # a game is code, which runs once
            moment.game(scene)
    elif moment.clips:
        raise PoseError("--clip plays and --posed is a saved snapshot: give one")
    elif moment.play is not None:
        raise PoseError("--play plays and --posed is a saved snapshot: give one")


def one_posed(scene: Scene, moment: Moment) -> Posed:
    """Return the snapshot that a moment chooses; tick 0 when it chooses none.

    Raises
    ------
    PoseError
        The options contradict each other, or name no clip or object.
    """
    check_moment(scene, moment)
    posed, time = moment.posed, moment.time
    if posed is not None:
        from posed.fitting import fit

        snapshot = Posed.load(posed)
        try:
            return fit(scene, snapshot)
        except PoseError as error:
            raise PoseError(f"{posed}: {error}") from error
    world = moment.world(scene)
    if time is None:
        world.advance(moment.tick or 0)
        return world.posed()
    ticks = time * scene.rate
    whole = ticks.numerator // ticks.denominator
    world.advance(whole)
    return world.posed(alpha=float(ticks - whole))


def playing_world(scene: Scene, clips: Sequence[str], object_: str | None, play: str | None = None) -> World:
    """Return a world of `scene` that plays what the options say; see `playing_game`."""
    game = playing_game(scene, clips, object_, play)
    if game is not None and play is not None:
        return PlayedWorld(scene, game)
    world = World(scene)
    if game is not None:
        game.tick(world, 0, None)  # what it starts then is all that it does: ticks on the way need no stop
    return world


class _Playing(Game):
    """Plays some clips of an object by weight from tick 0 on."""

    def __init__(self, name: str, clips: Sequence[tuple[int, float | None]]) -> None:
        self._name, self._clips = name, clips

    def tick(self, world: World, tick: int, input: object) -> None:
        """Start them."""
        if tick == 0 and len(self._clips) == 1 and self._clips[0][1] is None:
            world.animate(self._name, self._clips[0][0]).done()
        elif tick == 0:
            weighed = [(clip, 1.0 if weight is None else weight) for clip, weight in self._clips]
            world.animate_blend(self._name, weighed).done()


def playing_game(scene: Scene, clips: Sequence[str], object_: str | None, play: str | None = None) -> Game | None:
    """Return what plays `clips`, each "CLIP" or "CLIP:WEIGHT", or the game that `play` names, "MODULE:GAME".

    None where there is neither: then the scene plays what its file says.

    Raises
    ------
    PoseError
        The scene has no such clip or object, there is no such game, or both are given.
    """
    if play is not None:
        if clips or object_ is not None:
            raise PoseError("--clip plays and --play does: give one")
        from posed.cli.games import load_game

        return load_game(play)
    if not clips:
        if object_ is not None:
            raise PoseError("--object says whose clip --clip names: give --clip too")
        return None
    one = _owner(scene, object_)
    return _Playing(one.name, [_clip(one, text) for text in clips])


def chosen_clip(scene: Scene, clip: str | None, object_: str | None) -> tuple[str, int] | None:
    """Return the object and the index of the one clip that the options choose, None where they choose none.

    Raises
    ------
    PoseError
        The scene has no such clip or object.
    """
    if clip is None:
        if object_ is not None:
            raise PoseError("--object says whose clip --clip names: give --clip too")
        return None
    one = _owner(scene, object_)
    return one.name, _index(one, clip)


def _owner(scene: Scene, name: str | None) -> Object:
    if name is not None:
        for one in scene.objects:
            if one.name == name:
                return one
        raise PoseError(
            f'{scene.path}: no object "{name}": it has {", ".join(o.name for o in scene.objects) or "none"}'
        )
    for one in scene.objects:
        if one.model.clips:
            return one
    raise PoseError(f"{scene.path}: no object has clips: leave out --clip")


def _clip(one: Object, text: str) -> tuple[int, float | None]:
    """Return clip index and weight of "CLIP" or "CLIP:WEIGHT"; a clip whose whole name is the text goes first."""
    names = [clip.name for clip in one.model.clips]
    if text in names or ":" not in text:
        return _index(one, text), None
    name, _, number = text.rpartition(":")
    try:
        weight = float(number)
    except ValueError:
        raise PoseError(f'--clip {text}: "{number}" is no weight, and no clip has the whole as its name') from None
    if not 0.0 <= weight < float("inf"):
        raise PoseError(f"--clip {text}: a weight is 0 or more")
    return _index(one, name), weight


def clip_key(model: Model, text: str) -> str | int:
    """Return the name or the index that `text` is: digits are an index unless a clip is called so."""
    index = None if any(clip.name == text for clip in model.clips) else read_index(text, len(model.clips))
    return text if index is None else index


def _index(one: Object, text: str) -> int:
    return one.model.clip(clip_key(one.model, text))
