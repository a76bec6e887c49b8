"""Whether deals look as a fair shuffle makes them: what is counted, what is expected, how likely that is.

Pure: decks come in, verdicts come out. Tests and the command `monitor deals` use the same counts.
"""
