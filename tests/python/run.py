#!/usr/bin/env python3
"""The tests of the Python package: makes the wheel from a build folder, installs it into an environment of its own, and runs the tests there.

    tests/python/run.py BUILD [TEST...]

By default all tests, or, with LACUNA_TEST_CORE, those of CORE."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def sanitizers(build):
    """What lets Python load code with a sanitizer: its library is first in the process, and leaks are Python's own."""
    kind = re.search(r"^LACUNA_SANITIZE:\w+=(\w+)", (build / "CMakeCache.txt").read_text(), re.M)[1]
    name = {"ON": "libasan.so", "THREAD": "libtsan.so"}.get(kind)
    if name is None:
        return {}
    libraries = [subprocess.run(["g++", f"-print-file-name={each}"], check=True, capture_output=True, text=True).stdout.strip()
                 for each in (name, "libstdc++.so")]
    return {"LD_PRELOAD": " ".join(libraries), "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0",
            "TSAN_OPTIONS": f"die_after_fork=0:suppressions={ROOT}/tests/support/thread-suppressions"}


CORE = ["package_test.Pictures", "mistakes_test.Graphs", "package_test.Plans", "interrupt_test.Caught"]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
build, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
if not list((build / "tools/python").glob("_core.*.so")):
    print("no pybind11 when this was configured")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    venv, wheels = Path(folder) / "Lacuna's Umgebung, größer", Path(folder) / "wheels"
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    environment = {**os.environ, "LACUNA_BUILD": str(build), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    # The environment of the suite is for the tests, not for compilers.
    plain = {name: value for name, value in environment.items() if name != "LD_PRELOAD"}
    os.umask(0o022)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], env=plain, **quiet)
    subprocess.run([venv / "bin/pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", wheels, ROOT], env=plain, cwd=folder, **quiet)
    wheel, = wheels.iterdir()
    subprocess.run([venv / "bin/pip", "install", "-q", wheel], env=plain, cwd=folder, **quiet)
    for variable in ("LACUNA_MODULES", "PYTHONPATH", "XDG_DATA_HOME"):
        environment.pop(variable, None)
    environment.update(HOME=folder, LACUNA_TEST_ROOT=str(ROOT), LACUNA_PROGRAM=str(venv / "bin/lacuna"),
                       LACUNA_TEST_WHEEL=str(wheel))
    environment.setdefault("LACUNA_CACHE", str(Path(folder) / "cache"))
    environment.update(sanitizers(build))
    sys.exit(subprocess.run([venv / "bin/python", "-m", "unittest", *(names or (CORE if os.environ.get("LACUNA_TEST_CORE") else ["discover", "-p", "*_test.py"]))], env=environment, cwd=HERE).returncode)
