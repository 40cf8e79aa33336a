"""A wheel of Lacuna: the Python package, with the program, its modules and liblacuna.so inside. CMake builds them, in build/python or in the
build folder that LACUNA_BUILD names."""
import atexit
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pybind11
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
WORK = tempfile.mkdtemp(prefix="lacuna-wheel-")  # a wheel holds all that lies there, and two may be made at once
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


class Build(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("LACUNA_BUILD")
        folder = Path(given).resolve() if given else ROOT / "build" / "python"
        to = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        if not given:
            launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
            self.cmake("--preset", "release", "-B", folder, "-DLACUNA_TESTS=OFF", "-U*Python_*",  # of an earlier one
                       f"-DPython_EXECUTABLE={sys.executable}",
                       f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",  # this Python's, whichever CMake would find
                       *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []))
        self.cmake("--build", folder, "--target", "lacuna", "lacuna_bench", "lacuna_modules", "lacuna_shaders", "lacuna_python")
        for component in ("runtime", "python"):
            self.cmake("--install", folder, "--prefix", to, "--component", component)
        core = to / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not core.exists():
            sys.exit(f"LACUNA_BUILD={folder} is for another Python: there is no {core.name}. Configure it with "
                     f"-DPython_EXECUTABLE={sys.executable}, or unset LACUNA_BUILD")

    def cmake(self, *words):
        try:
            subprocess.run(["cmake", *map(str, words)], cwd=ROOT, check=True)
        except (FileNotFoundError, subprocess.CalledProcessError) as problem:
            sys.exit(f"{problem}. The build needs the packages of tools/packages: tools/install-packages installs them on Debian 12")


setup(
    version=re.search(r"project\(lacuna VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    packages=["lacuna"],
    package_dir={"": "tools/python"},
    package_data={"lacuna": ["py.typed", "*.pyi"]},
    py_modules=["lacuna_program"],
    entry_points={"console_scripts": ["lacuna = lacuna_program:main"]},
    ext_modules=[Extension("lacuna._core", [])],
    cmdclass={"build_ext": Build},
    options={"build": {"build_base": WORK}, "egg_info": {"egg_base": WORK}},
)
