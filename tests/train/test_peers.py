#!/usr/bin/env python3
"""Tests of what compares Lacuna with other denoisers and renders scenes to judge by: tests/train/test_peers.py. None of their packages is
needed: peers are made up. With LACUNA_PROGRAM=build/release/lacuna pictures are scored, too. Without NumPy the exit code is 77."""

import ast
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy
except ImportError as error:
    print("skipped: %s" % error)
    sys.exit(77)

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")
sys.path.insert(0, os.path.join(TOOLS, "train"))
import history_measures
import judge_moving
import judge_peers
import judge_stills
import render_mitsuba
import oidn

EYE, TARGET = (0, -5, 2), (0, 0, 2)  # looks to +y: right is +x, down is -z
PROGRAM = os.environ.get("LACUNA_PROGRAM")


def load_tool(name):
    loader = importlib.machinery.SourceFileLoader("tool_" + name, os.path.join(TOOLS, name))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(made)
    return made


def near(found, expected, **tolerance):
    numpy.testing.assert_allclose(found, expected, **{"atol": 1e-9, **tolerance})


class Conversions(unittest.TestCase):
    def test_axes_are_right_down_along(self):
        near(render_mitsuba.axes(EYE, TARGET), [(1, 0, 0), (0, 0, -1), (0, 1, 0)])
        turned = render_mitsuba.axes((0, 0, 0), (3, 4, 0))
        near(turned, [(.8, -.6, 0), (0, 0, -1), (.6, .8, 0)])

    def test_depth_is_along_the_axis(self):
        point = numpy.array([[[3.0, 0, 6]]])  # sqrt(50) along the ray
        near(render_mitsuba.planar_depth(point, numpy.ones((1, 1)), EYE, TARGET), [[5]])

    def test_depth_is_of_the_samples_that_met_something(self):
        position = numpy.array([[(3.0, 0, 6), (1.5, 0, 3), (0, 0, 0)]])  # the second: half of the samples, the third: none
        near(render_mitsuba.planar_depth(position, numpy.array([[1, .5, 0]]), EYE, TARGET), [[5, 5, 0]])

    def test_projection(self):
        points = numpy.add(EYE, [[0, 3, 0], [1, 2, .5], [-2, 2, -1]])
        near(render_mitsuba.projected(points, EYE, TARGET, 90, (200, 100)), [(100, 50), (150, 25), (0, 100)])
        degrees = 2 * math.degrees(math.atan(.5))  # half the width at distance 1 is .5
        near(render_mitsuba.projected(points[1:2], EYE, TARGET, degrees, (200, 100)), [(200, 0)])

    def moved(self, points, seen, eye=EYE, target=TARGET):
        return render_mitsuba.motion(points, seen, (EYE, TARGET, 90), (eye, target, 90))

    def test_motion_leads_to_the_last_frame(self):
        points, seen = numpy.add(EYE, numpy.zeros((100, 200, 1)) + (0.0, 4, 0)), numpy.ones((100, 200))
        near(self.moved(points, seen), numpy.zeros((100, 200, 2)))
        right, up = (.04, -5, 2), (0, -5, 2.04)  # the last camera; scale 100, distance 4: one pixel
        near(self.moved(points, seen, right, numpy.add(TARGET, (.04, 0, 0)))[50, 100], (-1, 0))
        near(self.moved(points, seen, up, numpy.add(TARGET, (0, 0, .04)))[50, 100], (0, 1))
        near(self.moved(points / 4, seen / 4, right, numpy.add(TARGET, (.04, 0, 0)))[50, 100], (-1, 0))

    def test_the_sky_moves_as_cameras_turn(self):
        none, seen = numpy.zeros((99, 199, 3)), numpy.zeros((99, 199))
        aside = self.moved(none, seen, (.04, -5, 2), numpy.add(TARGET, (.04, 0, 0)))
        near(aside, numpy.zeros((99, 199, 2)), atol=1e-5)
        turned = self.moved(none, seen, EYE, (.5, 0, 2))  # by atan(.1) to the right
        near(turned[49, 99], (-99.5 * .1, 0), atol=1e-5)

    def test_channels_are_those_that_denoise_reads(self):
        counts = {name: len(channels) for name, channels in render_mitsuba.PLANES.items()}
        planes = render_mitsuba.separated(numpy.zeros((4, 6, sum(counts.values()))))
        self.assertEqual({name: plane.shape[-1] for name, plane in planes.items()}, counts)
        planes["seen"][..., 3], planes["albedo"][..., 0], planes["position"][:] = 1, 16.5, (0, 1, 2)
        planes["nn"][0, 0] = math.nan
        made = render_mitsuba.layers(planes, (EYE, TARGET, 60), ((.1, -5, 2), TARGET, 60))
        self.assertEqual(sorted(made), sorted("R G B A Z albedo.R albedo.G albedo.B normal.X normal.Y normal.Z motion.X motion.Y".split()))
        self.assertTrue(all(plane.shape == (4, 6) and plane.dtype == numpy.float32 and numpy.isfinite(plane).all() for plane in made.values()))
        self.assertEqual((made["albedo.R"][0, 0], made["Z"][0, 0]), (1, 6))
        with self.assertRaises(AssertionError):
            render_mitsuba.separated(numpy.zeros((4, 6, 3)))


