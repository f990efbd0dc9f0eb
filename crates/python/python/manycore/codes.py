"""Erasure codes: parts of which any few give the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._values import Immutable, pickled
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class ErasureCode(Immutable):
    """``data + parity`` parts, any ``data`` of which give all others: a Reed-Solomon code over the field of ``2^16`` elements.

    >>> import manycore as mc
    >>> code = mc.ErasureCode(data=2, parity=1)
    >>> (parity,) = code.encode([b"abcd", b"efgh"])
    >>> code.recover({1: b"efgh", 2: parity}, [0])
    [b'abcd']
    """

    __slots__ = ("_code", "data", "device", "parity")

    def __init__(self, data: int, parity: int, *, device: DeviceLike = "auto") -> None:
        self.data, self.parity, self.device = data, parity, device_of(device)
        self._code = _native.ErasureCode(self.device, data, parity)

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


    def __reduce__(self) -> tuple[Any, ...]:
        return pickled(ErasureCode, self.device, self.data, self.parity)

    def __repr__(self) -> str:
        return f"ErasureCode(data={self.data}, parity={self.parity})"


def split_parts(file: bytes, data: int, parity: int, *, device: DeviceLike = "auto") -> list[bytes]:
    """``data + parity`` parts of a file, any ``data`` of which restore it; each has a header that names its place, and checksums.

    The parts are those that ``manycore code split`` writes.

    >>> import manycore as mc
    >>> parts = mc.split_parts(b"a text of some length", data=3, parity=2)
    >>> mc.join_parts([parts[4], parts[1], parts[2]])
    b'a text of some length'
    """
    return _native.split_parts(device_of(device), bytes(file), data, parity)


def join_parts(parts: Sequence[bytes] | Mapping[str, bytes], *, device: DeviceLike = "auto") -> bytes:
    """The file of parts of :func:`split_parts`, in any order; ``ValueError`` names parts that are damaged where too few are left.

    A mapping gives the parts names for messages.

    >>> import manycore as mc
    >>> mc.join_parts(mc.split_parts(b"text", data=2, parity=1)[1:])
    b'text'
    """
    named = parts.items() if isinstance(parts, Mapping) else ((f"part {place}", one) for place, one in enumerate(parts))
    return _native.join_parts(device_of(device), [(name, bytes(one)) for name, one in named])


def _joined(parts: Sequence[bytes]) -> bytes:
    lengths = {len(part) for part in parts}
    if len(lengths) > 1:
        raise ValueError(f"parts of {sorted(lengths)} bytes: all have one length")
    return b"".join(parts)


def _cut(joined: bytes, count: int) -> list[bytes]:
    length = len(joined) // count if count else 0
    return [joined[number * length : (number + 1) * length] for number in range(count)]
