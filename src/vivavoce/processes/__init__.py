"""A function in a disposable process, with limits of time and memory.

What reads files, and what holds a network, runs there: it can hang, crash or eat memory, and be replaced.
`isolation` is the caller's side, `worker` the process, `calls` how a function is named across the pipe.
"""
