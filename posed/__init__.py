"""Ray-traced pose verification: freeze a tick of a skinned scene, trace it, and check live frames against the trace."""
