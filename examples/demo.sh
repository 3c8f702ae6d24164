#!/bin/sh
# What `make demo` runs: can the sample papers be read, what do they answer, and where do they say so? Then all
# questions of all of them, as a study.
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
study=$(mktemp -d)/study
say run examples/papers --study "$study"
say export "$study" --to "$study/answers.xlsx"
say evaluate "$study" --labels examples/labels.csv --list 1 | sed -n '1,7p'
printf '\nThe same as JSON: viva ask FILE QUESTION --json. What was read: viva read FILE\n'
