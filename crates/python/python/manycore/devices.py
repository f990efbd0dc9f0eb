"""Devices, and why a plan was chosen on one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union

from . import _native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Device = _native.Device
"""A device: ``Device("auto")``, ``Device("host")``, ``Device("host:2")`` for two threads, ``Device("opencl:0")``."""

DeviceSet = _native.DeviceSet
"""Devices that share the work of a call: ``DeviceSet("opencl:0,opencl:1")``, ``DeviceSet("gpus")`` for all GPUs, or a list."""

F = TypeVar("F", bound="Callable[..., Any]")

DeviceLike = Union[str, Device]
"""What ``device=`` takes: a name, or a :class:`Device`."""

DevicesLike = Union[str, Device, DeviceSet]
"""What ``device=`` of calls takes that share their work among devices: names with commas between them and sets, too."""


def device_of(device: DeviceLike) -> Device:
    """The device that a name means."""
    if isinstance(device, DeviceSet):
        raise TypeError(f"{device!r}: this call runs on one device")
    return device if isinstance(device, Device) else Device(device)


def devices_of(device: DevicesLike) -> Device | DeviceSet:
    """The device or devices that a name means."""
    if isinstance(device, (Device, DeviceSet)):
        return device
    return DeviceSet(device) if "," in device or device.strip().lower() == "gpus" else Device(device)


def devices() -> list[Device]:
    """Every device that is present, the host first.

    >>> import manycore as mc
    >>> mc.devices()[0].id
    'host'
    """
    return [Device(name) for name, _ in _native.device_names()]


class Progress(NamedTuple):
    """What a call has done so far."""

    step: str
    """The step that begins: a kernel, or a step on the host."""
    steps: int
    """Its number, from 1."""
    bytes: int
    """The bytes that all steps up to this one read and write."""
    operations: int
    """Their operations on words."""


@contextmanager
def limits(
    *,
    memory: int | None = None,
    seconds: float | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Iterator[None]:
    """Limits of all calls of this thread within a ``with`` block.

    ``memory`` is the most bytes that all buffers which a call makes have on a device at a time: transforms, sorts and others that can
    go through the device in blocks do so, and calls that need more raise ``MemoryError``. ``seconds`` is the time of the whole block:
    a call that is under way then ends between two of its steps with ``TimeoutError``. ``progress`` is called between steps, some
    twenty times in a second at most, with a :class:`Progress`; an exception that it raises ends the call.

    >>> import manycore as mc
    >>> with mc.limits(memory=1000):
    ...     mc.Poly.random(1000, 97, device="host")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    MemoryError: 4000 bytes wanted
    """
    _native.push_limits(memory, seconds, None if progress is None else lambda *done: progress(Progress(*done)))
    try:
        yield
    finally:
        _native.pop_limits()


class Explanation(str):
    """Why a plan is chosen: the candidates with their estimates, the chosen one first."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def explain(operation: Callable[..., Any], *arguments: Any, device: DeviceLike = "auto", **options: Any) -> Explanation:
    """The device that runs an operation, and the plan that it takes there with the reason: candidates and their estimates.

    ``operation`` is a function or a method of this package, and the arguments are those of a call; nothing is computed.

    >>> import manycore as mc
    >>> print(mc.explain(mc.Poly.__mul__, mc.Poly.random(1000, 97), mc.Poly.random(1000, 97)))  # doctest: +ELLIPSIS
    host...
    """
    explainer = getattr(operation, "__explain__", None)
    if explainer is None:
        known = "fwht, ntt, fft, products of polynomials and matrices, determinants, gcds, sorts and S-boxes"
        raise TypeError(f"{operation!r} has one plan, or is none of this package; explained are {known}")
    on, text = explainer(*arguments, device=device, **options)
    return Explanation(f"{on.id} ({on.name})\n{text}")


def explained_by(explainer: Callable[..., tuple[Device, str]]) -> Callable[[F], F]:
    """A decorator that gives a function what :func:`explain` calls."""

    def decorate(function: F) -> F:
        function.__explain__ = explainer  # type: ignore[attr-defined]
        return function

    return decorate
