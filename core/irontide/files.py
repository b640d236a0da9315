"""Log files: read strictly as UTF-8, and written as a whole or not at all."""

import tempfile
from errno import EINVAL
from pathlib import Path

from irontide.errors import LogError


def write_text(path: "Path | str", text: str) -> None:
    """Write a file; one that is there is replaced only by the whole of the new one.

    Raises:
        OSError: it cannot be written; nothing is left behind.

    """
    target = Path(path)
    if "\0" in str(target):
        raise OSError(EINVAL, "not a name for a file", str(target))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=target.parent, delete=False) as file:
        new = Path(file.name)
        try:
            file.write(text)
            file.close()
            new.replace(target)
        except BaseException:
            new.unlink()
            raise


def read_text(path: "Path | str") -> str:
    """Return the text of a log file.

    Raises:
        LogError: it is not UTF-8.
        OSError: it cannot be read.

    """
    data = Path(path).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LogError(data[: error.start].count(b"\n") + 1, "not UTF-8") from None
