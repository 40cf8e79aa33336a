"""One sequence on two devices at once, llvmpipe and SwiftShader; either is lost on the way."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LACUNA = os.environ["LACUNA"]
FRAMES = 24
GRAPH = f"""lacuna:1
frames:{FRAMES}
module:pathtrace:01
module:eaw:01
module:o-exr:01
param:pathtrace:01:filename:"{ROOT}/examples/scenes/animated.scene"
param:pathtrace:01:width:48
param:pathtrace:01:height:32
param:pathtrace:01:samples:1
param:eaw:01:noise:.1
param:eaw:01:precision:f32
connect:pathtrace:01:output:eaw:01:input
connect:eaw:01:output:o-exr:01:input
"""


class Devices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shell = subprocess.run(["bash", "-c", f"words=$({ROOT}/tools/swiftshader) && eval \"$words\" && echo $VK_DRIVER_FILES"],
                               check=True, text=True, stdout=subprocess.PIPE)
        mesa = next(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
        drivers = f"{mesa}:{shell.stdout.strip()}"
        cls.environment = {**os.environ, "VK_DRIVER_FILES": drivers, "VK_ICD_FILENAMES": drivers}
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "graph.cfg").write_text(GRAPH)
        for device in ("llvmpipe", "SwiftShader"):
            assert cls.run_on(device, device).returncode == 0

    @classmethod
    def run_on(cls, devices, out, **environment):
        return subprocess.run([LACUNA, "run", "graph.cfg", "--device", devices, "-o", f"{out}/%04d.exr", "--in-flight", "1"],
                              cwd=cls.folder, env={**cls.environment, **environment}, text=True, stderr=subprocess.PIPE)

    def assert_complete(self, out):
        for frame in range(FRAMES):
            self.assertIn((self.folder / out / f"{frame:04}.exr").read_bytes(),
                          [(self.folder / one / f"{frame:04}.exr").read_bytes() for one in ("llvmpipe", "SwiftShader")], frame)

    def test_their_pictures_agree(self):
        compared = subprocess.run([LACUNA, "compare", "llvmpipe/%04d.exr", "SwiftShader/%04d.exr", "--frames", f"0-{FRAMES - 1}",
                                   "--min-psnr", "40"], cwd=self.folder, stdout=subprocess.DEVNULL)
        self.assertEqual(compared.returncode, 0)

    def test_both_work(self):
        done = self.run_on("llvmpipe,SwiftShader", "both")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_complete("both")
        of = {one: [(self.folder / one / f"{frame:04}.exr").read_bytes() == (self.folder / "both" / f"{frame:04}.exr").read_bytes()
                    for frame in range(FRAMES)] for one in ("llvmpipe", "SwiftShader")}
        self.assertTrue(any(of["llvmpipe"]) and any(of["SwiftShader"]), "each device has run some frames")

    def test_what_a_lost_device_leaves_is_run_by_the_other(self):
        layer = Path(LACUNA).parent / "test-layers"
        for devices, lost in (("llvmpipe,SwiftShader", "llvmpipe"), ("SwiftShader,llvmpipe", "SwiftShader")):
            done = self.run_on(devices, f"without-{lost}", VK_LAYER_PATH=str(layer), LACUNA_TEST_LOST_AT="4",
                               VK_INSTANCE_LAYERS="VK_LAYER_LACUNA_lost_device")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, f"{lost}.*device lost while it computed")
            self.assertIn("the other devices have run its frames", done.stderr)
            self.assert_complete(f"without-{lost}")


if __name__ == "__main__":
    unittest.main()
