"""v/bin/lacuna: the program of the installed package. It stands outside the package, which would load NumPy and the runtime first."""
import importlib.util
import os
import sys


def main():
    folder = importlib.util.find_spec("lacuna").submodule_search_locations[0]
    program = os.path.join(folder, "bin", "lacuna")
    os.execv(program, [sys.argv[0], *sys.argv[1:]])
