"""The tutorials work: every block of them is followed, in order, in an empty folder.

Nothing is installed for it: here stand-ins take the place of what makes an environment, installs and builds. `.ci/run`
follows the same pages with the real ones.
"""

import os
import runpy
import stat
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
WALK = runpy.run_path(str(ROOT / "tests" / "walk.py"))
walk, StepError = WALK["walk"], WALK["StepError"]

STAND_INS = {
    "irontide": 'exec "$PYTHON" -m irontide_play "$@"',
    "pytest": 'exec "$PYTHON" -m pytest -p no:cacheprovider -p irontide_pytest "$@"',
    "mypy": 'echo "Success: no issues found in no source files"',
    "python": "",
    "python3": "mkdir -p .venv/bin && touch .venv/bin/activate",
    # A package that is installed is found by the metadata beside it.
    "pip": """[ "$2" = -e ] || exit 0
mkdir plugin.dist-info
printf 'Metadata-Version: 2.1\\nName: plugin\\nVersion: 0.1.0\\n' >plugin.dist-info/METADATA
named=$(sed -n '/entry-points.irontide/,/^$/p' pyproject.toml)
sed 's/project.entry-points.//; s/"//g' <<<"$named" >plugin.dist-info/entry_points.txt
""",
}


@pytest.fixture
def env(tmp_path):
    """An environment in which the stand-ins are found first."""
    folder = tmp_path / "stand-ins"
    folder.mkdir()
    for name, script in STAND_INS.items():
        (folder / name).write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        (folder / name).chmod(stat.S_IRWXU)
    paths = [tmp_path / "tutorial" / "irontide-harbour", *filter(None, sys.path)]
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return unmeasured | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHON": sys.executable,
        "IRONTIDE": "irontide",
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page, env, tmp_path):
    folder = tmp_path / "tutorial"
    folder.mkdir()

    assert walk(page.read_text(encoding="utf-8"), folder, env) > 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```sh\nfalse\necho on\n```\n", "exit code 1"),
        ("<!-- fails -->\n```sh\ntrue\n```\n", "exit code 0"),
        ("```sh\necho one\n```\n\n```text\ntwo\n```\n", "not printed"),
        ("```python\n1 + 1\n```\n", "without the name"),
    ],
)
def test_what_a_page_says_wrongly_is_found(text, said, env, tmp_path):
    with pytest.raises(StepError, match=said):
        walk(text, tmp_path, env)


def test_a_shell_stays_where_it_went_and_a_dot_line_stands_for_lines(env, tmp_path):
    text = """
```toml
# a.toml
id = 1
```

```sh
mkdir inner; cd inner
export WORD=hello
```

```sh
cat ../a.toml
echo "$WORD, world"
```

```text
…
hello, wor…
```
"""
    assert walk(text, tmp_path, env) == 4
