"""`posed view`: a window that plays a scene, or a page that does."""

from __future__ import annotations

from pathlib import Path

import click

from posed.cli.kinds import LARGEST_SAMPLES, OneOf, Positive, Size, Tick, Ticks, Whole
from posed.cli.options import ADAPTER, SCENE, machine_options, model_options, use_machine
from posed.errors import PosedError


@click.command(short_help="Play a scene in a window, or in one HTML file.")
@SCENE
@model_options
@click.option("--tick", type=Tick(), default=0, help="Where the window begins.")
@click.option("--clip", metavar="CLIP", help="A clip by name or index, in place of what the scene plays.")
@click.option("--object", "object_", metavar="NAME", help="The object that --clip is for; the first that fits.")
@click.option("--size", type=Size(), metavar="WxH", help="Pixels.  [default: 960x540; of a page 480x270]")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page that plays it instead.")
@click.option("--ticks", type=Ticks(), help="Of a page, the ticks that it plays; B is left out.")
@click.option("--layers", default="color", show_default=True, metavar="L,..", help="Of a page, a picture each.")
@click.option("--overlay", "overlays", multiple=True, metavar="NAME", help="Of a page, a picture each.")
@click.option("--samples", type=Whole(1, LARGEST_SAMPLES), default=4, show_default=True, help="Of a page, a pixel.")
@click.option("--megabytes", type=Positive(), default=32.0, show_default=True, help="Of a page, at most.")
@click.option(
    "--renderer",
    type=OneOf("trace", "live"),
    default="trace",
    show_default=True,
    help="t switches.",
)
@ADAPTER
@machine_options
def command(
    scene: Path,
    number: int | None,
    variant: str | None,
    tick: int,
    clip: str | None,
    object_: str | None,
    size: tuple[int, int] | None,
    html: Path | None,
    ticks: range | None,
    layers: str,
    overlays: tuple[str, ...],
    samples: int,
    megabytes: float,
    renderer: str,
    adapter: str | None,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> None:
    """Play SCENE in a window, whose keys `?` lists; or write a page that plays it, for where no display or kernel is.

    The page opens from disk: its pictures are in it, one a tick for each layer and each overlay.

    \b
    posed view golden/scenes/walker.toml
    posed view character.glb --size 1280x720 --renderer live
    posed view character.glb --clip Walk --html walk.html --overlay bones
    """
    from posed.cli.moments import chosen_clip, load_scene
    from posed.cli.progress import Compiling, modes_of, over
    from posed.viewer.playing import Choice

    if html is None and (ticks is not None or overlays or layers != "color"):
        raise PosedError("--ticks, --layers and --overlay say what a page shows: give --html FILE too")
    use_machine(backend, embree, threads)
    loaded = load_scene(scene, playing=True, number=number, variant=variant)
    chosen = chosen_clip(loaded, clip, object_)
    plays = {} if chosen is None else {chosen[0]: Choice(chosen[1])}
    if html is not None:
        from posed.files import check_place

        if html.suffix.lower() not in (".html", ".htm"):
            raise PosedError(f'--html {html}: a page is a file that ends in .html, found "{html.suffix}"')
        from posed.notebook import save_html

        check_place(html)
        Compiling("direct", *modes_of("direct", samples, (*layers.split(","),)), *(("aov",) if overlays else ())).wait()
        saved = save_html(
            loaded,
            html,
            ticks=ticks,
            plays=plays,
            size=size or (480, 270),
            layers=tuple(layers.split(",")),
            overlays=overlays,
            samples=samples,
            megabytes=megabytes,
            watched=lambda items, count: over(items, count, "drawing"),
        )
        click.echo(str(saved))
        return
    from posed.viewer.session import Session
    from posed.viewer.window import show

    Compiling("aov", "direct").wait()
    session = Session(loaded, tick=tick, size=size or (960, 540), renderer=renderer, adapter=adapter)
    session.playing.play(plays)
    show(session, title=f"posed: {scene.name}")
