"""What users get wrong, and what they are told."""
import multiprocessing
import pathlib
import pickle
import shutil
import tempfile
import unittest
import warnings

import numpy as np

import lacuna
from support import INPUTS, Test, around, varied

IMAGE = varied(6, 8)


class Tensor:
    """Of a GPU."""
    device = "cuda:0"

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        raise AssertionError


class Broken:
    """Of a library whose conversions fail."""

    def __dlpack__(self, stream=None):
        raise AssertionError


class Unwilling:
    def __array__(self, *_):
        raise ValueError("on strike")


class Palette(Unwilling):
    """As PIL has images with a palette."""
    mode = "P"


class Arrays(Test):
    def test_each_is_explained(self):
        read_only = np.empty_like(IMAGE)
        read_only.flags.writeable = False
        for work, texts in [
            (lambda: lacuna.denoise("photo.jpg"), ["expected an array", "lacuna.read()"]),
            (lambda: lacuna.denoise([[1, 2]]), ["expected an array, got list", "numpy.asarray()"]),
            (lambda: lacuna.denoise(None), ["expected an array, got NoneType"]),
            (lambda: lacuna.denoise(IMAGE.astype(np.float64)), ["the numbers are float64", "image.astype(numpy.float32)"]),
            (lambda: lacuna.denoise(IMAGE > 0.5), ["the numbers are bool"]),
            (lambda: lacuna.denoise(IMAGE.astype(">f4")), ["of the other byte order"]),
            (lambda: lacuna.denoise(IMAGE.astype(np.int64)), ["the numbers are int64", "image.astype(numpy.uint8), if they are 0 to 255"]),
            (lambda: lacuna.denoise(IMAGE.astype(complex)), ["the numbers are complex128"]),
            (lambda: lacuna.denoise(IMAGE.astype(object)), ["the numbers are object"]),
            (lambda: lacuna.denoise(Palette()), ["an image of mode P", "image.convert('RGB')"]),
            (lambda: lacuna.denoise(Broken()), ["Broken does not say where its tensor lies"]),
            (lambda: lacuna.denoise(Unwilling()), ["Unwilling gives no array: on strike"]),
            (lambda: lacuna.denoise(IMAGE, method=["eaw"]), ["method: ['eaw']; expected auto"]),
            (lambda: lacuna.Denoiser(IMAGE), ["strength: array("]),
            (lambda: lacuna.Denoiser(method="oidn"), ["method: 'oidn'"]),
            (lambda: lacuna.Device(0), ["select: expected a part of a device's name, got 0"]),
            (lambda: pickle.dumps(lacuna.Device()), ["Device can't be pickled", "each process opens its own"]),
            (lambda: pickle.dumps(lacuna.Denoiser()), ["Denoiser can't be pickled"]),
            (lambda: pickle.dumps(around("eaw")), ["Graph can't be pickled", "graph.text()"]),
            (lambda: lacuna.read(None), ["path: expected the name of a file, got NoneType"]),
            (lambda: lacuna.read("a\udcff.png"), ["is not UTF-8", "rename the file"]),
            (lambda: lacuna.read("none_%04d.png"), ["there is no 'none_%04d.png'", "Graph.run_files()"]),
            (lambda: lacuna.write("a.png", IMAGE, like=IMAGE), ["like: expected the name of a file, got ndarray"]),
            (lambda: lacuna.describe(None), ["module: expected a module's name, got None"]),
            (lambda: lacuna.modules(3), ["modules: expected the name of a file, got int"]),
            (lambda: lacuna.denoise(np.ma.masked_array(IMAGE)), ["a masked array", "image.filled(0)"]),
            (lambda: lacuna.denoise(Tensor()), ["cuda:0", "host memory", "tensor.cpu()"]),
            (lambda: lacuna.denoise(np.moveaxis(varied(60, 80), -1, 0)), ["its shape is 3 x 60 x 80", "numpy.moveaxis(image, 0, -1)"]),
            (lambda: lacuna.denoise(varied(6, 8, 7)), ["has 7 channels", "image[..., :4]"]),
            (lambda: lacuna.denoise(varied(6, 8, 2)), ["has 2 channels", "1 or 3 or 4"]),
            (lambda: lacuna.denoise(IMAGE[None]), ["1 x 6 x 8 x 3", "one image at a time"]),
            (lambda: lacuna.denoise(IMAGE[0, 0]), ["has the shape 3"]),
            (lambda: lacuna.denoise(IMAGE[:0]), ["is empty", "0 x 8 x 3"]),
            (lambda: lacuna.denoise(IMAGE, albedo=varied(6, 9)), ["albedo: has 9 x 6 pixels, but image has 8 x 6"]),
            (lambda: lacuna.denoise(IMAGE, normal=varied(6, 8, 1)), ["normal: has 1 channels"]),
            (lambda: lacuna.denoise(IMAGE, normal=varied(6, 8, dtype=np.uint8)), ["normal: the numbers are uint8", "normal / 127.5 - 1"]),
            (lambda: lacuna.denoise(IMAGE, strength=5), ["strength: 5; expected 0"]),
            (lambda: lacuna.denoise(IMAGE, method="oidn"), ["method: 'oidn'; expected auto, wiener, eaw"]),
            (lambda: lacuna.denoise(IMAGE, fast="yes"), ["fast: 'yes'; expected True, False, or None"]),
            (lambda: lacuna.denoise(IMAGE, method="eaw", fast=True), ["fast: True; only method wiener has this choice"]),
            (lambda: lacuna.denoise(IMAGE, method="guided"), ["no normal and depth"]),
            (lambda: lacuna.denoise(IMAGE, device="cpu"), ["expected a lacuna.Device, got 'cpu'", "lacuna.Device('cpu')"]),
            (lambda: lacuna.denoise(IMAGE, method="eaw", out=read_only), ["out: the array is read-only"]),
            (lambda: lacuna.denoise(IMAGE, method="eaw", out=IMAGE[:2]), ["out: expected a numpy array float32 (6, 8, 3), got float32 (2, 8, 3)"]),
            (lambda: lacuna.Device("voodoo"), ["voodoo"]),
            (lambda: lacuna.read(INPUTS / "none.png"), ["none.png"]),
            (lambda: lacuna.read(__file__), ["mistakes_test.py"]),
            (lambda: lacuna.write("/tmp/picture.heic", IMAGE), [".heic", ".png"]),
            (lambda: lacuna.compare(IMAGE, varied(6, 9)), ["image has 8 x 6 pixels, but reference has 9 x 6"]),
            (lambda: lacuna.describe("eax"), ["unknown module 'eax'", "did you mean 'eaw'?"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=0), ["radius: 0"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=2, weights=[1]), ["2 * radius + 1, which is 5"]),
            (lambda: lacuna.stencil("a b", "float weight(", radius=2), ["name: 'a b'"]),
            (lambda: lacuna.stencil("eaw", "float weight(", radius=2), ["there is a module 'eaw' already"]),
            (lambda: lacuna.stencil("soft", pathlib.Path("soft.glsl"), radius=2), ["glsl: expected GLSL as a string", "open(path).read()"]),
            (lambda: lacuna.stencil("soft", "soft.glsl", radius=2), ["defines neither weight() nor gather()"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=True), ["radius: True"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=2, levels=0), ["levels: 0; expected a whole number from 1 to 12"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=2, weights=3), ["weights: 3; expected 5 numbers"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=2, format="f64"), ["format: 'f64'; expected float32 or float16"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=2, edge="big"), ["edge: 'big'; a parameter's default is one finite number"]),
            (lambda: lacuna.denoise(np.ndarray), ["expected an array, got the class ndarray"]),
            (lambda: lacuna.denoise([IMAGE, IMAGE]), ["expected an array, got list", "one image at a time"]),
            (lambda: lacuna.denoise(each for each in [IMAGE]), ["expected an array, got generator", "one image at a time"]),
            (lambda: lacuna.denoise(IMAGE, strength=float("nan")), ["strength: nan; expected 0"]),
            (lambda: lacuna.denoise(IMAGE, depth=IMAGE), ["depth: has 3 channels", "expected height x width"]),
            (lambda: lacuna.denoise(IMAGE, device=lacuna.Device), ["expected a lacuna.Device, got <class", "lacuna.Device() opens the best one"]),
            (lambda: lacuna.Denoiser()(IMAGE, motion=IMAGE), ["motion: has 3 channels", "x 2"]),
            (lambda: lacuna.read(""), ["path: is empty"]),
            (lambda: lacuna.read("~/photo.png"), ["begins with ~", "os.path.expanduser()"]),
            (lambda: lacuna.write("~/photo.png", IMAGE), ["begins with ~", "os.path.expanduser()"]),
            (lambda: lacuna.read("https://example.com/photo.png"), ["is an address", "download it first"]),
            (lambda: lacuna.read(INPUTS / "*.png"), ["*.png'; expected one file", "glob.glob(path)"]),
            (lambda: lacuna.read(INPUTS), ["expected a file, but this is a folder"]),
            (lambda: lacuna.write(IMAGE, "a.png"), ["path: expected the name of a file, got ndarray"]),
            (lambda: lacuna.write("/tmp/a", IMAGE), ["the name has no extension", ".png"]),
            (lambda: lacuna.write("/tmp/a.jpg", IMAGE, quality=0), ["'quality' is 0, but must be 1 to 100"]),
            (lambda: lacuna.write("/tmp/a.png", IMAGE, depth=IMAGE[..., 0]), ["only OpenEXR files have"]),
            (lambda: lacuna.write("/tmp/a.exr", IMAGE, depth=IMAGE[:3, :, 0]), ["depth: has 8 x 3 pixels, but image has 8 x 6"]),
            (lambda: lacuna.describe("EAW"), ["unknown module 'EAW'", "did you mean 'eaw'?"]),
            (lambda: lacuna.describe("\udcff"), ["module: '\\udcff' is no character"]),
            (lambda: lacuna.stencil("soft", "float weight( // \udcff", radius=2), ["glsl: '\\udcff' is no character"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=1, weights=[0, 0, 0]), ["weights: all are 0"]),
            (lambda: lacuna.stencil("soft", "float weight(", radius=1, schedule=1), ["schedule: the filter's connectors and calls have this name"]),
            (lambda: lacuna.stencil("soft", "float weight(vec4 a, vec4 b, Offset o) { return 1.0; }", radius=1, **{"a-b": 1}), ["'a-b' is not a name"]),
        ]:
            with self.subTest(texts=texts):
                self.error(work, *texts)

    def test_values_that_are_no_numbers_are_warned_of(self):
        image = IMAGE.copy()
        image[2, 3, 1] = np.nan
        with self.assertWarnsRegex(UserWarning, r"image: 1 values are NaN or infinite, the first one at \[2, 3, 1\]"):
            lacuna.denoise(image, method="eaw")
        with tempfile.TemporaryDirectory() as folder, self.assertWarnsRegex(UserWarning, "image: 1 values are NaN or infinite"):
            lacuna.write(f"{folder}/a.png", image)

    def test_values_that_are_hardly_meant_are_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "image: float32 with whole numbers up to 255.*pass the photograph as uint8"):
            lacuna.denoise(np.array([[[0, 128, 255]]], np.float32), method="eaw")
        normal = np.full((6, 8, 3), (0, 0.6, 0.8), np.float32)
        with self.assertWarnsRegex(UserWarning, "normal: no component is negative.*2 \\* normal - 1"):
            lacuna.denoise(IMAGE, normal=(normal + 1) / 2, depth=IMAGE[..., 0], method="guided")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lacuna.denoise(IMAGE * 300, normal=normal, depth=IMAGE[..., 0], method="guided")

    def test_files_are_neither_taken_for_graphs_nor_lost(self):
        self.error(lambda: lacuna.Graph("small.cfg"), "got the name 'small.cfg'", "from_file")
        self.error(lambda: lacuna.Graph(pathlib.Path("small.cfg")), "expected a graph, got PosixPath", "from_file")
        self.error(lambda: lacuna.read(INPUTS / "photo.dng"), "photo.dng: a raw photograph", "lacuna denoise")
        self.error(lambda: lacuna.modules("no such"), "modules: 'no such' is not a folder")
        self.assertIn("chroma-smooth", lacuna.modules(str(INPUTS.parent)))
        with tempfile.TemporaryDirectory() as folder:
            photo, graph = pathlib.Path(folder, "photo.png"), pathlib.Path(folder, "small.cfg")
            photo.write_bytes(b"a photograph")
            self.error(lambda: around("eaw").save(photo), "photo.png: exists and holds no graph")
            self.error(lambda: around("eaw").save(photo, overwrite=True), "photo.png: exists and holds no graph")
            self.assertEqual(photo.read_bytes(), b"a photograph")
            around("eaw").save(graph)
            first = graph.read_text()
            self.error(lambda: around("eaw", levels=2).save(graph), "small.cfg: already exists", "overwrite=True")
            self.assertEqual(graph.read_text(), first)
            around("eaw", levels=2).save(graph, overwrite=True)
            self.assertIn("levels:2", graph.read_text())
            self.assertEqual(sorted(each.name for each in pathlib.Path(folder).iterdir()), ["photo.png", "small.cfg"])

    def test_inputs_are_replaced_by_overwrite_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            photo = pathlib.Path(folder, "photo.png")
            shutil.copy(INPUTS / "photo.png", photo)
            before = photo.read_bytes()
            picture = lacuna.read(photo)
            graph = lacuna.Graph(f'lacuna:1\nmodule:i-png:01\nmodule:exposure:01\nmodule:o-png:01\nparam:exposure:01:stops:1\n'
                                 f'connect:i-png:01:output:exposure:01:input\nconnect:exposure:01:output:o-png:01:input\n'
                                 f'param:i-png:01:filename:"{photo}"\nparam:o-png:01:filename:"{photo}"\n')
            for work in (lambda: lacuna.write(photo, picture.image, like=picture), graph.run_files):
                with self.assertRaises(lacuna.Error) as caught:
                    work()
                self.assertIn("overwrite=True allows to replace inputs", str(caught.exception))
                self.assertNotIn("--", str(caught.exception))
                self.assertIn("overwrite=True", caught.exception.diagnostics[0].hint)
                self.assertEqual(photo.read_bytes(), before)
            self.assertIn("overwrite=True", graph.check()[0].hint)
            self.assertEqual(graph.run_files(overwrite=True), 1)
            brighter = photo.read_bytes()
            self.assertNotEqual(brighter, before)
            lacuna.write(photo, picture.image, like=picture, overwrite=True)
            self.assertNotEqual(photo.read_bytes(), brighter)

    def test_a_closed_device_is_said_to_be(self):
        device = lacuna.Device()
        lacuna.denoise(IMAGE, method="eaw", device=device)
        device.close()
        self.error(lambda: lacuna.denoise(IMAGE, method="eaw", device=device), "the device is closed")
        self.assertEqual(repr(device), "lacuna.Device(closed)")

    def test_a_forked_process_is_told_to_spawn(self):
        lacuna.denoise(IMAGE, method="eaw")
        context = multiprocessing.get_context("fork")
        queue = context.Queue()

        def child():
            try:
                lacuna.denoise(IMAGE, method="eaw")
            except lacuna.Error as error:
                queue.put(str(error))

        process = context.Process(target=child)
        process.start()
        self.assertIn('get_context("spawn")', queue.get())
        process.join()


