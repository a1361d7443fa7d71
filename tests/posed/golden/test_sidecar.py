"""What stands beside a golden frame."""

import json
from datetime import UTC, datetime

import pytest

from posed.errors import PosedError
from posed.golden import Acceptance, Sidecar, acceptance
from posed.golden.sidecar import layer_digests
from tests.posed.verify.report.literals import frame, put

ACCEPTED = Acceptance("Ada", "2026-11-30T12:00:00+00:00", "the first")


def test_it_says_what_was_accepted_by_whom_when_and_why() -> None:
    data = json.loads(Sidecar.of(frame(), "gpu", ACCEPTED).to_text())
    assert (data["format"], data["version"]) == ("posed golden", 1)
    assert (data["tick"], data["size"], data["renderer"], data["policy"]) == (3, [32, 18], "literal", "gpu")
    assert data["accepted"] == {"by": "Ada", "when": "2026-11-30T12:00:00+00:00", "why": "the first"}
    assert {"posed", "numpy", "numba"} <= set(data["versions"])
    assert sorted(data["layers"]) == sorted(frame())


def test_it_is_read_back_as_it_was() -> None:
    sidecar = Sidecar.of(frame(), "gpu", ACCEPTED)
    assert Sidecar.from_text(sidecar.to_text()) == sidecar


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no JSON", "is not what stands beside a golden frame"),
        ("[]", "is not what stands beside a golden frame"),
        ('{"format": "posed golden", "version": 1}', "is not what stands beside a golden frame"),
        (
            Sidecar.of(frame(), "gpu", ACCEPTED).to_text().replace('"version": 1', '"version": 2', 1),
            "is a posed golden of version 2: expected a posed golden of version 1",
        ),
    ],
)
def test_another_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(PosedError, match=message):
        Sidecar.from_text(text)


def test_one_pixel_changes_the_digest_of_its_layer_alone() -> None:
    before, after = layer_digests(frame()), layer_digests(frame({"depth": put((6, 6), 5.001)}))
    assert {name for name in before if before[name] != after[name]} == {"depth"}


def test_an_acceptance_is_of_now_and_of_somebody() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    accepted = acceptance("because")
    assert accepted.why == "because"
    assert accepted.by
    assert before <= datetime.fromisoformat(accepted.when) <= datetime.now(UTC)
    assert acceptance("because", by="Ada").by == "Ada"
