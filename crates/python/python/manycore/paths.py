"""Longest and shortest paths, cycle means, and schedules of projects, by max-plus algebra."""

from __future__ import annotations

import operator
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _native
from ._arrays import as_array, numbers
from .devices import DeviceLike, device_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray


def _arcs(graph: Any) -> tuple[int, NDArray[np.uint32], NDArray[np.uint32], NDArray[Any]]:
    """Nodes, and the arcs of a graph: a matrix of ``scipy.sparse``, or a dense one with ``nan`` or an infinity where there is no
    arc. Entry ``(i, j)`` is the weight of the arc from ``i`` to ``j``, as in ``scipy.sparse.csgraph``."""
    if hasattr(graph, "tocoo"):
        entries = graph.tocoo()
        rows, columns = entries.row, entries.col
        weights, shape = entries.data, entries.shape
    else:
        dense = as_array(graph)
        if dense.ndim != 2:
            raise ValueError(f"a graph is a square matrix, and the array has {dense.ndim} dimensions")
        shape = dense.shape
        present = np.isfinite(dense) if dense.dtype.kind == "f" else np.ones(shape, np.bool_)
        rows, columns = np.nonzero(present)
        weights = dense[present]
    if shape[0] != shape[1]:
        raise ValueError(f"a graph is a square matrix, and the shape is {shape}")
    return int(shape[0]), rows.astype(np.uint32), columns.astype(np.uint32), np.ascontiguousarray(numbers(weights))


def all_pairs(graph: Any, *, shortest: bool = False, device: DeviceLike = "auto") -> NDArray[Any]:
    """The weights of the longest (or shortest) paths between all nodes: the Kleene star over max-plus (or min-plus).

    Entry ``(i, j)`` of the graph and of the result is from ``i`` to ``j``, as in ``scipy.sparse.csgraph``. Without a path it is
    ``-inf`` (``inf``) of floating-point numbers, and the least (greatest) integer of the type; weights are numbers between both. A
    circuit that gets better each time raises ``ValueError`` with its nodes.

    >>> import numpy as np, manycore as mc
    >>> from scipy.sparse import coo_array
    >>> graph = coo_array(([3, 1, 4, -2, 5], ([0, 0, 1, 1, 2], [1, 2, 2, 3, 3])), shape=(4, 4))
    >>> mc.all_pairs(graph)[0]
    array([ 0,  3,  7, 12])
    >>> mc.all_pairs(graph, shortest=True)[0]
    array([0, 3, 1, 1])
    """
    nodes, rows, columns, weights = _arcs(graph)
    # Entry (i, j) of a star is from j to i.
    return np.asarray(_native.star(device_of(device), nodes, rows, columns, weights, shortest)).T


def reachability(graph: Any, *, device: DeviceLike = "auto") -> NDArray[np.bool_]:
    """Whether a path leads from node ``i`` to node ``j``: the reflexive and transitive closure of a graph.

    >>> from scipy.sparse import coo_array
    >>> import manycore as mc
    >>> mc.reachability(coo_array(([1, 1], ([0, 1], [1, 2])), shape=(3, 3)))
    array([[ True,  True,  True],
           [False,  True,  True],
           [False, False,  True]])
    """
    nodes, rows, columns, weights = _arcs(graph)
    zeros = np.zeros(weights.shape, np.int64)
    return np.asarray(_native.reachability(device_of(device), nodes, rows, columns, zeros)).view(np.bool_)


class Path(NamedTuple):
    """A path of a graph."""

    weight: int | float
    """The sum of the weights of its arcs."""
    nodes: list[int]
    """Its nodes, both ends among them."""


