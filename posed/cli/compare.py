"""`posed compare`: the verdict of two frames, snapshots or files of vertices."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Compare two frames, snapshots or files of vertices.")
@click.argument("reference", type=click.Path(path_type=Path), metavar="A")
@click.argument("live", type=click.Path(path_type=Path), metavar="B")
@click.option(
    "--policy",
    metavar="NAME|FILE",
    default="gpu",
    show_default=True,
    help="How strict: exact, gpu, foreign, or a file of limits (.toml).",
)
@click.option(
    "--scene", type=click.Path(path_type=Path), metavar="SCENE", help="What both show: names joints, knows sizes."
)
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE.html", help="Write a page that shows what was found."
)
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def command(reference: Path, live: Path, policy: str, scene: Path | None, report: Path | None, as_json: bool) -> int:
    """Compare B with its reference A: exit status 0 where they agree, 1 where not.

    Both are frames (.png, .exr, .npz), snapshots (.json, .npz), vertices (.npz), or folders with any of them.

    \b
    posed compare traced.exr engine.png --policy foreign --report difference.html
    posed compare ours.posed.json theirs.posed.json --scene fox.glb
    """
    from posed.cli.moments import load_scene
    from posed.cli.verdicts import say_verdict
    from posed.files import check_place
    from posed.verify import compare
    from posed.verify.loading import load_side
    from posed.verify.suite.load import load_policy

    if report is not None:
        check_place(report)
    loaded = None if scene is None else load_scene(scene, playing=True)
    verdict = compare(load_side(reference), load_side(live), policy=load_policy(policy), scene=loaded)
    say_verdict(verdict, as_json=as_json)
    if report is not None:
        verdict.save_report(report, title=f"{reference.name} and {live.name}")
        click.echo(f"{report}: the report", err=as_json)
    return 0 if verdict.passed else 1
