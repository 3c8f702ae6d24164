"""A function in a disposable process, with limits of time and memory.

Nothing here knows what the function does: it may read a hostile file or run a network, and it can hang, crash
or eat memory. `isolation` is the caller's side, `worker` the process, `functions` how a function is named
across the pipe, `limits` what one call may take.
"""
