"""The wheel in an environment of its own, whose path has spaces, quotes and letters beyond ASCII."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import venv
from pathlib import Path

from support import INPUTS, PLAIN, ROOT

WHEEL = os.environ["LACUNA_TEST_WHEEL"]


def files(folder):
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if not each.is_dir() and "__pycache__" not in each.parts)


class Environment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work, self.folder = Path(folder.name), Path(folder.name) / "it's ö 環境"
        venv.create(self.folder, system_site_packages=True, symlinks=True)
        self.empty = files(self.folder)
        self.pip("install", WHEEL)

    def pip(self, *words):
        subprocess.run([sys.executable, "-m", "pip", "--python", self.folder / "bin/python", *words, "-q"], env=PLAIN, check=True)

    def run_in(self, name, *words):
        """What a program of the environment prints, started in an empty folder."""
        done = subprocess.run([self.folder / "bin" / name, *words], cwd=self.work, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_has_the_program_and_the_package(self):
        places = {str(Path(each["folder"]).resolve()) for each in json.loads(self.run_in("lacuna", "modules", "--json"))}
        self.assertTrue(all(each.startswith(str(self.folder.resolve())) for each in places), places)
        self.run_in("lacuna", "denoise", INPUTS / "photo.png", "-o", "program.png")
        self.run_in("python", "-c", f"import lacuna; photo = lacuna.read({str(INPUTS / 'photo.png')!r})\n"
                                    "lacuna.write('package.png', lacuna.denoise(photo.image), like=photo)")
        self.assertEqual((self.work / "program.png").read_bytes(), (self.work / "package.png").read_bytes())

    def test_is_installed_again_and_removed_whole(self):
        before = files(self.folder)
        self.assertIn("bin/lacuna", before)
        self.pip("install", "--force-reinstall", "--no-deps", WHEEL)
        self.assertEqual(files(self.folder), before)
        self.pip("uninstall", "-y", "lacuna")
        self.assertEqual(files(self.folder), self.empty)

    def test_libraries_are_looked_for_beside_it(self):
        package, = self.folder.glob("lib/python*/site-packages/lacuna")
        binaries = [each for each in package.rglob("*") if each.is_file() and each.read_bytes()[:4] == b"\x7fELF"]
        self.assertIn(package / "bin/lacuna", binaries)
        for file in binaries:
            printed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
            for path in (each for found in re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", printed) for each in found.split(":")):
                self.assertRegex(path, r"^\$ORIGIN(/|$)", f"{file.name}: the current folder, or the build's")

    def test_a_python_without_what_the_build_needs_is_told(self):
        bare = self.work / "bare"
        venv.create(bare, symlinks=True)
        done = subprocess.run([sys.executable, "-m", "pip", "--python", bare / "bin/python", "install", "-q", "--no-index",
                               "--no-build-isolation", ROOT], cwd=self.work, env=PLAIN, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"{bare / 'bin/python'} has no setuptools, pybind11, wheel, which building lacuna needs. Leave out "
                      "--no-build-isolation", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
