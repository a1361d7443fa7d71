"""`python -m posed`: the command line."""

from posed.cli import run

run()
