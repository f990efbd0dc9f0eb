"""Writes python/manycore/operations.py from the declarations of the compiled module: `python operations.py`."""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path

PATH = Path(__file__).parent / "python" / "manycore" / "operations.py"

HEAD = '''"""Every operation that the program has by a declaration, as a function: made from the declarations by `operations.py`.

Inputs are numbers or rows of them, arrays, texts in any form that the program reads, bytes of files, or paths. ``verify`` checks the
result independently; ``seed`` decides what is random. The answer tells the algorithm and what else is known beside the result.

>>> from manycore import operations
>>> operations.poly_gcd([6, 5, 1], [3, 1], modulus=7).result
array([3, 1], dtype=uint64)
>>> operations.matrix_det([[1, 2], [3, 4]], exact=True).result
-2
"""

from __future__ import annotations

from typing import Any, Literal

from ._calls import Answer, InputLike, call
from .devices import DevicesLike

__all__ = [
'''

COMMON = [
    ("device", "DevicesLike", '"auto"'),
    ("verify", "bool", "False"),
    ("seed", "int | None", "None"),
]


def identifier(name: str) -> str:
    """A name of the program as one of Python."""
    name = name.replace(" ", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def kind_of(option: dict) -> tuple[str, dict]:
    """The kind of an option's values, and what is known of it."""
    value = option["value"]
    return (value, {}) if isinstance(value, str) else next(iter(value.items()))


def typed(option: dict) -> tuple[str, str | None]:
    """The type of an option, and its default; none of one that has to be given."""
    kind, of = kind_of(option)
    if kind in {"Flag", "Written"}:
        return "bool", "False"
    if kind == "File":
        return "InputLike | None", "None"
    if kind == "Word":
        plain = "Literal[" + ", ".join(f'"{word}"' for word, _ in of["words"]) + "]"
    else:
        plain = "str" if kind in {"Text", "List"} else "int"
    if option["is_positional"] or of.get("is_required"):
        return plain, None
    return plain + " | None", "None"


def wrapped(text: str, indent: str = "    ") -> list[str]:
    """A paragraph in lines."""
    return textwrap.wrap(text, 118, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def function(declaration: dict) -> str:
    """The function of a declaration."""
    name, inputs, options = declaration["name"], declaration["inputs"], declaration["options"]
    own = []
    for place in inputs:
        of = identifier(place["name"])
        own.append(f"    {of}: InputLike{' | None = None' if place['when'] else ''},")
    for option in sorted(options, key=lambda option: typed(option)[1] is not None):
        kind, default = typed(option)
        own.append(f"    {identifier(option['name'])}: {kind}{f' = {default}' if default else ''},")
    named = [f"    {of}: {kind} = {default}," for of, kind, default in COMMON]
    lines = [f"def {identifier(name)}(", *own[: len(inputs)], "    *,", *own[len(inputs) :], *named, ") -> Answer:"]
    title = declaration["title"]
    lines += [f'    """{title}.', ""] if len(title) < 105 else ['    """' + wrapped(title + ".")[0].strip(), *wrapped(title + ".")[1:], ""]
    for place in [*inputs, *options]:
        default = kind_of(place)[1].get("default") if "value" in place else None
        told = place["help"].split("; - is standard input")[0].rstrip(".").split("\n\n")
        told += [] if default is None else [f"Default: {default}"]
        lines += wrapped(f"``{identifier(place['name'])}``: {'. '.join(told)}.")
    lines += ['    """']
    files = [option["name"] for option in options if kind_of(option)[0] == "File"]
    given = [f'("{place}", {identifier(place)})' for place in [*(place["name"] for place in inputs), *files]]
    lines += [f'    inputs: list[tuple[str, InputLike | None]] = [{", ".join(given)}]']
    settings = []
    for option in options:
        of = identifier(option["name"])
        settings.append(f'        "{option["name"]}": {of + " is not None" if option["name"] in files else of},')
    lines += ["    options: dict[str, Any] = {", *settings, "    }"] if settings else ["    options: dict[str, Any] = {}"]
    lines += [f'    return call("{name}", inputs, options, device, verify, seed)']
    return "\n".join(lines)


def text() -> str:
    """The module."""
    from manycore import _native

    declarations = json.loads(_native.declarations())
    names = sorted(identifier(declaration["name"]) for declaration in declarations)
    listed = "".join(f'    "{name}",\n' for name in names)
    functions = "\n\n\n".join(function(declaration) for declaration in declarations)
    return f"{HEAD}{listed}]\n\n\n{functions}\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PATH.read_text() != text())
    PATH.write_text(text())
