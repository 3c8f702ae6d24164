"""The built-in reader: a small network that runs on this machine, offline.

`windows` (what the network reads at once), `network` (numbers in, numbers out), `asking` (what is asked
besides the questions' own texts), `scoring`, `deciding` (scores -> reported or not), `quoting` (sentences ->
quotes), `citing` (a quote -> the deposits it cites), `signalling` (what the network says of quotes); `reader`
joins them. `weights/` is written by `training`.
"""