def best_path(graph: Any, source: int, target: int, *, shortest: bool = False) -> Path | None:
    """A longest (or shortest) path from a node to another one; ``None`` where there is none.

    >>> from scipy.sparse import coo_array
    >>> import manycore as mc
    >>> graph = coo_array(([3, 1, 4, -2, 5], ([0, 0, 1, 1, 2], [1, 2, 2, 3, 3])), shape=(4, 4))
    >>> mc.best_path(graph, 0, 3)
    Path(weight=12, nodes=[0, 1, 2, 3])
    """
    nodes, rows, columns, weights = _arcs(graph)
    for end in (source, target):
        if not 0 <= end < nodes:
            raise IndexError(f"node {end}: a graph of {nodes} nodes")
    sign = -1 if shortest else 1
    if shortest and weights.dtype.kind == "i" and weights.size and int(weights.min()) == np.iinfo(weights.dtype).min:
        raise OverflowError("the least integer has no negative")
    found = _native.best_path(nodes, rows, columns, sign * weights, (source, target))
    if found is None:
        return None
    best: dict[tuple[int, int], Any] = {}
    for row, column, weight in zip(rows.tolist(), columns.tolist(), weights.tolist()):
        known = best.get((row, column))
        best[row, column] = weight if known is None or sign * weight > sign * known else known
    return Path(sum(best[arc] for arc in zip(found, found[1:])), found)


class CycleMean(NamedTuple):
    """The greatest mean weight of a circuit."""

    mean: Fraction | float
    """The mean: exact of integers."""
    circuit: list[int]
    """The nodes of a circuit that has it."""


def cycle_mean(graph: Any) -> CycleMean | None:
    """The greatest mean weight of the circuits of a graph, the max-plus eigenvalue; ``None`` without circuits.

    >>> import numpy as np, manycore as mc
    >>> mc.cycle_mean(np.array([[-np.inf, 3.0], [2.0, 1.0]])).mean
    2.5
    >>> from scipy.sparse import coo_array
    >>> mc.cycle_mean(coo_array(([1, 2, 2], ([0, 1, 2], [1, 2, 0])), shape=(3, 3)))
    CycleMean(mean=Fraction(5, 3), circuit=[0, 1, 2])
    """
    nodes, rows, columns, weights = _arcs(graph)
    if weights.dtype.kind == "f":
        real = _native.cycle_mean_real(nodes, rows, columns, weights)
        return None if real is None else CycleMean(real[0], real[2])
    found = _native.cycle_mean(nodes, rows, columns, weights)
    return None if found is None else CycleMean(Fraction(found[0], found[1]), found[2])


def eigenvectors(graph: Any) -> list[list[Fraction | None]]:
    """Max-plus eigenvectors of the greatest cycle mean ``m`` of a graph with integer weights, exactly: vectors ``x`` with ``max_i x[i] +
    A[i, j] = m + x[j]``, one for each component of the critical circuits; ``None`` stands for minus infinity.

    >>> from scipy.sparse import coo_array
    >>> import manycore as mc
    >>> mc.eigenvectors(coo_array(([1, 2, 2], ([0, 1, 2], [1, 2, 0])), shape=(3, 3)))
    [[Fraction(0, 1), Fraction(-2, 3), Fraction(-1, 3)]]
    """
    nodes, rows, columns, weights = _arcs(graph)
    if weights.dtype.kind != "i":
        raise TypeError(f"weights of type {weights.dtype}: eigenvectors are exact, of integers")
    found = _native.eigenvectors(nodes, rows, columns, weights)
    return [[None if one is None else Fraction(one, below) for one in above] for above, below in found]


