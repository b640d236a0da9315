"""Plays every ability with every house rule and every other ability, three at a time, on all processors.

    python tests/pairs.py [--jobs N] [--seeds N]

Takes minutes. Prints what was found, how many variants were played and how many were refused; ends with 1 if anything
was found. The pairs alone are played by `test_pairs.py`.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations

from irontide import Registry, VariantError
from irontide.testing import Watch, bench, play_together

Ids = tuple[str, ...]


@cache
def watched() -> tuple[Watch, Registry]:
    """Return this process's registry."""
    watch = Watch()
    return watch, watch.registry(Registry.default())


def triples() -> list[Ids]:
    """Return each two abilities with each rule."""
    registry = watched()[1]
    return [(one, rule, two) for one, two in combinations(registry.abilities, 2) for rule in registry.rules]


def played(ids: Ids, seeds: int) -> tuple[bool, list[str]]:
    """Return whether the variant is built, and what is found in its matches."""
    watch, registry = watched()
    try:
        bench(registry, ids)
    except VariantError:
        return False, []
    found = [
        str(finding) for seed in range(seeds) for finding in play_together(ids, seed, registry=registry, watch=watch)
    ]
    return True, found


def main() -> int:
    """Play, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    start, all_ids = time.monotonic(), triples()
    with ProcessPoolExecutor(given.jobs) as pool:
        answers = [*pool.map(played, all_ids, [given.seeds] * len(all_ids), chunksize=8)]
    found = [text for _, texts in answers for text in texts]
    built = sum(was_built for was_built, _ in answers)
    spent = f"{len(found)} findings in {time.monotonic() - start:.0f} s"
    sys.stdout.write("\n\n".join([*found, f"{built} variants played, {len(answers) - built} refused, {spent}\n"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