class Graphs(Test):
    def test_each_is_refused_at_once(self):
        graph = around("eaw")
        node = graph.add("crop", "01")
        text = graph.text()
        for work, message, hint in [
            (lambda: graph.add("eax"), "unknown module 'eax'", "did you mean 'eaw'?"),
            (lambda: graph.add("eaw", levls=3), "eaw:02 has no parameter 'levls'", "did you mean 'levels'?"),
            (lambda: graph.add("eaw", levels=30), "'levels' is 30, but must be 1 to 8", ""),
            (lambda: graph.add("eaw", levels="many"), "'levels' expected a whole number, got 'many'", ""),
            (lambda: setattr(node, "nput", node.output), "crop:01 has no input 'nput'", "did you mean 'input'?"),
            (lambda: setattr(node, "input", node), "expected an output of crop:01, not the node", "input=node.output"),
            (lambda: graph.add("eaw", "a b"), "the node's name is 'a b'", ""),
            (lambda: graph.add("eaw", "01"), "the graph already has a eaw:01", "it gets a free one"),
            (lambda: graph.add("eaw", input=IMAGE), "input: expected an output of a node, got an array", "graph.run(array)"),
            (lambda: graph.add("eaw", input=around("eaw").add("crop").output), "crop:01:output belongs to another graph", ""),
            (lambda: graph.feedback(node.output, node), "feedback: expected an input of a node", "graph.feedback("),
            (lambda: graph.run(IMAGE, frame=-1), "frame: -1; expected a whole number, from 0", ""),
            (lambda: graph.run(IMAGE, schedule=3), "schedule: 3; expected a name", "graph.filters(image)"),
            (lambda: graph.run_files(3), "frames: expected text, got 3", "'0-99'"),
            (lambda: graph.save("/dev/null/g.cfg"), "/dev/null/g.cfg: Not a directory", ""),
            (lambda: lacuna.Graph(parameters=["eaw:01:levels=3"]), "parameters: expected a dict, got list", "{'eaw:01:levels': 3}"),
            (lambda: graph.add("i-file", filename="/none.png"), "/none.png", ""),
            (lambda: graph.set("eaw:01:levls", 3), "levls", "did you mean 'levels'?"),
            (lambda: graph.set("levels", 3), "'levels=3': expected module:instance:parameter=value (from parameter levels=3)", ""),
            (lambda: graph.add("eaw", levels=3.5), "'levels' expected a whole number, got '3.5'", ""),
            (lambda: graph.add("eaw", levels={}), "a parameter is a dict; expected numbers", ""),
            (lambda: graph.add(lacuna.describe("eaw")), "module: expected a module's name, got", "lacuna.modules()"),
            (lambda: setattr(node, "output", node.output), "'output' is an output of crop:01", "a connection goes from an output to an input"),
            (lambda: graph.add("eaw", input=node.input), "'input' is an input of crop:01", "a connection goes from an output to an input"),
            (lambda: graph.feedback(None, node.input), "feedback: expected an output of a node, got None", "graph.feedback("),
            (lambda: list(graph.frames(IMAGE)), "frames: expected several images, got one of the shape (6, 8, 3)", "graph.frames([image])"),
            (lambda: graph.run_files(progress=3), "progress: expected a function, got 3", "lacuna.show_progress()"),
            (lambda: lacuna.Graph.from_file(INPUTS / "photo.png"), "photo.png: holds no graph", "lacuna.read() reads images"),
            (lambda: lacuna.Graph.from_file("none.cfg"), "none.cfg: No such file", ""),
        ]:
            with self.subTest(message=message):
                found = self.error(work, message).diagnostics
                self.assertEqual(len(found), 1)
                self.assertIn(hint, found[0].hint)
        self.assertEqual(graph.text(), text)
        with self.assertRaisesRegex(AttributeError, "no connector or parameter 'outputs'; it has .*output"):
            node.outputs

    def test_places_are_those_of_the_text(self):
        error = self.error(lambda: lacuna.Graph("lacuna:1\nmodule:eaw:01\nparam:eaw:01:levls:4\nmodule:eax:01\n").run())
        places = [(each.line, each.column) for each in error.diagnostics if each.severity == "error"]
        self.assertIn((3, 14), places)
        self.assertIn((4, 8), places)

    def test_images_are_asked_for_by_name(self):
        graph = around("exposure", stops=1)
        self.error(lambda: graph.run(other=IMAGE), "no source i-memory:other; it has in")
        self.error(lambda: graph.run(IMAGE, IMAGE), "2 images, but the graph has 1 sources")
        self.error(lambda: graph.run(IMAGE, **{"in": IMAGE}), "run: in is given twice")
        self.error(lambda: lacuna.Graph("hello").run(IMAGE), "1 images, but the graph has 0 sources i-memory")
        self.error(lambda: graph.run_files("x"), "frames x: expected A, A-B")
        self.error(lambda: graph.run(), "i-memory:in has no image: run() takes it")

    def test_bodies_are_shown_with_their_lines(self):
        error = self.error(lambda: lacuna.stencil("wrong", "float weight(vec4 centre, vec4 tap, Offset o) {\n  return pow(tap);\n}", radius=1))
        self.assertEqual([(each.file, each.line) for each in error.diagnostics], [("wrong.glsl", 2)])
        self.error(lambda: lacuna.describe("wrong"), "unknown module")
        error = self.error(lambda: lacuna.stencil("wrong", "\n\nfloat weight(vec3 a, vec3 b) { return 1.0; }", radius=1), "expected float weight(vec4 centre")
        self.assertEqual([(each.file, each.line) for each in error.diagnostics], [("wrong.glsl", 3)])


if __name__ == "__main__":
    unittest.main()
