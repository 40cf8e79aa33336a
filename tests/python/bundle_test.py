"""Bundles of `lacuna export`: the bits of the graph itself, without its modules and without a compiler."""
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import lacuna
from support import ROOT, Test, program, varied

SIZES = ("40x24", "31x17")
PLANES = {"noisy": ("rgba:f16", "R16G16B16A16_SFLOAT", np.float16, 4), "albedo": ("rgb:f16", "R8G8B8A8_UNORM", np.uint8, 4),
          "normal": ("normal:u8", "R8G8B8A8_UNORM", np.uint8, 4), "depth": ("depth:f32", "R32_SFLOAT", np.float32, 1),
          "motion": ("mv:f16", None, np.float16, 2)}


def planes(height, width, seed):
    """Noise over a still scene, so that svgf keeps its history."""
    made = {name: varied(height, width, channels, dtype, seed if name == "noisy" else 0)[..., 0 if channels == 1 else slice(None)]
            for name, (_, _, dtype, channels) in PLANES.items()}
    return {**made, "motion": 0 * made["motion"]}


def as_the_graph_has_them(given):
    """Its albedo is f16; both have three channels."""
    return {**given, "albedo": (given["albedo"][..., :3].astype(np.float32) / 255).astype(np.float16), "normal": given["normal"][..., :3]}


class Bundles(Test):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.graph = ROOT / "examples/renderer/svgf.cfg"
        cls.file = cls.folder / "svgf.lacuna"
        program("export", cls.graph, "-o", cls.file, "--image", "o-memory:clean=R8G8B8A8_UNORM",
                *(word for size in SIZES for word in ("--size", size)),
                *(word for name, (kind, *_) in PLANES.items() for word in ("--source", f"i-memory:{name}={kind}")),
                *(word for name, (_, image, *_) in PLANES.items() if image for word in ("--image", f"i-memory:{name}={image}")))
        cls.device = lacuna.Device(validates=True)
        cls.addClassCleanup(cls.device.close)

    def setUp(self):
        self.bundle = lacuna.Bundle(self.file)

    def run_one(self, given, **options):
        return self.bundle.run(**given, device=self.device, **options)

    def test_frames_have_the_bits_of_the_graph_random(self):
        self.assertEqual(self.bundle.sizes, [(40, 24), (31, 17)])
        graph = lacuna.Graph.from_file(self.graph)
        for height, width in ((24, 40), (17, 31)):  # another size begins anew
            for frame in range(3):
                given = planes(height, width, frame)
                got, want = self.run_one(given), graph.run(**as_the_graph_has_them(given), device=self.device)
                self.assertEqual(got.keys(), want.keys())
                for name in got:
                    self.assertSame(got[name], want[name])
        self.assertEqual(self.device.handle.validation_messages(), [])

    def test_history_ends_by_restart(self):
        given = [planes(24, 40, frame) for frame in range(2)]
        first, second = (self.run_one(each)["clean"] for each in given)
        self.bundle.restart()
        self.assertSame(self.run_one(given[0])["clean"], first)
        self.bundle.restart()
        self.assertFalse(np.array_equal(self.run_one(given[1])["clean"], second))

    def test_parameters_change_by_call(self):
        given = planes(24, 40, 0)
        usual = self.run_one(given)["clean"]
        self.bundle.restart()
        changed = self.run_one(given, parameters={"svgf:01:sigma_luminance": 0.5})["clean"]
        self.assertFalse(np.array_equal(changed, usual))
        graph = lacuna.Graph.from_file(self.graph, parameters={"svgf:01:sigma_luminance": 0.5})
        self.assertSame(changed, graph.run(**as_the_graph_has_them(given), device=self.device)["clean"])

    def test_nothing_is_compiled_to_spirv(self):
        cache = self.folder / "cache"
        before = os.environ.get("LACUNA_CACHE")
        os.environ["LACUNA_CACHE"] = str(cache)
        try:
            with lacuna.Device() as device:
                self.bundle.run(**planes(24, 40, 0), device=device)
            self.assertFalse((cache / "spirv").exists())
        finally:
            os.environ.pop("LACUNA_CACHE") if before is None else os.environ.update(LACUNA_CACHE=before)

    def test_mistakes_are_listed(self):
        given = planes(24, 40, 0)
        for changed, texts in (
                ({"noisy": given["noisy"].astype(np.float32), "depth": given["motion"]},
                 ["depth: expected float32 24 x 40 (depth), got float16 24 x 40 x 2", "noisy: expected float16 24 x 40 x 4 (rgba), got float32 24 x 40 x 4"]),
                ({name: each[:20] for name, each in given.items()}, ["no graph for 40x20; it was exported for 40x24 or 31x17"]),
                ({"noisy": given["noisy"][:20]}, ["the images differ in size: noisy 40x20, albedo 40x24"]),
                ({"id": given["depth"]}, ["id: the bundle has no such source; it has albedo, depth, motion, noisy, normal"]),
                ({"depth": None}, ["depth: expected float32 24 x 40 (depth), got none"]),
                ({"parameters": {"svgf:01:history": 5000}}, ["'history' is 5000, but must be 1 to 1024"]),
                ({"parameters": {"svgf:01:histry": 5}}, ["no shader of the graph reads a parameter 'svgf:01:histry'"]),
                ({"parameters": [1]}, ["expected a dict"]),
                ({"frame": -1}, ["frame: -1; expected a whole number"])):
            with self.subTest(texts=texts):
                self.error(lambda: self.run_one({**given, **changed}), *texts)
        self.error(lambda: self.bundle.run(given["noisy"], device=self.device), "the bundle has several sources: albedo, depth")
        self.run_one(given)  # it stays usable

    def test_files_that_are_no_bundles_are_refused(self):
        whole = self.file.read_bytes()
        for name, content, text in (("cut", whole[:5000], "the bundle has 5000 bytes, but was written with"),
                                    ("other", whole[:8] + b"\x09" + whole[9:], "a bundle of version 9"),
                                    ("damaged", whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], "its checksum doesn't fit"),
                                    ("graph", self.graph.read_bytes(), "this is no bundle")):
            path = self.folder / name
            path.write_bytes(content)
            with self.subTest(name=name):
                self.assertEqual(self.error(lambda: lacuna.Bundle(path), str(path), text).kind, "input")
        self.error(lambda: lacuna.Bundle(self.folder / "none"), "No such file")

    def test_images_that_arrays_cannot_have_are_refused(self):
        path = self.folder / "packed.lacuna"
        graph = self.folder / "copy.cfg"
        graph.write_text("lacuna:1\nmodule:i-memory:in\nmodule:exposure:01\nmodule:o-memory:out\n"
                         "connect:i-memory:in:output:exposure:01:input\nconnect:exposure:01:output:o-memory:out:input\n")
        program("export", graph, "-o", path, "--size", "9x5", "--image", "i-memory:in=B10G11R11_UFLOAT_PACK32")
        self.error(lambda: lacuna.Bundle(path).run(varied(5, 9, 4, np.float16)), "i-memory:in is an image of the format r11f_g11f_b10f")
        program("export", graph, "-o", path, "--size", "9x5", "-p", "exposure:01:stops=1")
        image = varied(5, 9, 4, np.float16)
        self.assertSame(lacuna.Bundle(path).run(image)[..., :3], (2 * image.astype(np.float32))[..., :3].astype(np.float16))


if __name__ == "__main__":
    unittest.main()
