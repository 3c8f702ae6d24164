#!/bin/sh
# What `make demo` runs: can the sample papers be read, and what does one of them say?
set -e
cd "$(dirname "$0")/.."
say() { printf '\n$ %s\n' "$*"; "$@"; }

say viva check examples/papers
say viva read examples/papers/camera-traps.pdf --page 2
printf '\nThe same as JSON: viva read examples/papers/camera-traps.pdf --json\n'
