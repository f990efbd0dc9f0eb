"""Erasure codes: parts of which any few give the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class ErasureCode:
    """``data + parity`` parts, any ``data`` of which give all others: a Reed-Solomon code over the field of ``2^16`` elements.

    >>> import manycore as mc
    >>> code = mc.ErasureCode(data=2, parity=1)
    >>> (parity,) = code.encode([b"abcd", b"efgh"])
    >>> code.recover({1: b"efgh", 2: parity}, [0])
    [b'abcd']
    """

    __slots__ = ("_code", "data", "parity")

    def __init__(self, data: int, parity: int, *, device: DeviceLike = "auto") -> None:
        self.data, self.parity = data, parity
        self._code = _native.ErasureCode(device_of(device), data, parity)

    def encode(self, parts: Sequence[bytes]) -> list[bytes]:
        """The parity parts of data parts of one length, which is even."""
        if len(parts) != self.data:
            raise ValueError(f"{len(parts)} parts, and the code has {self.data} of data")
        return _cut(self._code.encode(_joined(parts)), self.parity)

    def recover(self, present: Mapping[int, bytes], wanted: Sequence[int]) -> list[bytes]:
        """The parts ``wanted``, by number, from at least ``data`` that are present."""
        _joined(list(present.values()))
        parts = [(number, bytes(part)) for number, part in present.items()]
        return _cut(self._code.recover(parts, list(wanted)), len(wanted))


def _joined(parts: Sequence[bytes]) -> bytes:
    lengths = {len(part) for part in parts}
    if len(lengths) > 1:
        raise ValueError(f"parts of {sorted(lengths)} bytes: all have one length")
    return b"".join(parts)


def _cut(joined: bytes, count: int) -> list[bytes]:
    length = len(joined) // count if count else 0
    return [joined[number * length : (number + 1) * length] for number in range(count)]