class Project:
    """Tasks with durations, and the links between them.

    >>> import manycore as mc
    >>> project = mc.Project({"dig": 3, "pour": 2, "dry": 4}, [("dig", "pour"), ("pour", "dry")])
    >>> schedule = project.schedule()
    >>> schedule.length, schedule.earliest, schedule.critical_path
    (9, {'dig': 0, 'pour': 3, 'dry': 5}, ['dig', 'pour', 'dry'])

    A link is ``(before, after)``, or with a kind and a lag, ``("dig", "pour", "FS", 7)``: ``FS``, the start waits for the end, ``SS``,
    ``FF`` and ``SF``. Times are integers.
    """

    __slots__ = ("_project", "names")

    def __init__(
        self,
        durations: dict[str, int],
        links: Sequence[tuple[str, str] | tuple[str, str, str, int]],
        *,
        releases: dict[str, int] | None = None,
        deadlines: dict[str, int] | None = None,
    ) -> None:
        self.names = list(durations)
        place = {name: number for number, name in enumerate(self.names)}

        def number(name: str) -> int:
            if name not in place:
                raise KeyError(f"no task {name!r}")
            return place[name]

        for given in (releases or {}, deadlines or {}):
            for name in given:
                number(name)
        tasks = [
            (name, operator.index(length), (releases or {}).get(name, 0), (deadlines or {}).get(name))
            for name, length in durations.items()
        ]
        full = [(number(link[0]), number(link[1]), *(link[2:] or ("FS", 0))) for link in links]
        self._project = _native.Project(tasks, full)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Project:
        """A project from a file: PSPLIB (``.sm``), ProGen/max (``.sch``), Patterson (``.rcp``), ``.csv``, or a matrix."""
        made = cls.__new__(cls)
        made._project = _native.Project.read(path)
        made.names = [name for name, *_ in made._project.tasks()]
        return made

    @classmethod
    def _of(cls, tasks: list[tuple[str, int, int, int | None]], links: list[Any]) -> Project:
        made = cls.__new__(cls)
        made._project = _native.Project(tasks, links)
        made.names = [name for name, *_ in tasks]
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Project._of, (self._project.tasks(), self._project.links())

    def schedule(self) -> Schedule:
        """The earliest and latest times of all tasks."""
        return Schedule(self, self._project.schedule())

    def draws(self, variants: range, *, seed: int = 0) -> NDArray[np.float64]:
        """Numbers from 0 to below 1, drawn evenly: a row for each of the variants, with a number for each task.

        Each variant draws from a generator of its own, which the seed and its number give, so that ranges of variants computed
        anywhere are parts of one run. An inverse distribution function makes durations of them, for :meth:`simulate`. The numbers
        are those that ``manycore maxplus variants`` draws.

        >>> import manycore as mc
        >>> project = mc.Project({"a": 1, "b": 1}, [("a", "b")])
        >>> project.draws(range(2), seed=7).shape
        (2, 2)
        >>> bool((project.draws(range(100), seed=7)[40:] == project.draws(range(40, 100), seed=7)).all())
        True
        """
        if not isinstance(variants, range):
            raise TypeError(f"variants {variants!r}: a range of their numbers")
        seed = operator.index(seed)
        if not 0 <= seed < 2**64:
            raise ValueError(f"the seed {seed}: from 0 to below 2^64")
        if len(variants) and not 0 <= min(variants[0], variants[-1]) <= max(variants[0], variants[-1]) < 2**63:
            raise ValueError(f"{variants}: variants have numbers from 0 to below 2^63")
        units = np.empty((len(variants), len(self)))
        if units.size:
            _native.draw_units(units, len(self), seed, variants[0], variants.step if len(variants) > 1 else 1)
        return units

    def simulate(self, durations: ArrayLike, *, device: DeviceLike = "auto") -> Simulation:
        """The lengths of many variants of the project: row ``k`` of the array has the durations of all tasks in variant ``k``.

        >>> import manycore as mc
        >>> project = mc.Project({"a": 1, "b": 1}, [("a", "b")])
        >>> project.simulate([[1, 2], [3, 4]]).lengths
        array([3, 7])
        """
        array = as_array(durations)
        if array.ndim != 2 or array.shape[1] != len(self.names):
            raise ValueError(f"durations of the shape {array.shape}: a row for each variant, of {len(self.names)} tasks")
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"durations of type {array.dtype}: times of projects are integers")
        if array.dtype == np.uint64 and array.size and int(array.max()) > np.iinfo(np.int64).max:
            raise OverflowError("durations past 2^63 - 1")
        by_task = np.ascontiguousarray(array.T, dtype=np.int64).ravel()
        lengths, critical = self._project.variants(device_of(device), array.shape[0], by_task)
        return Simulation(np.asarray(lengths), np.asarray(critical))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Project of {len(self)} tasks and {len(self._project.links())} links>"

    def _repr_html_(self) -> str:
        tasks = self._project.tasks()[:50]
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{length}</td></tr>" for name, length, *_ in tasks)
        return f"<table><caption>{len(self)} tasks</caption><tr><th>task</th><th>duration</th></tr>{rows}</table>"


