"""`posed conform`: what an engine gets right, by a pack of small rigs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from posed.cli.kinds import Positive
from posed.cli.options import ADAPTER, machine_options, use_machine
from posed.errors import PosedError


@click.command(short_help="Ask an engine for every rig of the conformance pack.")
@click.option(
    "--live-command",
    metavar="CMD",
    help="The engine, run without a shell: once for all with {requests}, else each time with {scene_json}, {out} ...",
)
@click.option(
    "--live",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="What an engine answered elsewhere, in <rig>/<tick>/. Without it or a command the built-in renderer answers.",
)
@click.option("--rig", "rigs", multiple=True, metavar="NAME", help="One rig, or several; all unless given.")
@click.option("--policy", metavar="NAME|FILE", help="How strict, in place of the pack's own limits.")
@click.option("--timeout", type=Positive(), default=600.0, metavar="S", help="Of one run, seconds.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FOLDER", help="Write the pack there, and ask nobody."
)
@ADAPTER
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@machine_options
def command(
    live_command: str | None,
    live: Path | None,
    rigs: tuple[str, ...],
    policy: str | None,
    timeout: float,
    output: Path | None,
    adapter: str | None,
    as_json: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> int:
    """Ask an engine for every rig of the conformance pack and say what it gets right.

    Exit status 0 where every answer is right, 1 where one is wrong or missing.

    \b
    posed conform --live-command "python engine.py {scene_json} {out}"
    posed conform --live-command "node engine.mjs {requests}"
    posed conform -o pack/
    posed conform --live answers/
    """
    from posed.cli.progress import Bar
    from posed.conform import POLICY, VERSION, Answered, BuiltIn, Command, Engine, chosen, conform, write_pack
    from posed.verify.suite.load import load_policy

    backend = use_machine(backend, embree, threads)
    if output is not None:
        if live is not None or live_command is not None or rigs:
            raise PosedError("-o writes the whole pack and asks nobody: leave out --live, --live-command and --rig")
        click.echo(f"{output}: the conformance pack, version {VERSION}, digest {write_pack(output)}")
        return 0
    if live is not None and live_command is not None:
        raise PosedError("--live has answers already and --live-command gives them: give one")
    engine: Engine = BuiltIn()
    if live is not None:
        engine = Answered(live)
    elif live_command is not None:
        engine = Command(live_command, timeout=timeout)
    limits = POLICY if policy is None else load_policy(policy)
    asked = chosen(rigs)
    with Bar("judging", sum(len(rig.ticks) for rig in asked)) as bar:
        found = conform(asked, engine, policy=limits, backend=backend, adapter=adapter, progress=bar.show)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
    else:
        from posed.cli.verdicts import show
        from posed.conform.table import conform_table

        show(conform_table(found))
    return 0 if found.passed else 1
