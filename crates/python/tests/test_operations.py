"""Declared operations by their names: the module is current, results are right on every device, and what is wrong is named."""

import importlib.util
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from manycore import _native, operations
from manycore._calls import call


def test_the_module_is_that_of_the_declarations():
    path = Path(__file__).parents[1] / "operations.py"
    spec = importlib.util.spec_from_file_location("operations_writer", path)
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    assert writer.PATH.read_text() == writer.text(), "python crates/python/operations.py writes it anew"


def test_every_operation_is_a_function():
    for declaration in json.loads(_native.declarations()):
        name = declaration["name"].replace(" ", "_").replace("-", "_")
        assert declaration["title"] in " ".join(getattr(operations, name).__doc__.split()), name


def test_results(device):
    by = {"device": device, "verify": True, "seed": 5}
    assert list(operations.poly_gcd([6, 5, 1], np.array([3, 1]), modulus=7, **by).result) == [3, 1]
    assert list(operations.poly_mul("x + 1", "x - 1", modulus=7, **by).result) == [6, 0, 1]
    product = operations.matrix_mul([[1, 1], [1, 0]], np.array([[1, 1], [1, 0]]), modulus=7, **by)
    assert product.result.tolist() == [[2, 1], [1, 1]] and product.modulus == 7
    assert operations.matrix_det([[1, 2], [3, 10**30]], exact=True, **by).result == 10**30 - 6
    inverse = operations.matrix_inverse([[1, 2], [3, 4]], exact=True, **by).result
    assert inverse == [[-2, 1], [Fraction(3, 2), Fraction(-1, 2)]]
    division = operations.poly_div([1, 2], [1, 1], modulus=7, **by).result
    assert {name: list(words) for name, words in division.items()} == {"quotient": [2], "remainder": [6]}
    leading, factors = operations.poly_factor([0, 3], modulus=7, **by).result
    assert leading == 3 and [(list(words), times) for words, times in factors] == [([0, 1], 1)]
    assert operations.matrix_solve([[1, 0], [0, 0]], [[1], [1]], modulus=7, **by).result is None
    assert set(operations.matrix_smith([[2, 0], [0, 3]], transforms=True, **by).result) == {"factors", "left", "right"}
    assert operations.spectrum_walsh([1, 0, 1, 0], **by).result.tolist() == [2, 2, 0, 0]
    assert operations.boolean_anf("00010111", **by).result["degree"] == 2
    assert operations.sbox_ddt([0, 1, 3, 2], **by).result.tolist()[0] == [4, 0, 0, 0]
    assert operations.sort_numbers(np.array([3, 1, 2]), descending=True, **by).result.tolist() == [3, 2, 1]
    assert operations.bivariate_solve("x^2 - y\ny - 1", modulus=7, **by).result["points"] == [[1, 1], [6, 1]]


def test_what_is_wrong_is_named():
    with pytest.raises(ValueError, match="a:1: `x` is no"):
        operations.poly_gcd("1 x y", [1], modulus=7)
    with pytest.raises(ValueError, match="the modulus 12 is even"):
        operations.poly_gcd([1], [1], modulus=12)
    with pytest.raises(ZeroDivisionError, match="b: "):
        operations.poly_div([1, 2], [0], modulus=7)
    with pytest.raises(ZeroDivisionError):
        operations.matrix_inverse([[1, 1], [1, 1]], modulus=7)
    with pytest.raises(ValueError, match="one of"):
        operations.matrix_det([[1]])
    with pytest.raises(ValueError, match="no operation"):
        call("poly gc", [], {})
    with pytest.raises(ValueError, match="no option of this operation"):
        call("poly gcd", [("a", [1]), ("b", [1])], {"moduli": 7})
