"""The conformance pack: small rigs, each about one thing that an engine gets right or wrong."""

from posed.conform.engine import Answered, BuiltIn, Command, Engine
from posed.conform.judging import POLICY, conform
from posed.conform.pack import RIGS, VERSION, chosen, write_pack
from posed.conform.result import ConformResult, MomentResult, RigResult
from posed.conform.rig import Rig

__all__ = [
    "POLICY",
    "RIGS",
    "VERSION",
    "Answered",
    "BuiltIn",
    "Command",
    "ConformResult",
    "Engine",
    "MomentResult",
    "Rig",
    "RigResult",
    "chosen",
    "conform",
    "write_pack",
]
