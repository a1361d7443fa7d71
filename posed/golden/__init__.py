"""Golden frames: accepted once, with who, when and why, and held against what is drawn since."""

from posed.golden.acceptance import Acceptance, acceptance
from posed.golden.judging import Judgement, Status, judge
from posed.golden.sidecar import Sidecar
from posed.golden.storing import Golden, golden_path, read_golden, stamped, write_goldens

__all__ = [
    "Acceptance",
    "Golden",
    "Judgement",
    "Sidecar",
    "Status",
    "acceptance",
    "golden_path",
    "judge",
    "read_golden",
    "stamped",
    "write_goldens",
]
