"""The detection floor: the smallest turn and the smallest displacement of a joint that each layer catches."""
