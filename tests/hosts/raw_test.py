"""Other programs' colours of our DNG files: flat patches, by the camera's white balance, within 3% of Lacuna's own."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

LACUNA = os.environ["LACUNA"]
SIDE = 256  # RawTherapee refuses small pictures
# Linear Rec. 709.
PATCHES = [(.18, .18, .18), (.4, .1, .06), (.1, .3, .07), (.05, .08, .35), (.5, .45, .1), (.3, .3, .3)]
CAMERAS = {
    "rggb": "",
    "gbrg": "param:mosaic:01:matrix:1.5:-0.4:-0.1:-0.2:1.4:-0.2:0.05:-0.35:1.3\nparam:mosaic:01:black:256:258:255:260\n"
            "param:mosaic:01:white:4095\nparam:mosaic:01:red:1.9\nparam:mosaic:01:blue:1.4\n",
    "bggr": "param:mosaic:01:matrix:1.2:-0.1:-0.1:-0.1:1.3:-0.2:0:-0.2:1.2\nparam:mosaic:01:red:1.3\nparam:mosaic:01:blue:2.6\n",
}
GRAPH = """lacuna:1
module:i-pfm:01
module:colour:01
module:mosaic:01
module:o-dng:01
connect:i-pfm:01:output:colour:01:input
connect:colour:01:output:mosaic:01:input
connect:mosaic:01:output:o-dng:01:input
connect:mosaic:01:camera:o-dng:01:camera
param:i-pfm:01:filename:"patches.pfm"
param:o-dng:01:filename:"{pattern}.dng"
param:mosaic:01:pattern:{pattern}
"""
# Settings with which RawTherapee changes nothing.
NEUTRAL = "[Exposure]\nAuto=false\nCompensation=0\nBrightness=0\nContrast=0\nSaturation=0\nBlack=0\nCurveMode=Standard\nCurve=0;\n" \
          "[HLRecovery]\nEnabled=false\n[White Balance]\nSetting=Camera\n[Color Management]\nInputProfile=(cameraICC)\n" \
          "ToneCurve=false\nApplyLookTable=false\nApplyBaselineExposureOffset=false\nOutputProfile=RTv4_sRGB\n[RAW]\nCA=false\n"


def write_patches(path):
    rows = np.zeros((SIDE, SIDE * len(PATCHES), 3), "<f4")
    for i, colour in enumerate(PATCHES):
        rows[:, i * SIDE:(i + 1) * SIDE] = colour
    path.write_bytes(f"PF\n{rows.shape[1]} {rows.shape[0]}\n-1.0\n".encode() + rows[::-1].tobytes())


def ppm(path):
    """Of 16 bits."""
    data = path.read_bytes()
    words, at = [], 0
    while len(words) < 4:
        end = at
        while not data[end:end + 1].isspace():
            end += 1
        words.append(data[at:end])
        at = end + 1
    width, height = int(words[1]), int(words[2])
    return np.frombuffer(data, ">u2", width * height * 3, at).reshape(height, width, 3) / 65535


def linear(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


class Colours(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.place.name)
        write_patches(cls.folder / "patches.pfm")
        for pattern, camera in CAMERAS.items():
            (cls.folder / f"{pattern}.cfg").write_text(GRAPH.format(pattern=pattern) + camera)
            subprocess.run([LACUNA, "run", "-q", f"{pattern}.cfg"], cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def run_in(self, *words, env=None):
        if shutil.which(words[0]) is None:
            self.fail(f"no {words[0]}: tools/test --hosts installs what these tests run")
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env={**os.environ, "HOME": self.place.name, **(env or {})})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def expect_patches(self, picture, name):
        """Up to a factor for brightness, which programs choose: that of the first, grey patch."""
        middle = [picture[picture.shape[0] // 2 - 8:picture.shape[0] // 2 + 8, int((i + .5) * picture.shape[1] / len(PATCHES)) + np.arange(-8, 8)].mean((0, 1))
                  for i in range(len(PATCHES))]
        factor = PATCHES[0][1] / middle[0][1]
        for found, wanted in zip(middle, PATCHES):
            for a, b in zip(found * factor, wanted):
                self.assertLess(abs(a - b), .03 * b + .002, f"{name}: {found * factor} instead of {wanted}")

    def test_dcraw(self):
        for name in CAMERAS:
            for program in ("dcraw", "dcraw_emu"):
                self.run_in(program, "-w", "-W", "-4", "-o", "1", f"{name}.dng")
                made = self.folder / (f"{name}.ppm" if program == "dcraw" else f"{name}.dng.ppm")
                self.expect_patches(ppm(made), f"{program} {name}")

    def test_rawtherapee(self):
        (self.folder / "neutral.pp3").write_text(NEUTRAL)
        for name in CAMERAS:
            self.run_in("rawtherapee-cli", "-o", f"{name}-rt.png", "-p", "neutral.pp3", "-n", "-b16", "-Y", "-c", f"{name}.dng")
            self.expect_patches(self.png(f"{name}-rt.png"), f"RawTherapee {name}")

    def test_darktable(self):
        for name in CAMERAS:
            self.run_in("darktable-cli", f"{name}.dng", f"{name}-dt.pfm", "--icc-type", "LIN_REC709", "--apply-custom-presets", "false",
                        "--core", "--library", ":memory:", "--configdir", "dt", "--conf", "plugins/darkroom/workflow=none",
                        "--conf", "plugins/darkroom/chromatic-adaptation=legacy")
            self.expect_patches(self.pfm(f"{name}-dt.pfm"), f"darktable {name}")

    def png(self, name):
        subprocess.run([LACUNA, "run", "-q", "/dev/stdin", "-o", "out.pfm"], cwd=self.folder, check=True, text=True,
                       input=f'lacuna:1\nmodule:i-png:01\nmodule:o-pfm:01\nconnect:i-png:01:output:o-pfm:01:input\n'
                             f'param:i-png:01:filename:"{self.folder}/{name}"\nparam:o-pfm:01:filename:"out.pfm"\n')
        return self.pfm("out.pfm")

    def pfm(self, name):
        head, size, _, rest = (self.folder / name).read_bytes().split(b"\n", 3)
        self.assertEqual(head, b"PF")
        width, height = map(int, size.split())
        return np.frombuffer(rest, "<f4", width * height * 3).reshape(height, width, 3)[::-1]


if __name__ == "__main__":
    unittest.main()
