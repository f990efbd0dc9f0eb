"""Every notebook runs to its end."""

from pathlib import Path

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


def test_there_is_a_notebook_for_each_kind_of_user():
    assert {path.stem for path in NOTEBOOKS} == {"algebra", "cryptography", "devices", "scheduling"}
