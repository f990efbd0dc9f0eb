"""Calls of declared operations: what goes in as the bytes of files, and what comes out."""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _native
from .devices import DevicesLike, devices_of

if TYPE_CHECKING:
    from collections.abc import Sequence

InputLike = Union[str, bytes, "os.PathLike[str]", "np.ndarray[Any, Any]", "Sequence[Any]"]
"""What an input may be: numbers or rows of them, an array, a text that is read as a file's, bytes of a file, or a path."""


@dataclass(frozen=True)
class Answer:
    """The result of an operation, and how it was made."""

    result: Any
    """The result: arrays of NumPy for residues and numbers, integers and fractions of any size else."""
    modulus: int | None
    """The modulus of its residues."""
    algorithm: str | None
    """The algorithm, where it has a name."""
    parameters: dict[str, Any]
    """What it depends on, and what is known of it."""
    files: dict[str, bytes]
    """What is written beside it, by the names of the options that ask for it."""


def _word(value: Any) -> str:
    return str(value.item() if isinstance(value, np.generic) else value)


def _bytes(given: InputLike) -> bytes:
    if isinstance(given, str):
        return given.encode()
    if isinstance(given, (bytes, bytearray, memoryview)):
        return bytes(given)
    if isinstance(given, os.PathLike):
        with open(given, "rb") as file:
            return file.read()
    if isinstance(given, np.ndarray) and given.dtype.kind in "iufc":
        buffer = io.BytesIO()
        np.save(buffer, np.ascontiguousarray(given))
        return buffer.getvalue()
    items = list(given)
    if items and isinstance(items[0], (str, bytes)):
        return "\n".join(item.decode() if isinstance(item, bytes) else str(item) for item in items).encode()
    if items and hasattr(items[0], "__iter__"):
        return "\n".join(" ".join(map(_word, row)) for row in items).encode()
    return " ".join(map(_word, items)).encode()


def call(
    name: str,
    inputs: Sequence[tuple[str, InputLike | None]],
    options: dict[str, Any],
    device: DevicesLike = "auto",
    verify: bool = False,
    seed: int | None = None,
) -> Answer:
    """The answer of the operation of a name: its inputs with what messages call them, its options by their names."""
    given = [(of, _bytes(value)) for of, value in inputs if value is not None]
    set_options = {of: value for of, value in options.items() if value is not None and value is not False}
    text = json.dumps({of: value if isinstance(value, (bool, str)) else int(value) for of, value in set_options.items()})
    found = _native.call_operation(devices_of(device), name, text, given, verify, seed)
    return Answer(*found)