class Scenes(unittest.TestCase):
    def test_each_name_is_a_function(self):
        with open(os.path.join(TOOLS, "train", "mitsuba_scenes.py")) as file:
            functions = {node.name for node in ast.parse(file.read()).body if isinstance(node, ast.FunctionDef)}
        self.assertLessEqual(set(render_mitsuba.SCENES), functions)
        self.assertEqual((len(set(render_mitsuba.SCENES)), len(render_mitsuba.HELD_OUT)), (8, 4))

    def test_no_two_passes_share_a_seed(self):
        seeds = [seed + k for _, samples, seed in render_mitsuba.pictures(4096) for k in range(-(-samples // render_mitsuba.AT_ONCE))]
        self.assertEqual(len(seeds), len(set(seeds)))

    def test_the_table_of_pictures_has_all(self):
        rows = judge_peers.read_table(os.path.join(TOOLS, "train", "mitsuba.csv"))
        expected = {(scene, file + ".exr", str(samples), str(seed)) for scene in render_mitsuba.SCENES for file, samples, seed in render_mitsuba.pictures(render_mitsuba.REFERENCE)}
        self.assertEqual({(row["scene"], row["file"], row["samples"], row["seed"]) for row in rows}, expected)
        self.assertEqual(len({row["sha256 of pixels"] for row in rows}), len(rows))

    def test_unknown_scenes_are_refused(self):
        done = subprocess.run([sys.executable, os.path.join(TOOLS, "train", "render_mitsuba.py"), "--out", "none", "amber", "rooms"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no scene 'rooms'; there are frosted, mosaic, ", done.stdout)


class Oidn(unittest.TestCase):
    PRINTED = "".join("%s\nFilter: RT\nMemory usage: %d\n" % (method, {"high": 62, "balanced": 62, "fast": 34}[oidn.parts(method)[1]])
                      for method in oidn.METHODS).replace("prefiltered-high\n", "prefiltered-high\nMemory usage: 99\nMemory usage: 87\nX: 1\n").replace("X: 1\nFilter: RT\nMemory usage: 62\n", "")

    def test_networks_follow_from_memory(self):
        found = oidn.named_networks(self.PRINTED)
        self.assertEqual(found["oidn-prefiltered-high"], "rt_hdr_calb_cnrm_large")
        self.assertEqual(found["oidn-guided-high"], found["oidn-guided-balanced"])
        self.assertEqual([found["oidn-colour-" + quality] for quality in oidn.QUALITIES], ["rt_hdr", "rt_hdr", "rt_hdr_small"])

    def test_other_output_is_an_error(self):
        for text, expected in ((self.PRINTED.replace("Memory usage: 34", "Memory usage: 62"), "9 methods and 2 sizes"), ("", "0 methods and 0 sizes")):
            with self.assertRaisesRegex(RuntimeError, expected):
                oidn.named_networks(text)


class Fake:
    """Methods that know the result."""
    methods, version = ("right", "dim"), "Fake 1.0"

    def __init__(self, truth):
        self.truth = truth

    def denoised(self, _, method):
        return self.truth * {"right": 1, "dim": .9}[method]

    def networks(self):
        return {"dim": "net"}

    def seconds(self, _, method, runs):
        return [(.5 + k, {"right": .75, "dim": .25}[method]) for k in range(runs)]


@unittest.skipUnless(PROGRAM, "LACUNA_PROGRAM isn't set")
class Scoring(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        planes, draw = judge_peers.made_up(64, 64), numpy.random.Generator(numpy.random.PCG64(2))
        self.truth = planes["albedo"]
        for name, noise in (("4", .4), ("64", .1), ("reference-a", .01), ("reference-b", .01)):
            os.makedirs(os.path.join(self.folder, "frosted"), exist_ok=True)
            planes["output"] = self.truth + draw.normal(0, noise, self.truth.shape).astype("f4")
            judge_peers.write_exr(PROGRAM, planes, os.path.join(self.folder, "frosted", name + ".exr"))
        self.scene = judge_peers.Scene("frosted", "Mitsuba, development", self.folder)

    def test_figures_are_those_of_known_errors(self):
        with tempfile.TemporaryDirectory() as out:
            rows = judge_peers.score(PROGRAM, self.scene, [Fake(self.truth)], out, methods=())
        found = {(row["samples"], row["method"]): row for row in rows}
        self.assertEqual(list(found), [(samples, method) for samples in ("4", "64") for method in ("noisy", "right", "dim")])
        self.assertEqual(found["4", "noisy"]["factor"], 1)
        dim, noisy, right = found["4", "dim"], found["4", "noisy"], found["4", "right"]
        near([dim["mean"], dim["red"], dim["green"], dim["blue"], dim["blocks"]], [.1, -.1, -.1, -.1, .1], atol=1e-3)
        expected = ((.1 * self.truth) ** 2 / (self.truth ** 2 + .01)).mean()
        near(dim["relMSE"], expected, rtol=.01)
        near(dim["factor"], noisy["relMSE"] / expected, rtol=.01)
        near(noisy["relMSE"], (.16 / (self.truth ** 2 + .01)).mean(), rtol=.05)
        self.assertLess(right["mean"], 1e-3)
        self.assertGreater(abs(right["factor"]), 1000)
        self.assertTrue(noisy["FLIP"] > dim["FLIP"] > right["FLIP"] and noisy["SSIM"] < dim["SSIM"] < right["SSIM"])
        self.assertGreater(noisy["relMSE"], 10 * found["64", "noisy"]["relMSE"])

    def test_the_program_skips_and_counts(self):
        path, printed = os.path.join(self.folder, "peers.csv"), io.StringIO()
        words = ["judge_peers.py", "--lacuna", PROGRAM, "--mitsuba", self.folder, "--cycles", "none", "--shared", "none", "--csv", path]
        with mock.patch.object(sys, "argv", words), mock.patch.dict(judge_peers.LACUNA, clear=True), mock.patch.object(judge_peers.score, "__defaults__", ((),)), \
                contextlib.redirect_stdout(printed):
            self.assertEqual(judge_peers.main([Fake(self.truth)]), 0)
        self.assertRegex(printed.getvalue(), r"skipped: 15 scenes without pictures: room .* table\n")
        self.assertIn("| Mitsuba, development (1) | dim | ", printed.getvalue())
        with open(path) as file:
            self.assertRegex(file.readline(), r"^# Lacuna \S+ \(.+\), Fake 1\.0; \d+ cores of .+; \d{4}-\d\d-\d\d$")
        rows = judge_peers.read_table(path)
        self.assertEqual([(row["samples"], row["method"], row["network"]) for row in rows][:3], [("4", "noisy", ""), ("4", "right", ""), ("4", "dim", "net")])
        self.assertEqual(judge_peers.duels(rows, "right", "dim")[:2], ({name: 2 for name in judge_peers.BETTER}, 2))


def lit(frames=9, height=40, width=64):
    """Light that moves over a still wall, and its planes; a box's front covers more of it in each frame."""
    x, t = numpy.arange(width), numpy.arange(frames)
    light = numpy.repeat((.5 + .2 * numpy.sin(.5 * x[None] - .6 * t[:, None]))[:, None, :, None], height, 1)
    light = numpy.repeat(light, 3, 3) * [1, .8, .6]
    depth = numpy.where(x[None, None] < 3 * t[:, None, None] + 3, 1.0, 4.0) * numpy.ones((frames, height, 1))
    return light, {"albedo": numpy.full_like(light, .5), "normal": numpy.zeros_like(light) + [0, 0, 1.0], "depth": depth,
                   "motion": numpy.zeros((*light.shape[:3], 2))}


def lagging(light):
    return numpy.stack([light[max(k - 3, 0):k + 1].mean(0) for k in range(len(light))])


class History(unittest.TestCase):
    def setUp(self):
        self.light, planes = lit()
        draw = numpy.random.Generator(numpy.random.PCG64(2))
        self.noisy = self.light * draw.exponential(1, self.light.shape)
        self.truth = history_measures.Sequence(*(self.light + draw.normal(0, .01, self.light.shape) for _ in range(2)), planes)

    def scores(self, x):
        return self.truth.scores(x, self.noisy, 5)

    def test_the_truth_has_all(self):
        scores = self.scores(self.light)
        for name in ("detail", "change"):
            self.assertAlmostEqual(scores[name], 1, delta=.03)
        self.assertLess(scores["colour"], .003)
        self.assertGreater(min(scores["relmse"], scores["still"]), 100)

    def test_light_that_lags_loses_detail_and_change(self):
        # The mean of four frames, of .6 radians each: sin(1.2) / (4 sin(.3)), .9 radians late.
        expected = math.sin(1.2) / (4 * math.sin(.3)) * math.cos(.9)
        scores = self.scores(lagging(self.light))
        for name in ("detail", "change"):
            self.assertAlmostEqual(scores[name], expected, delta=.06)
        self.assertLess(scores["along"], self.scores(self.light)["along"] / 2)

    def test_noise_is_no_detail(self):
        draw = numpy.random.Generator(numpy.random.PCG64(3))
        scores = self.scores(numpy.maximum(self.light.mean(0) + draw.normal(0, .02, self.light.shape), 0))
        self.assertLess(abs(scores["detail"]), .1)

    def test_errors_of_revealed_surfaces_and_single_frames(self):
        wrong = self.light * 1.02
        for k in range(1, len(wrong)):
            wrong[k][:, 3 * k:3 * k + 3] *= 1.2  # what the box covers anew
        self.assertGreater(self.scores(wrong)["revealed"], 5)
        red = self.light.copy()
        red[7, ..., 0] *= .9
        self.assertAlmostEqual(self.scores(red)["colour"], .1, delta=.003)
        self.assertAlmostEqual(self.scores(red)["colours"][6], 0, delta=.003)

    @unittest.skipUnless(PROGRAM, "LACUNA_PROGRAM isn't set")
    def test_sequences_are_denoised_and_shown(self):
        light, planes = lit(7, 32, 32)
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(folder, "data", "wall")
            os.makedirs(scene)
            colours = {"noisy": self.noisy[:7, :32, :32], "reference-a": light, "reference-b": light}
            for name, colour in colours.items():
                found = {"input": colour, **(planes if name == "noisy" else {})}
                for plane, array in found.items():
                    for k in range(7):
                        numpy.save(os.path.join(scene, "%s_%d.npy" % (plane, k + 1)), array[k].astype("f4"))
                kinds = {"input": "rgb", "albedo": "rgb", "normal": "normal", "depth": "depth", "motion": "mv"}
                lines = ["lacuna:1", "module:o-exr:01", "param:o-exr:01:first:1", 'param:o-exr:01:filename:"%s_%%04d.exr"' % name]
                for plane in found:
                    lines += ["module:i-npy:" + plane, "param:i-npy:%s:first:1" % plane, 'param:i-npy:%s:filename:"%s_%%d.npy"' % (plane, plane),
                              "param:i-npy:%s:channels:%s" % (plane, kinds[plane]), "connect:i-npy:%s:output:o-exr:01:%s" % (plane, plane)]
                with open(os.path.join(scene, name + ".cfg"), "w") as file:
                    file.write("\n".join(lines) + "\n")
                subprocess.run([PROGRAM, "run", "-q", name + ".cfg", "--frames", "1-7"], check=True, cwd=scene)
            out = os.path.join(folder, "out")
            words = ["judge_moving.py", "--data", os.path.join(folder, "data"), "--lacuna", PROGRAM, "--out", out, "--methods", "denoise", "svgf"]
            with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(io.StringIO()) as printed:
                judge_moving.main()
            rows = printed.getvalue().splitlines()
            self.assertEqual([row.split(" | ")[:2] for row in rows[2:]], [["| wall", "denoise"], ["| wall", "svgf"]])
            self.assertGreater(float(rows[2].split(" | ")[2]), 2)  # times less relMSE
            self.assertTrue(os.path.exists(os.path.join(out, "wall.jpg")))


class Tables(unittest.TestCase):
    ROWS = [{"scene": scene, "group": "Cycles", "samples": samples, "method": method, "factor": factor, "relMSE": 1 / factor, "SSIM": ssim, "FLIP": .1,
             "mean": .02, "blocks": .03} for scene, samples, method, factor, ssim in
            (("a", "1", "lacuna", 8.0, .5), ("b", "1", "lacuna", 2.0, .7), ("a", "1", "oidn-prefiltered-high", 9.0, .8), ("b", "1", "oidn-prefiltered-high", 1.0, .9))]

    def test_means(self):
        first, second = judge_peers.summary(self.ROWS)
        self.assertEqual((first["method"], first["scenes"], list(first["factors"])), ("lacuna", 2, ["1"]))
        near([first["factors"]["1"], first["SSIM"], second["factors"]["1"], second["SSIM"]], [4, .6, 3, .85])
        self.assertEqual(judge_peers.table(self.ROWS).splitlines()[2], "| Cycles (2) | lacuna | 4.0 |  |  |  | 0.600 | 0.100 | 2.0% | 3.0% |")
        won, count, median = judge_peers.duels(self.ROWS)
        self.assertEqual((won, count), ({"relMSE": 1, "SSIM": 0, "FLIP": 0, "mean": 0, "blocks": 0}, 2))
        near(median, (9 / 8 + 1 / 2) / 2)
        near(judge_peers.geometric([4, -1, 2]), 2)

    def test_files_keep_four_digits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.csv")
            judge_peers.write_table(path, [{"scene": "a", "factor": 12.34567}], "of a test")
            self.assertEqual(judge_peers.read_table(path), [{"scene": "a", "factor": "12.35"}])

    def test_what_ships_is_whole(self):
        rows = judge_peers.read_table(os.path.join(TOOLS, "train", "peers.csv"))
        self.assertLessEqual(set(render_mitsuba.SCENES), {row["scene"] for row in rows})
        methods = {"noisy", *judge_peers.LACUNA, *oidn.METHODS}
        for scene in render_mitsuba.SCENES:
            self.assertEqual({(row["samples"], row["method"]) for row in rows if row["scene"] == scene}, {(samples, method) for samples in judge_peers.SAMPLES for method in methods})


class Times(unittest.TestCase):
    def test_a_picture_is_what_a_batch_takes_longer(self):
        walls = iter([9, 3, 4, 11, 13])  # filling caches; one file, twice; all files, twice
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(judge_peers, "write_exr", lambda _, __, path: open(path, "w").close()), \
                mock.patch.object(judge_peers, "batch_seconds", lambda words: (float(wall := next(walls)), 2.0 * wall)) as _:
            found = judge_peers.lacuna_seconds("lacuna", {}, "lacuna", folder, 4, 2)
        self.assertEqual(found, (2, 4))
        self.assertEqual(judge_peers.least([(2, 5), (3, 4)]), (2, 4))

    def test_each_method_has_its_network_and_load(self):
        with mock.patch.object(judge_peers, "lacuna_seconds", lambda *_: (1.0, 2.0)):
            rows = list(judge_peers.times("lacuna", [Fake(0)], {"dim": "net"}, {(8, 4): 4}, 2))
        self.assertEqual([row["method"] for row in rows], [*judge_peers.TIMED, "right", "dim"])
        self.assertEqual((rows[0]["wall seconds"], rows[-1]["wall seconds"], rows[-1]["processor seconds"], rows[-1]["network"]), (1, .5, .25, "net"))
        self.assertTrue(all((row["width"], row["height"]) == (8, 4) and row["load before"] >= 0 for row in rows))


class Command(unittest.TestCase):
    peers = load_tool("peers")

    @staticmethod
    def installed(words):
        """In place of `attempt`."""
        if "venv" in words:
            os.makedirs(words[-1])

    def run_main(self, words, attempt=installed):
        errors, printed = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "argv", ["peers", "--folder", folder, *words]), contextlib.redirect_stderr(errors), \
                contextlib.redirect_stdout(printed), mock.patch.object(self.peers, "attempt", side_effect=attempt):
            try:
                code = self.peers.main()
            except SystemExit as exit:
                code = exit.code
        return code, printed.getvalue(), errors.getvalue()

    def test_without_packages_it_is_skipped(self):
        code, _, errors = self.run_main([], self.peers.Unavailable("no network"))
        self.assertEqual((code, errors), (77, "tools/peers: skipped: 1: packages of tools/peers-wheels can't be installed: no network\n"))

    def test_prints_the_python(self):
        code, printed, _ = self.run_main(["--environment"])
        self.assertEqual(code, 0)
        self.assertRegex(printed, r"/python-[0-9a-f]{16}/bin/python\n$")

    def test_a_missing_program_is_named(self):
        code, _, errors = self.run_main(["--lacuna", "none/lacuna"])
        self.assertEqual(code, 2)
        self.assertIn("no program none/lacuna; build it, or name it with --lacuna", errors)

    def test_options_are_passed_on(self):
        with mock.patch.object(self.peers.subprocess, "run") as run:
            self.run_main(["--lacuna", __file__, "--scenes", "frosted", "room", "--only-times"])
        command = run.call_args.args[0]
        self.assertEqual((command[1][-14:], command[-4:]), ("judge_peers.py", ["--times", "--scenes", "frosted", "room"]))
        with mock.patch.object(judge_peers.subprocess, "run") as run:
            judge_peers.render(["frosted"], "there")
            judge_peers.render([], "there")
        self.assertEqual([call.args[0][1:] for call in run.call_args_list], [[os.path.abspath(render_mitsuba.__file__), "frosted", "--out", "there"]])

    def test_pip_reports_why(self):
        with self.assertRaisesRegex(self.peers.Unavailable, "^ERROR: no such package$"):
            self.peers.attempt(["sh", "-c", "echo; echo WARNING: slow; echo ERROR: no such package; echo more; exit 1"])
        with self.assertRaisesRegex(SystemExit, "isn't the one whose hash"):
            self.peers.attempt(["sh", "-c", "echo ERROR: THESE PACKAGES DO NOT MATCH THE HASHES; exit 1"])

    def test_each_package_has_version_and_hash(self):
        with open(self.peers.WHEELS) as file:
            for line in file:
                self.assertRegex(line, r"^(#.*|[\w-]+==[\d.]+( --hash=sha256:[0-9a-f]{64})+)\n$")

    def test_scenes_that_are_not_there(self):
        with mock.patch.object(sys, "argv", ["judge_peers.py", "--lacuna", "x", "--scenes", "room", "den"]), contextlib.redirect_stderr(io.StringIO()) as errors, \
                mock.patch.object(judge_peers, "machine", lambda *_: ""), contextlib.redirect_stdout(io.StringIO()), self.assertRaises(SystemExit):
            judge_peers.main([Fake(0)])
        self.assertIn("no scene 'den'; there are room, textures, ", errors.getvalue())


if __name__ == "__main__":
    unittest.main(verbosity=1)
