"""Golden matches: what happens and what everybody is told of it, kept as text (`tests/golden/regenerate.py`).

Where one differs, regenerate them all and read the difference: a change of the rules, of what is told, or of texts.
"""

import os
import runpy
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("golden")
SCRIPT = FOLDER / "regenerate.py"
GOLDEN = runpy.run_path(str(SCRIPT))
VARIANTS = ("classic", "salvo", "tactical")
REASONS = ("all_sunk", "resigned", "no_progress", "both_sunk")
MATCHES = {golden.name: golden for golden in GOLDEN["MATCHES"]}


def texts(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_bytes().decode("utf-8") for path in sorted(folder.glob("*.txt"))}


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_goes_as_it_went(name: str):
    assert GOLDEN["render"](MATCHES[name]) == texts(FOLDER)[name]


def test_there_is_one_file_for_each_golden_match():
    assert sorted(MATCHES) == sorted(texts(FOLDER))


@pytest.mark.parametrize(("variant", "reason"), [*product(VARIANTS, REASONS)])
def test_each_variant_ends_in_each_way(variant: str, reason: str):
    ends = [text.splitlines()[-1] for name, text in texts(FOLDER).items() if name.startswith(variant)]

    assert any(end.startswith(f"end: {reason},") for end in ends)


def test_no_golden_match_is_left_without_an_end():
    assert all(text.splitlines()[-1].startswith("end: ") for text in texts(FOLDER).values())


@pytest.mark.parametrize("hash_seed", ["0", "31"])
def test_regenerating_is_deterministic(tmp_path: Path, hash_seed: str):
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], env=environment, check=True)

    assert texts(tmp_path) == texts(FOLDER)
