"""Ten thousand cells against a model server of which a fifth of the calls fails, in ten ways.

Once undisturbed, and once killed (SIGKILL) when half of the cells are done, and begun again. Every cell must
end as answered, or as failed with its reason, none twice, none lost; and the killed run may make hardly more
calls.

    python benchmarks/storm.py [--papers 345] [--calls 32]
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.servers.storm import Ended, storm


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--papers", type=int, default=345, help="With 29 questions each.")
    options.add_argument("--calls", type=int, default=32, help="Calls at a time.")
    given = options.parse_args()
    ended: dict[str, Ended] = {}
    with TemporaryDirectory() as folder:
        for name, kill in (("undisturbed", False), ("killed half-way", True)):
            ended[name] = storm(Path(folder) / name, given.papers, kill=kill, calls=given.calls)
            print(name, ended[name], flush=True)
    print("\n| run | cells | answered | failed, with a reason | twice | lost | calls | faulty | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, e in ended.items():
        row = (name, e.cells, e.cells - e.failed, e.failed, e.twice, e.lost, e.calls)
        print(f"| {' | '.join(map(str, row))} | {e.faults / e.calls:.1%} | {e.seconds:.0f} |")
    more = ended["killed half-way"].calls / ended["undisturbed"].calls - 1
    print(f"\nThe killed run made {more:+.2%} calls.")


if __name__ == "__main__":
    main()
