"""Devices, and why a plan was chosen on one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, Union

from . import _native

if TYPE_CHECKING:
    from collections.abc import Callable

Device = _native.Device
"""A device: ``Device("auto")``, ``Device("host")``, ``Device("host:2")`` for two threads, ``Device("opencl:0")``."""

F = TypeVar("F", bound="Callable[..., Any]")

DeviceLike = Union[str, Device]
"""What ``device=`` takes: a name, or a :class:`Device`."""


def device_of(device: DeviceLike) -> Device:
    """The device that a name means."""
    return device if isinstance(device, Device) else Device(device)


def devices() -> list[Device]:
    """Every device that is present, the host first.

    >>> import manycore as mc
    >>> mc.devices()[0].id
    'host'
    """
    return [Device(name) for name, _ in _native.device_names()]


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
