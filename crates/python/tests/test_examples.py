"""The examples run on every device, as scripts of their own, and print what they should."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Those that are spread over processes run in test_shards.py.
ALL = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
EXAMPLES = [path for path in ALL if not path.stem.endswith("_shards")]

PRINTED = {
    "betti_numbers": "Betti numbers: [1, 2, 1]\nthe surface itself: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n",
    "cyclic_codes": "factors by degree: {1: 1, 7: 18}\ncodes: 524288\none of dimension 113: ",
    "house": "{'ground': 0, 'walls': 4, 'roof': 14, 'pipes': 14, 'wires': 20, 'paint': 27, 'floors': 36}\n"
    "days: 40 critical: ground > walls > roof > wires > paint > floors\ndays that pipes may wait: 8\n",
    "sbox_search": "of 1024 permutations: nonlinearity ",
    "trees_and_parts": "spanning trees of the 12 by 12 grid: "
    "2954540993952788006228764987084443226815814190099484786032640000\nrestored from part 5, part 3, part 0, part 4 : True\n",
    "walsh_spectra": "sizes of coefficients: {0: 4335, 4: 12240, 8: 9180, 12: 10200, 16: 8670, 20: 6120, 24: 9180, 28: 4080, "
    "32: 1275}\nnonlinearity: 112\n",
}


def test_every_example_is_known():
    assert {path.stem for path in EXAMPLES} == set(PRINTED)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, device):
    environment = {**os.environ, "MANYCORE_DEVICE": device}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(PRINTED[path.stem]), done.stdout
