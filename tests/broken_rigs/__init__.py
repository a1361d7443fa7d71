"""A corpus of broken rigs: each is a sound one with one fault, together with what must become of it."""

from tests.broken_rigs.clips import CLIPS, MORPHS
from tests.broken_rigs.files import FILES
from tests.broken_rigs.meshes import MESHES
from tests.broken_rigs.nodes import NODES
from tests.broken_rigs.skins import SKINS
from tests.broken_rigs.spoiling import Broken
from tests.broken_rigs.weights import WEIGHTS

CORPUS: tuple[Broken, ...] = (*WEIGHTS, *SKINS, *NODES, *MESHES, *MORPHS, *CLIPS, *FILES)
