"""Stubs and annotations."""
import ast
import importlib.util
import inspect
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import lacuna
from lacuna import _core
from support import PLAIN, ROOT

STUBS = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text()).body
PROGRAM = '''
import numpy
import lacuna

photo = lacuna.read("photo.jpg")
clean: numpy.ndarray = lacuna.denoise(photo.image, strength=1.5)
lacuna.write("clean.jpg", clean, like=photo)
graph = lacuna.Graph()
source = graph.add("i-memory", "noisy")
graph.add("o-memory", input=graph.add("eaw", input=source.output, levels=4).output)
soft = lacuna.stencil("soft", "", radius=2, edge=0.1)
softer: numpy.ndarray = soft(clean, edge=0.3)
lacuna.denoise(clean, strength="much")
'''


def arguments(function):
    """Their number, by the first line of a docstring of pybind11, or by a stub."""
    if isinstance(function, ast.FunctionDef):
        return len(function.args.args)
    return len(ast.parse(f"def {function.__doc__.splitlines()[0]}: ...").body[0].args.args)


def public(names):
    return sorted(name for name in names if not name.startswith("_") or name == "__init__")


class Stubs(unittest.TestCase):
    def assertLike(self, stub, real):
        if isinstance(stub, ast.FunctionDef) and not stub.decorator_list:
            self.assertEqual(arguments(stub), arguments(real))
        elif isinstance(stub, ast.FunctionDef):
            self.assertIsNone(real.fset)  # @property, without a setter
        elif "ClassVar" in ast.unparse(stub):
            self.assertEqual(type(real).__name__, stub.annotation.slice.id)
        else:
            self.assertIsNotNone(real.fset)

    def test_are_those_of_the_module(self):
        stubs = {each.name: each for each in STUBS if isinstance(each, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(public(stubs), public(dir(_core)))
        for name in public(stubs):
            stub, real = stubs[name], getattr(_core, name)
            if isinstance(stub, ast.FunctionDef):
                with self.subTest(name=name):
                    self.assertLike(stub, real)
                continue
            members = {each.target.id if isinstance(each, ast.AnnAssign) else each.name: each for each in stub.body}
            inherited = {"name", "value"} if stub.bases else set()
            self.assertEqual(public({*members, "__init__"} | inherited), public(vars(real)), name)
            for member, each in members.items():
                with self.subTest(name=f"{name}.{member}"):
                    self.assertLike(each, getattr(real, member))

    def test_all_that_is_public_has_a_docstring(self):
        for name in lacuna.__all__:
            self.assertTrue(inspect.getdoc(getattr(lacuna, name)), name)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy")
    def test_hold_for_the_package_and_a_program(self):
        def checked(path):
            return subprocess.run([sys.executable, "-m", "mypy", path], cwd=folder, env=PLAIN, capture_output=True, text=True).stdout

        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("Success", checked(ROOT / "tools/python/lacuna"))
            program = Path(folder) / "program.py"
            program.write_text(PROGRAM)
            self.assertIn('program.py:13: error: Argument "strength" to "denoise" has incompatible type "str"', found := checked(program))
            self.assertIn("Found 1 error", found)


if __name__ == "__main__":
    unittest.main()
