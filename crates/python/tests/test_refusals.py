"""What looks like an integer and is none is refused, never rounded; what other packages take is taken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import manycore as mc


def test_durations_are_integers() -> None:
    with pytest.raises(TypeError):
        mc.Project({"a": 2.5, "b": 3}, [("a", "b")])  # type: ignore[dict-item]
    project = mc.Project({"a": 2, "b": 3}, [("a", "b", "FS", 7)])
    assert project.schedule().length == 12
    assert project.simulate(np.array([[2, 3]], np.uint8)).lengths.tolist() == [12]
    with pytest.raises(TypeError, match="float64"):
        project.simulate([[2.5, 3.7]])
    with pytest.raises(OverflowError):
        project.simulate(np.array([[2**63, 1]], np.uint64))


@pytest.mark.parametrize("wrong", [2.5, Fraction(5, 2), np.float64(2.0)])
def test_numbers_are_integers(wrong: Any) -> None:
    f, a = mc.Poly([1, 2, 3], 97), mc.Matrix([[1, 2], [3, 4]], 97)
    for use in [
        lambda: f * wrong,
        lambda: f + wrong,
        lambda: f(wrong),
        lambda: f.taylor_shift(wrong),
        lambda: a * wrong,
        lambda: mc.PolyRing(wrong),
        lambda: mc.Poly(wrong, 97),
        lambda: mc.AbelianGroup([wrong]),
        lambda: mc.integer_product(wrong, 3),
        lambda: mc.polarity_terms([wrong, 0]),
    ]:
        with pytest.raises(TypeError):
            use()


def test_values_past_zero_and_one_are_refused() -> None:
    with pytest.raises(ValueError):
        mc.polarity_terms([256, 0])
    assert mc.polarity_terms([True, False]).tolist() == [2, 1]


def test_texts_and_lists() -> None:
    assert mc.Poly("x^16 - 1", 9001) == mc.Poly([-1, *[0] * 15, 1], 9001)
    values = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]
    assert mc.SBox(*values) == mc.SBox(values)
    assert mc.nonlinearities([values, list(range(16))]).tolist() == [4, 0]
    assert mc.nonlinearities([mc.SBox(values)]).tolist() == [4]
    with pytest.raises(TypeError, match="mmread"):
        mc.SparseMatrix("matrix.mtx")


def test_integers_past_64_bits_are_refused_not_wrapped() -> None:
    graph = np.array([[0, 2**63 + 5], [1, 0]], np.uint64)
    for use in [
        lambda: mc.all_pairs(graph, shortest=True),
        lambda: mc.best_path(graph, 0, 1),
        lambda: mc.cycle_mean(graph),
        lambda: mc.eigenvectors(graph),
    ]:
        with pytest.raises(OverflowError):
            use()
    small = np.array([[0, 5], [1, 0]], np.uint64)
    assert mc.all_pairs(small, shortest=True).tolist() == [[0, 5], [1, 0]]
    with pytest.raises(ValueError, match="inf"):
        mc.all_pairs(np.array([[0, 2**63 - 1], [1, 0]]))
    with pytest.raises(ValueError, match="0 and 1"):
        mc.reed_muller(np.array([256, 0], np.int16))
    with pytest.raises(TypeError, match="complex128"):
        mc.SparseMatrix(np.array([[4.0, 1.0], [1.0, 3.0]])).solve(np.array([1j, 2.0]))
