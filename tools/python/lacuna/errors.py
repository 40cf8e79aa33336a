"""What is wrong, as exceptions and warnings."""
from __future__ import annotations

import os
import re
import warnings
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One mistake, or one warning. Lines and columns count from 1; 0: of the file as a whole."""
    severity: str  # "error" or "warning"
    file: str      # or the parameter that is to blame, or empty
    line: int
    column: int
    message: str
    hint: str      # what to do; may be empty
    printed: str   # all of this, with the line that it is about

    def __str__(self) -> str:
        return self.printed.rstrip("\n")


class Error(Exception):
    """Whatever Lacuna refuses. `diagnostics` lists every mistake; `kind` is "call", "graph", "no-device", "device",
    "input", "file" or "other". Objects stay usable after an error."""

    def __init__(self, text: str, kind: str = "call", diagnostics=()):
        super().__init__(text)
        self.kind = kind
        self.diagnostics = [Diagnostic(*each) for each in diagnostics] or [
            Diagnostic("error", "", 0, 0, text, "", text + "\n")]


def mistake(message: str, hint: str = "") -> Error:
    """An Error about a call."""
    text = message + (f"\n  hint: {hint}" if hint else "")
    return Error(text, "call", [("error", "", 0, 0, message, hint, text + "\n")])


def text_of(value, name: str, what: str = "a string", hint: str = "") -> str:
    """The string."""
    if not isinstance(value, str):
        raise mistake(f"{name}: expected {what}, got {value!r}", hint)
    if stray := re.search("[\ud800-\udfff]", value):
        raise mistake(f"{name}: {stray[0]!r} is no character", "errors='replace' of bytes.decode() leaves none")
    return value


def path_of(value, name: str = "path") -> str:
    """The name of a file."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise mistake(f"{name}: expected the name of a file, got {type(value).__name__}")
    path = os.fsdecode(value)
    if re.search("[\0\n\ud800-\udfff]", path):  # graphs have names in UTF-8, in one line
        raise mistake(f"{name}: {path!r} is not UTF-8, or has a line break", "rename the file")
    if not path:
        raise mistake(f"{name}: is empty")
    if re.match(r"~\w*/", path):
        raise mistake(f"{name}: {path!r} begins with ~, which shells replace", "os.path.expanduser() does, too; a folder with this name is ./~")
    if re.match(r"\w+://", path):
        raise mistake(f"{name}: {path!r} is an address; expected the name of a file", "download it first")
    return path


def warn(messages, stacklevel: int = 3) -> None:
    for text in messages:
        warnings.warn(str(text), UserWarning, stacklevel + 1)
