"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("manycore")
except PackageNotFoundError:  # imported from a source folder
    __version__ = "0"
