"""The package as its users have it: pictures, graphs, sequences, filters."""
import os
import pydoc
import re
import resource
import signal
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import numpy as np

import lacuna
from support import INPUTS, ROOT, Test, around, program, varied


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Pictures(Test):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_denoise_gives_the_bits_of_the_program(self):
        photo = lacuna.read(INPUTS / "photo.png")
        program("denoise", INPUTS / "photo.png", "-o", self.folder / "clean.png", "--strength", "2")
        self.assertSame(lacuna.denoise(photo.image, strength=2), lacuna.read(self.folder / "clean.png").image)
        program("denoise", INPUTS / "photo.png", "-o", self.folder / "fast.png", "--fast", "--method", "wiener")
        self.assertSame(lacuna.denoise(photo.image, fast=True), lacuna.read(self.folder / "fast.png").image)
        program("denoise", INPUTS / "render.exr", "-o", self.folder / "clean.exr", "--method", "svgf")
        render = lacuna.read(INPUTS / "render.exr")
        self.assertSame(lacuna.denoise(render, method="svgf"), lacuna.read(self.folder / "clean.exr").image)

    def test_the_lines_of_the_readme_run(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        program("denoise", INPUTS / "photo.png", "-o", "photo.jpg", "--strength", "0")
        lines = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
        self.assertIn("import lacuna", lines)
        exec(lines, {})
        self.assertEqual(lacuna.read("clean.jpg").image.shape, lacuna.read("photo.jpg").image.shape)

    def test_rows_may_overlap(self):
        row = varied(1, 200)[0]
        rows = np.lib.stride_tricks.as_strided(row, (8, 13, 3), (12 * 12, 12, 4))
        self.assertSame(lacuna.denoise(rows, strength=0), np.ascontiguousarray(rows))

    def test_numpy_files_hold_the_array(self):
        for dtype in (np.float32, np.float16, np.uint8, np.uint16):
            for components in (1, 3, 4):
                image = varied(9, 13, components, dtype)
                image = image[..., 0] if components == 1 else image
                lacuna.write(self.folder / "a.npy", image)
                self.assertSame(np.load(self.folder / "a.npy"), image)
                self.assertSame(lacuna.read(self.folder / "a.npy").image, image)
                lacuna.write(self.folder / "b.npy", image, like=INPUTS / "photo.png")
                self.assertSame(np.load(self.folder / "b.npy"), image)

    def test_graphs_give_the_bits_of_the_program(self):
        image = varied(37, 59, 4)
        np.save(self.folder / "in.npy", image)
        text = ("lacuna:1\nmodule:i-npy:in\nmodule:eaw:01\nmodule:o-npy:out\nparam:i-npy:in:filename:\"in.npy\"\nparam:i-npy:in:colour:rec709\n"
                f"param:o-npy:out:filename:\"{self.folder}/out.npy\"\nparam:eaw:01:precision:f32\n"
                "connect:i-npy:in:output:eaw:01:input\nconnect:eaw:01:output:o-npy:out:input\n")
        (self.folder / "g.cfg").write_text(text)
        program("run", self.folder / "g.cfg")
        self.assertSame(around("eaw", precision="f32").run(image), np.load(self.folder / "out.npy"))
        os.remove(self.folder / "out.npy")
        self.assertEqual(lacuna.Graph.from_file(self.folder / "g.cfg").run_files(progress=lambda *now: self.assertEqual(now[:2], (1, 1))), 1)
        self.assertSame(around("eaw", precision="f32").run(image), np.load(self.folder / "out.npy"))

    def test_files_come_back_as_they_were(self):
        for dtype, name in [(np.uint8, "a.png"), (np.uint16, "a.png"), (np.float32, "a.pfm"), (np.float16, "a.exr")]:
            with self.subTest(dtype=dtype):
                image = varied(13, 17, dtype=dtype)
                lacuna.write(self.folder / name, image)
                self.assertSame(lacuna.read(self.folder / name).image.astype(dtype), image)
        render = lacuna.read(INPUTS / "render.exr")
        self.assertEqual([render.albedo.shape, render.normal.shape, render.depth.shape, render.motion], [(200, 320, 3), (200, 320, 3), (200, 320), None])
        self.assertIn("path-traced room", render.metadata["comments"])
        lacuna.write(self.folder / "b.exr", render.image, like=render, depth=render.depth)
        kept = lacuna.read(self.folder / "b.exr")
        self.assertSame(kept.depth, render.depth)
        self.assertEqual(kept.metadata["comments"], render.metadata["comments"])
        self.assertTrue(lacuna.Picture(render.image[:8, :8])._repr_png_().startswith(b"\x89PNG"))

    def test_a_name_is_the_name_of_one_file(self):
        names = ["100%.png", "x##.png", "a%04d.png", "b#.png", "%%.png", "%#.png", "%z.png", "e[0-9].png", "f{stem}.png"]
        for number, name in enumerate(names):
            path, image = self.folder / "names" / name, varied(5, 7, dtype=np.uint8) + np.uint8(number)
            lacuna.write(path, image)
            self.assertSame(lacuna.read(path).image, image)
            lacuna.write(self.folder / "like.png", image, like=path)
            lacuna.write(self.folder / "like.png", image, like=lacuna.read(path))
        self.assertEqual(sorted(each.name for each in (self.folder / "names").glob("*.png")), sorted(names))

    def test_compare_is_that_of_the_program(self):
        import json
        noisy, reference = INPUTS / "render.exr", INPUTS / "render-reference.exr"
        printed = json.loads(program("compare", noisy, reference, "--json"))
        found = lacuna.compare(lacuna.read(noisy).image, lacuna.read(reference).image)
        for name, own in {"max_relative_error": "maxRelativeError", "mean_relative_error": "meanRelativeError",
                          **{each: each for each in ("relMSE", "PSNR", "SSIM", "FLIP")}}.items():
            self.assertAlmostEqual(found[name], printed[own], places=6)

    def test_what_is_said_of_modules_is_the_program_s(self):
        words = [text.split() for text in (repr(lacuna.describe("eaw")), program("describe", "eaw"))]
        self.assertEqual(*words)  # the program breaks lines for a terminal
        self.assertIn("eaw", lacuna.modules())
        for word in ("albedo", "strength", "sRGB", "Raises lacuna.Error"):
            self.assertIn(word, pydoc.render_doc(lacuna.denoise))


class Arrays(Test):
    def test_formats_and_strides(self):
        graph = around("exposure", stops=0)
        for dtype in (np.float16, np.float32):
            image = varied(19, 23, dtype=dtype)
            padded = np.zeros((19, 40, 5), dtype)
            padded[:, 3:26, 1:4] = image
            fortran = np.asfortranarray(image)
            read_only = image.view()
            read_only.flags.writeable = False
            bgr = np.ascontiguousarray(image[..., ::-1])
            for each in (image, padded[:, 3:26, 1:4], image[::-1][::-1], fortran, read_only, bgr[..., ::-1], memoryview(image)):
                each = np.asarray(each)
                self.assertSame(graph.run(each), image)
            self.assertSame(graph.run(image[::-1]), np.ascontiguousarray(image[::-1]))
            self.assertSame(graph.run(image[:, ::-1]), np.ascontiguousarray(image[:, ::-1]))
            self.assertSame(graph.run(image[::2, ::3]), np.ascontiguousarray(image[::2, ::3]))

    def test_matrices_are_images(self):
        grey = varied(9, 7, 1)[..., 0]
        with self.assertWarns(PendingDeprecationWarning):  # NumPy's, of matrices
            matrix = np.matrix(grey)
        self.assertSame(lacuna.denoise(matrix, method="eaw"), lacuna.denoise(grey, method="eaw"))

    def test_results_are_like_the_image(self):
        for dtype in (np.uint8, np.uint16, np.float16, np.float32):
            for shape in ((16, 20, 3), (16, 20, 4), (16, 20, 1), (16, 20), (1, 1, 3), (1, 17, 3)):
                image = varied(16, 20, 4, dtype)[:shape[0], :shape[1], :shape[2] if len(shape) > 2 else 1].reshape(shape)
                with self.subTest(dtype=dtype, shape=shape):
                    same = lacuna.denoise(image, strength=0)
                    self.assertEqual((same.shape, same.dtype), (image.shape, image.dtype))
                    self.assertLess(np.abs(same.astype(float) - image).max(), 2e-3 * float(image.max()))
                    out = np.zeros_like(image)
                    self.assertIs(lacuna.denoise(image, strength=0, out=out), out)
                    self.assertSame(out, same)

    def test_alpha_of_samples_is_denoised(self):
        random = np.random.default_rng(61)
        image = varied(60, 80, 4, np.float32) * random.uniform(0, 2, (60, 80, 1)).astype(np.float32)
        image[..., 3] = 1
        opaque = lacuna.denoise(image)
        self.assertTrue((opaque[..., 3] == 1).all())
        image[..., 3] = random.uniform(0, 1, (60, 80)) < .5
        noisy = lacuna.denoise(image)
        self.assertLess(noisy[..., 3].std(), .2)
        self.assertLess(abs(noisy[..., 3].mean() - .5), .05)
        self.assertSame(noisy[..., :3], opaque[..., :3])

    def test_opaque_frames_keep_the_history(self):
        random = np.random.default_rng(62)
        frames = [random.uniform(0, 2, (60, 80, 4)).astype(np.float32) for _ in range(2)]
        motion = np.zeros((60, 80, 2), np.float32)
        results = []
        for alpha in (.5, 1):
            frames[0][..., 3] = alpha
            frames[1][..., 3] = .5
            denoiser = lacuna.Denoiser(method="svgf")
            results.append([denoiser(frame, motion=motion)[..., :3] for frame in frames][1])
        self.assertSame(*results)
        self.assertGreater(np.abs(results[0] - lacuna.Denoiser(method="svgf")(frames[1], motion=motion)[..., :3]).max(), .001)

    def test_a_gap_cuts_the_history(self):
        random = np.random.default_rng(63)
        frames = [random.uniform(0, 2, (60, 80, 3)).astype(np.float32) for _ in range(3)]
        motion = np.zeros((60, 80, 2), np.float32)
        whole, gap, alone = (lacuna.Denoiser(method="svgf") for _ in range(3))
        for number, frame in enumerate(frames, -1):
            result = whole(frame, motion=motion, frame=number)
        gap(frames[0], motion=motion, frame=0)
        with self.assertWarnsRegex(UserWarning, "frame 3 doesn't follow frame 0: history begins again"):
            cut = gap(frames[2], motion=motion, frame=3)
        self.assertSame(cut, alone(frames[2], motion=motion))
        self.assertGreater(np.abs(cut - result).max(), .001)
        self.assertSame(gap(frames[1], motion=motion), alone(frames[1], motion=motion))
        with self.assertWarnsRegex(UserWarning, "size, type or planes differ"):
            gap(frames[1][:40], motion=motion[:40])

    def test_dlpack_of_host_memory(self):
        class Tensor:
            def __init__(self, array):
                self.array = array

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

        image = varied(9, 7)
        self.assertSame(lacuna.denoise(Tensor(image), method="eaw"), lacuna.denoise(image, method="eaw"))
        self.assertSame(np.from_dlpack(lacuna.denoise(image, method="eaw")), lacuna.denoise(image, method="eaw"))


class Graphs(Test):
    def test_are_built_as_they_are_written(self):
        graph = lacuna.Graph()
        source = graph.add("i-memory", "noisy")
        node = graph.add("eaw", input=source.output, levels=4)
        node.gains = [1, 2]
        graph.add("o-memory", input=node.output)
        self.assertEqual((node.levels, node.gains, str(node.output), node.precision), (4, [1, 2], "eaw:01:output", "f16"))
        self.assertEqual(graph.text().splitlines(), ["lacuna:1", "module:i-memory:noisy", "module:eaw:01", "param:eaw:01:levels:4", "param:eaw:01:gains:1:2",
                                                     "connect:i-memory:noisy:output:eaw:01:input", "module:o-memory:01", "connect:eaw:01:output:o-memory:01:input"])
        image = varied(24, 32)
        self.assertSame(lacuna.Graph(graph.text()).run(image), graph.run(noisy=image))
        self.assertSame(lacuna.Graph(graph.text(), parameters={"eaw:01:levels": 2}).run(image), around("eaw", levels=2, gains=[1, 2]).run(image))

    def test_feedback_goes_on_over_calls(self):
        images = [varied(8, 9, 4, seed=i) for i in range(4)]
        graph = around("accum")
        means = list(graph.frames(images))
        for i, mean in enumerate(means):
            np.testing.assert_allclose(mean, np.mean(images[:i + 1], axis=0), rtol=2e-3)
        self.assertSame(graph.run(images[0]) if graph.restart() is None else None, means[0])

    def test_sequences_are_those_of_one_after_the_other(self):
        frames = [lacuna.read(INPUTS / f"shot_{i}.exr") for i in range(1, 4)]
        denoiser = lacuna.Denoiser()
        first = [denoiser(frame) for frame in frames]
        denoiser.restart()
        self.assertSame(denoiser(frames[0]), first[0])
        self.assertSame(denoiser(frames[1]), first[1])
        self.assertFalse((first[1] == lacuna.Denoiser()(frames[1])).all())


class Plans(Test):
    """Calls share a pipeline only where all that it was made of is equal."""

    def test_of_a_graph_follow_each_change(self):
        graph = lacuna.Graph()
        node = graph.add("exposure", input=graph.add("i-memory", "in").output, stops=1)
        graph.add("o-memory", "out", input=node.output)

        def assertTimes(factor, image):
            np.testing.assert_allclose(graph.run(image)[..., :3], factor * image[..., :3].astype(np.float32), rtol=2e-3)

        half = varied(9, 7, dtype=np.float16)
        for image in (half, half.astype(np.float32), varied(7, 9), varied(7, 9, 4)):
            assertTimes(2, image)
        node.stops = 2
        assertTimes(4, image)
        graph.set("exposure:01:stops", 3)
        assertTimes(8, image)
        graph.set("exposure:01:stops", 0)
        assertTimes(1, image)

    def test_of_a_graph_follow_a_filter_that_replaces_one_of_its_name(self):
        def make(weights):
            lacuna.stencil("replaced", "float weight(vec4 centre, vec4 tap, Offset o) { return 1.0; }", radius=1, weights=weights)

        image = varied(7, 9)
        make([0, 1, 0])
        graph = around("replaced")
        np.testing.assert_allclose(graph.run(image), image, rtol=1e-5)
        make([1, 1, 1])
        mean = graph.run(image)
        self.assertGreater(abs(mean - image).max(), .01)
        self.assertSame(mean, around("replaced").run(image))

    def test_of_denoise_are_for_its_strength_and_its_picture(self):
        image = varied(9, 12)
        calls = [(image, 1), (image, .5), (image, 2), (image.astype(np.float16), 1), (varied(12, 9), 1)]
        first = [lacuna.denoise(each, strength=strength, method="eaw") for each, strength in calls]
        self.assertEqual(len({result.tobytes() for result in first}), len(calls))
        for (each, strength), result in reversed(list(zip(calls, first))):
            self.assertSame(lacuna.denoise(each, strength=strength, method="eaw"), result)
        opened = lacuna.Device()
        self.assertSame(lacuna.denoise(image, method="eaw", device=opened), first[0])
        opened.close()
        self.assertSame(lacuna.denoise(image, method="eaw"), first[0])
        self.error(lambda: lacuna.denoise(image, method="eaw", device=opened), "closed")


class Filters(Test):
    BODY = """
float weight(vec4 centre, vec4 tap, Offset o) {
  vec3 d = (tap.rgb - centre.rgb) / param.edge;
  return exp2(-dot(d, d));
}"""

    def test_run_under_every_schedule_with_one_result(self):
        soft = lacuna.stencil("soft", self.BODY, radius=2, weights=[1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16], levels=2, edge=0.1)
        image = varied(40, 53)
        result = soft(image)
        names = soft.schedules(image)
        self.assertGreater(len(names), 10)
        self.assertEqual(names[0], around("soft", edge=0.1, levels=2).filters(image)[0]["schedule"])
        for name in {each.split("@")[0].split("/")[0]: each for each in names}.values():
            with self.subTest(schedule=name):
                self.assertSame(soft(image, schedule=name), result)
        self.assertFalse((soft(image, edge=0.3) == result).all())
        self.assertSame(around("soft", edge=0.3).run(image), soft(image, edge=0.3))

    def test_weigh_as_they_are_written(self):
        plain = lacuna.stencil("plain", "float weight(vec4 centre, vec4 tap, Offset o) { return 1.0; }", radius=1)
        image = varied(7, 9)
        padded = np.pad(image, ((1, 1), (1, 1), (0, 0)))
        sums = sum(padded[y:y + 7, x:x + 9] for y in range(3) for x in range(3))
        counts = sum(np.pad(np.ones((7, 9, 1)), ((1, 1), (1, 1), (0, 0)))[y:y + 7, x:x + 9] for y in range(3) for x in range(3))
        np.testing.assert_allclose(plain(image), sums / counts, rtol=1e-5)


class Threads(Test):
    def together(self, work):
        """What eight threads return that call work(i) at the same moment, and take turns at every step."""
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        begin, results = threading.Barrier(8), [None] * 8

        def call(i):
            begin.wait()
            results[i] = work(i)

        threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def test_eight_at_once(self):
        images = [varied(60, 80, seed=i % 3) for i in range(8)]
        expected = [lacuna.denoise(image, method="eaw", strength=1 + i % 2) for i, image in enumerate(images)]
        for i, found in enumerate(self.together(lambda i: [lacuna.denoise(images[i], method="eaw", strength=1 + i % 2) for _ in range(5)])):
            for each in found or self.fail(f"thread {i}"):
                self.assertSame(each, expected[i])

    def test_eight_first_calls_at_once(self):
        images = [varied(40 + i, 50, dtype=(np.uint8, np.float16)[i % 2], seed=i) for i in range(8)]
        for i, found in enumerate(self.together(lambda i: lacuna.denoise(images[i], method="eaw"))):
            self.assertSame(found, lacuna.denoise(images[i], method="eaw"))

    def test_eight_share_a_filter_and_make_others(self):
        body, image = "float weight(vec4 centre, vec4 tap, Offset o) { return exp2(-param.edge * distance(tap.rgb, centre.rgb)); }", varied(20, 30)
        soft = lacuna.stencil("shared", body, radius=1, edge=1)
        expected = [soft(image, edge=i) for i in range(8)]

        def work(i):
            own = lacuna.stencil(f"own{i}", body, radius=1, edge=i)
            return [soft(image, edge=i), own(image), soft(image, edge=i)]

        for i, found in enumerate(self.together(work)):
            for each in found or self.fail(f"thread {i}"):
                self.assertSame(each, expected[i])

    def test_eight_with_a_device_that_one_closes(self):
        device, image = lacuna.Device(), varied(60, 80)
        expected = lacuna.denoise(image, method="eaw")

        def work(i):
            for _ in range(20):
                try:
                    self.assertSame(lacuna.denoise(image, method="eaw", device=device), expected)
                except lacuna.Error as error:
                    return str(error)
                if i == 0:
                    device.close()
            return "never"

        for found in self.together(work):
            self.assertIn("the device is closed", found)

    def test_others_run_meanwhile(self):
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        lacuna.denoise(varied(60, 80), method="eaw")
        thread.start()
        before = counted[0]
        lacuna.denoise(varied(600, 800), method="eaw")
        done.set()
        thread.join()
        self.assertGreater(counted[0], before + 1000)

    def test_handlers_of_signals_may_call(self):
        small, found = varied(6, 8), []
        previous = signal.signal(signal.SIGALRM, lambda *_: found.append(lacuna.denoise(small, method="eaw")))
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, 0.01)  # while the first call opens its pipeline
        lacuna.denoise(varied(200, 201), method="eaw")
        self.assertSame(found[0], lacuna.denoise(small, method="eaw"))


class Costs(Test):
    def test_calls_add_little_to_what_runs(self):
        inside, run = [], lacuna._core.Pipeline.run

        def timed(*arguments):
            begun = time.perf_counter()
            run(*arguments)
            inside.append(time.perf_counter() - begun)

        added, image = [], varied(1080, 1920)
        with unittest.mock.patch.object(lacuna._core.Pipeline, "run", timed):
            for _ in range(5):
                begun = time.perf_counter()
                lacuna.denoise(image, method="eaw", strength=0)
                added.append(time.perf_counter() - begun - inside[-1])
        self.assertLess(min(added), 0.03)

    def test_memory_stays_over_many_calls(self):
        image = varied(30, 40, dtype=np.uint8)
        for strength, count in ((0, 1000), (1, 1000 if os.environ.get("LACUNA_TEST_ALL") else 50)):
            def call(times):
                for _ in range(times):
                    lacuna.denoise(image, method="eaw", strength=strength)
                return resident()

            before = call(count // 5)
            self.assertLess(call(count), 1.01 * before)


if __name__ == "__main__":
    unittest.main()
