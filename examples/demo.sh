#!/bin/sh
# What `make demo` runs: can the sample papers be read, what do they answer, and where do they say so?
set -e
cd "$(dirname "$0")/.."
say() {
    printf '\n$ viva'
    for word in "$@"; do
        case $word in
            *" "*) printf ' "%s"' "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    viva "$@"
}

say check examples/papers
say ask examples/papers/bird-songs.pdf "Where is the code?"
say ask examples/papers/camera-traps.pdf "Which hardware was the model trained on?"
say ask examples/papers/camera-traps.pdf "What was the weight decay?"
printf '\nThe same as JSON: viva ask FILE QUESTION --json. What was read: viva read FILE\n'
