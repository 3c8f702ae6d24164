"""`python -m training`: from labelled papers to the built-in reader's weights, calibrated and measured.

Needs `pip install -e '.[train]'` and a folder like ../shared (README.md says what is in it). Takes about two
hours on two quiet cores. A run that was stopped goes on from its last checkpoint.
"""

import argparse
import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALLOCATOR = {  # without these the process spends most of its time giving memory back and asking for it again
    "MALLOC_TRIM_THRESHOLD_": "20000000000",
    "MALLOC_MMAP_THRESHOLD_": "20000000000",
    "MALLOC_TOP_PAD_": "500000000",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "step",
        choices=("all", "settings", "measure", "leave-out"),
        nargs="?",
        default="all",
        help="all: train, export, fit the settings; settings: fit them again; measure: all fields; "
        "leave-out: train without the sources named by --without, and measure on these",
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the labelled papers")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "training", help="torch checkpoints")
    parser.add_argument("--steps", type=int, default=1100, help="papers seen, one at a time")
    parser.add_argument("--without", nargs="+", default=[], metavar="SOURCE", help="for leave-out")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not (options.shared / "data" / "sentences.jsonl.gz").is_file():
        sys.exit(f"no labelled papers in {options.shared}; name their folder with --shared")
    if any(name not in os.environ for name in ALLOCATOR):
        os.environ.update(ALLOCATOR)  # read when a process starts
        os.execv(sys.executable, [sys.executable, "-m", "training", *sys.argv[1:]])
    from training import steps

    random.seed(options.seed)
    options.work.mkdir(parents=True, exist_ok=True)
    {
        "all": steps.everything,
        "settings": steps.settings,
        "measure": steps.measure,
        "leave-out": steps.leave_out,
    }[options.step](options)


if __name__ == "__main__":
    main()