class Simulation(NamedTuple):
    """Variants of a project."""

    lengths: NDArray[np.int64]
    """The length of each variant."""
    critical: NDArray[np.uint64]
    """In how many variants each task is critical."""

    @staticmethod
    def of_parts(parts: Iterable[Simulation]) -> Simulation:
        """All variants from those of parts, in the order of the parts: what :meth:`Project.simulate` gives of all at once.

        >>> import manycore as mc
        >>> project = mc.Project({"a": 1, "b": 1}, [("a", "b")])
        >>> both = mc.Simulation.of_parts([project.simulate([[1, 2]]), project.simulate([[3, 0], [0, 1]])])
        >>> both.lengths.tolist(), both.critical.tolist()
        ([3, 3, 1], [3, 3])
        """
        given = list(parts)
        for place, part in enumerate(given):
            if not isinstance(part, Simulation):
                raise TypeError(f"part {place} of the variants is {part!r}, and no Simulation")
            if part.critical.shape != given[0].critical.shape:
                raise ValueError(f"part {place} has {len(part.critical)} tasks, and part 0 has {len(given[0].critical)}")
        if not given:
            raise ValueError("no parts of variants")
        critical = np.stack([part.critical for part in given]).sum(axis=0, dtype=np.uint64)
        return Simulation(np.concatenate([part.lengths for part in given]), np.asarray(critical))


class Schedule:
    """The times of a project's tasks, by name."""

    __slots__ = ("_schedule", "project")

    def __init__(self, project: Project, schedule: _native.Schedule) -> None:
        self.project, self._schedule = project, schedule

    def _by_name(self, times: NDArray[Any]) -> dict[str, int]:
        return dict(zip(self.project.names, np.asarray(times).tolist()))

    @property
    def length(self) -> int:
        """The time at which the last task is finished."""
        return self._schedule.length

    @property
    def earliest(self) -> dict[str, int]:
        """The earliest start of each task."""
        return self._by_name(self._schedule.earliest())

    @property
    def latest(self) -> dict[str, int]:
        """The latest start of each task that does not delay the project."""
        return self._by_name(self._schedule.latest())

    @property
    def total_slack(self) -> dict[str, int]:
        """By how much each task may be late without delaying the project."""
        return self._by_name(self._schedule.total_slack())

    @property
    def free_slack(self) -> dict[str, int]:
        """By how much each task may be late without delaying another."""
        return self._by_name(self._schedule.free_slack())

    @property
    def critical(self) -> list[str]:
        """The tasks without slack."""
        return [self.project.names[task] for task in self._schedule.critical()]

    @property
    def critical_path(self) -> list[str]:
        """A longest chain of tasks."""
        return [self.project.names[task] for task in self._schedule.critical_path()]

    @property
    def late(self) -> dict[str, int]:
        """By how much each task misses its deadline."""
        return {self.project.names[task]: by for task, by in self._schedule.late()}

    def gantt(self) -> str:
        """A Gantt chart, as SVG."""
        return self.project._project.gantt(self._schedule)

    def __repr__(self) -> str:
        return f"<Schedule of {len(self.project)} tasks, length {self.length}>"

    def _repr_html_(self) -> str:
        return self.gantt()
