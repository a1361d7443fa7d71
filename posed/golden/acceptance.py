"""Who accepts a golden frame, when and why: the one thing here that a clock is read for."""

from __future__ import annotations

import datetime
import getpass
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Acceptance:
    """Who accepted a frame, `when` as an ISO 8601 date and time in UTC, and `why`."""

    by: str
    when: str
    why: str


def acceptance(why: str, *, by: str = "") -> Acceptance:
    """Return an acceptance of this moment, by the name that git knows here, or the account's, unless one is given."""
    now = datetime.datetime.now(datetime.UTC)
    return Acceptance(by or _git_name() or _account(), now.isoformat(timespec="seconds"), why)


def _git_name() -> str:
    try:
        asked = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return ""
    return asked.stdout.strip()


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # an account without a name, as in some containers
        return "somebody"
