"""What objects that never change have alike: they are their own copies, and are pickled as their entries and their device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .devices import Device

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Immutable:
    """An object that is its own copy."""

    __slots__ = ()

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, memo: dict[int, Any]) -> T:
        return self


def restored(make: Callable[..., T], device: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> T:
    """An object from a pickle: on the device that it was on, or where there is none of the name, on the one of ``"auto"``."""
    try:
        on = Device(device)
    except ValueError:
        on = Device("auto")
    return make(*arguments, device=on, **options)


def pickled(make: Callable[..., Any], device: Device | str, *arguments: Any, **options: Any) -> tuple[Any, ...]:
    """What ``__reduce__`` gives for an object that ``make`` makes of arguments on a device."""
    name = device if isinstance(device, str) else device.id
    return restored, (make, name, arguments, options)
