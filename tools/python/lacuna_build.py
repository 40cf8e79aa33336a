"""What pip builds with: setuptools. Under a Python that lacks it, or what setup.py needs besides, this says what to do."""
import sys
from importlib.util import find_spec


def missing():
    names = [name for name in ("setuptools", "pybind11") if not find_spec(name)]
    # Older versions of setuptools take it from the package `wheel`.
    makes_wheels = "setuptools" not in names and find_spec("setuptools.command.bdist_wheel")
    return names if makes_wheels or find_spec("wheel") else names + ["wheel"]


# With --no-build-isolation pip installs none of them.
if missing():
    sys.exit(f"{sys.executable} has no {', '.join(missing())}, which building lacuna needs. Leave out --no-build-isolation, and pip gets "
             f"them; or install them first. (Debian's packages for Python, tools/packages, serve /usr/bin/python3 alone.)")

from setuptools.build_meta import *  # noqa: E402, F401, F403
