#!/usr/bin/env python3
"""Tests of tools/train: tests/train/test_train.py. With LACUNA_PROGRAM=build/release/lacuna they render, too. Without PyTorch the
exit code is 77."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import torch
except ImportError as error:
    print("skipped: %s" % error)
    sys.exit(77)

import golden  # makes the modules of tools/train known
import compare
import dataset
import description as describing
import history
import judge_stills
import looks
import loss
import metrics
import network as networks
import presets
import render
import scenes
import sequences
import transfer
import weights_file
import widened



def fake_data(folder, preset_name):
    """What render.py would write, of smooth pictures with noise."""
    preset = presets.PRESETS[preset_name]
    width, height = preset.size
    draw = numpy.random.Generator(numpy.random.PCG64(1))
    for name in sum(scenes.scene_names(preset_name), []):
        views, noisy_count = render.frames_of(preset_name, name)
        y, x = numpy.mgrid[0:height, 0:width] / height
        reference = numpy.stack([0.2 + 0.1 * numpy.sin(6 * (x + k)) * numpy.cos(5 * y) for k in range(3)], -1)
        reference = numpy.stack([reference] * len(views)).astype(numpy.float32)
        noise = draw.exponential(1.0, (len(views), noisy_count, height, width, 3))
        rest = draw.random((len(views), noisy_count, height, width, 6))
        os.makedirs(os.path.join(folder, name))
        arrays = {"noisy": numpy.concatenate([reference[:, None] * noise, rest], -1).astype(numpy.float16),
                  "depth": (1 + x + numpy.zeros((len(views), 1, 1))).astype(numpy.float32), "reference": reference}
        for array, value in arrays.items():
            numpy.save(os.path.join(folder, name, array + ".npy"), value)
        with open(os.path.join(folder, name, "entry.json"), "w") as file:
            render.json.dump({"scene": name, "held_out": name.startswith("held"),
                              "samples": [view[:noisy_count] for view in views]}, file)
    render.write_index(preset_name, folder)


def fake_sequences(folder, preset_name):
    """The same, of sequences that move to the right by a pixel a frame."""
    preset = presets.PRESETS[preset_name]
    (width, height), frames = preset.size, preset.frames
    draw = numpy.random.Generator(numpy.random.PCG64(1))
    for name in sum(scenes.scene_names(preset_name), []):
        y, x = numpy.mgrid[0:height, 0:width] / height
        reference = numpy.stack([numpy.stack([0.3 + 0.1 * numpy.sin(6 * (x - k / height + c)) for c in range(3)], -1) for k in range(frames)])
        motion = numpy.zeros((frames, height, width, 2)) - numpy.array([1.0, 0.0])
        normal = numpy.zeros(reference.shape) + numpy.array([0.0, 0.0, 1.0])
        arrays = {"reference": reference, "colour": reference * draw.exponential(1.0, reference.shape), "filtered": reference * 1.1,
                  "albedo": 0.5 + 0 * reference, "normal": normal}
        arrays = {**{key: value.astype("f2") for key, value in arrays.items()}, "motion": motion.astype("f4"), "depth": numpy.ones(reference.shape[:3], "f4")}
        os.makedirs(os.path.join(folder, name))
        for array, value in arrays.items():
            numpy.save(os.path.join(folder, name, array + ".npy"), value)
        with open(os.path.join(folder, name, "entry.json"), "w") as file:
            render.json.dump({"scene": name, "held_out": name.startswith("held"), "samples": [[1]]}, file)
    render.write_index(preset_name, folder)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run_training(*arguments):
    command = [sys.executable, os.path.join(golden.TOOLS, "train.py"), *arguments, "--device", "cpu"]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Description(unittest.TestCase):
    def test_is_the_study_network(self):
        described = describing.describe("rgb-nd")
        self.assertEqual(describing.parameter_count(described), 861093)
        self.assertEqual(sum(p.numel() for p in networks.Network(described).parameters()), 861093)
        self.assertEqual([entry["channels"] for entry in described["layers"]],
                         [32, 43, 57, 76, 101, 101, 101, 101, 76, 76, 57, 57, 43, 43, 32, 3])
        self.assertEqual(describing.multiple(described), 32)

    def test_residual_network_begins_with_the_input(self):
        network = networks.Network(describing.describe("rgb-nd", layers=describing.residual_layers()))
        network.initialise(1)
        x = torch.rand(1, 7, 64, 64, generator=torch.Generator().manual_seed(1))
        self.assertLess((network(x) - x[:, :3]).abs().mean().item(), 0.3)
        self.assertEqual(network.convolutions["convolution15"].in_channels, 39)

    def test_a_still_may_keep_its_input(self):
        described = describing.describe("rgb", layers=describing.residual_layers(), mixes_input=True)
        self.assertEqual((described["mix"], described["layers"][-1]["channels"]), (["colour"], 4))
        y, planes = torch.zeros(1, 4, 2, 2), {"colour": torch.full((1, 3, 2, 2), 0.25)}
        y[:, 3] = torch.tensor([[-50.0, 50.0], [-50.0, 50.0]])
        colour = transfer.network_output(y, planes, described, 2.0)
        torch.testing.assert_close(colour[0, 0], torch.tensor([[0.0, 0.5], [0.0, 0.5]]))

    def test_pictures_are_extended_by_reflection(self):
        for size, expected in ((1, [0] * 4), (2, [0, 1, 0, 1]), (3, [0, 1, 2, 1]), (6, [0, 1, 2, 3, 4, 5, 4, 3])):
            self.assertEqual(networks.pad(torch.arange(float(size))[None, None, None], 4)[0, 0, 0].tolist(), expected)

    def test_footprint_is_what_a_pixel_reaches(self):
        for described in (golden.tiny("rgb", None).description, describing.describe("rgb")):
            network = networks.Network(described).double()
            with torch.no_grad():
                for convolution in network.convolutions.values():
                    convolution.weight.fill_(1.0 / convolution.weight[0].numel())
                    convolution.bias.zero_()
            reach, size = describing.footprint(described), 384
            least, most = size, 0
            for position in range(size // 2, size // 2 + describing.multiple(described)):
                x = torch.zeros(1, 3, 1, size, dtype=torch.float64)
                x[..., position] = 1.0
                touched = (network(x.expand(1, 3, describing.multiple(described), size))[0, 0, 0] > 0).nonzero().flatten()
                least, most = min(least, touched[0].item() - position), max(most, touched[-1].item() - position)
            self.assertEqual(max(-least, most), reach)


class Transfer(unittest.TestCase):
    settings = describing.describe("rgb-and", 0.05)

    def test_encode_and_decode_are_inverse(self):
        x = torch.tensor([0.0, 1e-4, 0.18, 1.0, 300.0, 60000.0], dtype=torch.float64)
        torch.testing.assert_close(transfer.decode(transfer.encode(x, self.settings["transfer"]), self.settings["transfer"]), x)

    def test_exposure_of_a_grey_picture_is_its_key(self):
        colour = torch.full((3, 20, 35), 0.5)
        self.assertAlmostEqual(transfer.exposure(colour, self.settings["exposure"]), 0.36, places=5)
        self.assertEqual(transfer.exposure(torch.zeros(3, 20, 35), self.settings["exposure"]), 1.0)

    def test_a_perfect_network_returns_the_picture(self):
        planes = {name: plane.float() for name, plane in golden.random_planes(20, 35, "rgb-and", False).items()}
        planes["depth"] = transfer.depth_feature(planes["depth"])
        x = transfer.network_input(planes, 2.0, self.settings)
        back = transfer.network_output(x[:3], planes, self.settings) / 2
        torch.testing.assert_close(back, planes["colour"], rtol=1e-4, atol=1e-5)

    def test_depth_has_no_unit(self):
        depth = torch.tensor([[[1.0, 2.0, 4.0, 1e10, float("inf"), float("nan"), 0.0]]])
        found = transfer.depth_feature(depth)
        torch.testing.assert_close(found, transfer.depth_feature(1000 * depth))
        self.assertEqual(found[0, 0, 4:].tolist(), [1.0, 1.0, 1.0])

    def test_damaged_values_become_finite(self):
        planes = {name: plane.float() for name, plane in golden.random_planes(24, 24, "rgb-and", True).items()}
        planes["normal"][0, 3, 3] = float("nan")
        planes["albedo"][1, 4, 4] = float("inf")
        planes["depth"] = transfer.depth_feature(planes["depth"])
        self.assertTrue(torch.isfinite(transfer.network_input(planes, 1.0, self.settings)).all())


class WeightsFile(unittest.TestCase):
    def test_keeps_values_and_description(self):
        with tempfile.TemporaryDirectory() as folder:
            path, network = os.path.join(folder, "a.safetensors"), golden.tiny("rgb-and", 0.05)
            networks.save(path, network, {"note": "x"})
            again = networks.load(path)
            self.assertEqual(again.description, network.description)
            for name, convolution in network.convolutions.items():
                self.assertTrue(torch.equal(again.convolutions[name].weight, convolution.weight.half().float()))
            tensors, metadata = weights_file.read(path)
            self.assertEqual(metadata["note"], "x")
            self.assertEqual(tensors["convolution0.weight"].shape, (5, 10, 3, 3))

    def test_refuses_a_header_that_ends_behind_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.safetensors")
            with open(path, "wb") as file:
                file.write(b"\xff" * 12)
            with self.assertRaisesRegex(ValueError, "header"):
                weights_file.read(path)

    def test_golden_files_are_the_same_each_time_and_small(self):
        with tempfile.TemporaryDirectory() as folder:
            for run in ("a", "b"):
                golden.write_all(os.path.join(folder, run), [])
            names = sorted(os.listdir(os.path.join(folder, "a")))
            contents = [[content(os.path.join(folder, run, name)) for name in names] for run in ("a", "b")]
            self.assertEqual(contents[0], contents[1])
            self.assertLess(sum(map(len, contents[0])), 500000)


class Data(unittest.TestCase):
    def test_tiles_are_turned_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            fake_data(folder, "smoke")
            pictures = dataset.load(folder, False, describing.describe("rgb")["exposure"], torch.device("cpu"))
            places = dataset.random_places(pictures, 16, 24, torch.Generator().manual_seed(3))
            pictures.colour[:] = (pictures.reference.float() * pictures.scale.view(-1, 1, 1, 1))[pictures.view].half()
            pictures.exposure[:] = 1
            planes, reference = dataset.cut(pictures, places, 24)
            torch.testing.assert_close(planes["colour"], reference, rtol=2e-3, atol=1e-4)
            self.assertGreater(len(set(places.turn.tolist())), 4)
            self.assertGreater(len(set(map(tuple, places.channels.tolist()))), 3)

    def test_rotations_keep_lengths(self):
        q = dataset.random_rotations(50, torch.Generator().manual_seed(1))
        torch.testing.assert_close(q @ q.transpose(1, 2), torch.eye(3).expand(50, 3, 3), rtol=0, atol=1e-5)
        self.assertEqual(set(torch.linalg.det(q).round().tolist()), {-1.0, 1.0})

    def test_loss_of_the_reference_is_least(self):
        settings = describing.describe("rgb")["transfer"]
        reference = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(1))
        self.assertEqual(loss.loss(reference, reference, settings).item(), 0)
        self.assertGreater(loss.loss(1.1 * reference, reference, settings).item(), 0.01)
        self.assertEqual(metrics.fireflies(reference[0] * 0 + 9, reference[0]), 256)

    def test_kinds_of_scenes(self):
        held_out = scenes.scene_names("lacuna")[1]
        self.assertEqual([scenes.kind_of(name) for name in held_out], 12 * [""] + 10 * ["fine"])
        with tempfile.TemporaryDirectory() as folder:
            scenes.write_scenes("lacuna", folder)
            textured = {kind: sum(content(os.path.join(folder, name + ".scene")).count(b" image ") for name in held_out
                                  if scenes.kind_of(name) == kind) for kind in ("", "fine")}
        self.assertGreater(textured["fine"], 1.5 * textured[""])

    def test_metrics_are_by_kind(self):
        rows = [{"scene": "held-000", "x": 2.0}, {"scene": "held-001", "x": 8.0}, {"scene": "held-fine-000", "x": 3.0}]
        found = metrics.by_kind(rows, lambda row: row["x"])
        self.assertEqual({kind: round(value, 9) for kind, value in found.items()}, {"": 4.0, "fine": 3.0})

    def test_held_out_scenes_are_others(self):
        for preset in presets.PRESETS:
            training, held_out = scenes.scene_names(preset)
            self.assertFalse(set(training) & set(held_out))

    def test_parts_of_a_reference_add_up(self):
        self.assertEqual(render.parts(10000, 1000), [1000] * 10)
        self.assertEqual(render.parts(100, 64), [50, 50])

    def test_a_coat_is_a_share_of_another_picture(self):
        chosen = [looks.look_of("lacuna", name) for name in scenes.scene_names("lacuna")[0]]
        self.assertTrue(0.1 < sum(look.coat > 0 for look in chosen) / len(chosen) < 0.8)
        matt = {"noisy": numpy.zeros((1, 1, 2, 2, 9), "f2"), "depth": numpy.ones((1, 2, 2), "f4"), "reference": numpy.zeros((1, 2, 2, 3), "f4")}
        coat = {"noisy": numpy.full((1, 1, 2, 2, 9), 4, "f2"), "depth": None, "reference": numpy.full((1, 2, 2, 3), 4, "f4")}
        for reflected, albedo in ((False, 1.0), (True, 0.0)):
            mixed = looks.mixed(matt, coat, looks.Look(coat=0.25, roughness=0.1, reflected=reflected))
            self.assertEqual(mixed["noisy"][0, 0, 0, 0].tolist(), 3 * [1.0] + 3 * [albedo] + 3 * [0.0])
            self.assertTrue((mixed["reference"] == 1).all())
        text = looks.coated("material a diffuse albedo 1 0 0\nmaterial b mirror\n", looks.Look(roughness=0.5))
        self.assertEqual(text, "material a glossy albedo 0.6  roughness 0.5\nmaterial b mirror\n")


class Sequences(unittest.TestCase):
    settings = describing.describe("rgb-and-past-svgf", layers=describing.residual_layers())

    def frames(self, count=4, size=16):
        draw = torch.Generator().manual_seed(1)
        return [{"colour": torch.rand(3, size, size, generator=draw), "albedo": torch.full((3, size, size), 0.5), "depth": torch.ones(1, size, size),
                 "normal": torch.tensor([0.0, 0.0, 1.0]).view(3, 1, 1).expand(3, size, size), "motion": torch.zeros(2, size, size),
                 "filtered": torch.full((3, size, size), 0.5)} for _ in range(count)]

    def test_still_frames_are_averaged(self):
        frames = self.frames()
        sequences.with_history(frames, {**self.settings, "history": {**describing.HISTORY, "firefly": 0}})
        mean = torch.stack([frame["colour"] for frame in frames]).mean(0)
        torch.testing.assert_close(frames[-1]["accumulated"][:3], mean)
        self.assertTrue((frames[-1]["accumulated"][5] == 4).all())
        light = torch.stack([history.luminance(2 * frame["colour"]) for frame in frames])
        torch.testing.assert_close(frames[-1]["accumulated"][4:5], light.std(0, unbiased=False), rtol=1e-4, atol=1e-4)

    def test_history_ends_at_cuts_and_other_surfaces(self):
        frames = self.frames()
        frames[2]["motion"] = frames[2]["motion"] * float("nan")
        frames[3]["depth"][:, :4, :4] = 5
        sequences.with_history(frames, self.settings)
        self.assertTrue((frames[2]["accumulated"][5] == 1).all())
        self.assertTrue((frames[3]["accumulated"][5, :4, :4] == 1).all() and frames[3]["accumulated"][5, 8, 8] == 2)

    def test_warp_has_the_right_gradients_in_any_order(self):
        draw = torch.Generator().manual_seed(1)
        planes = torch.rand(2, 3, 5, 6, dtype=torch.float64, generator=draw, requires_grad=True)
        index, weights = torch.randint(30, (2, 4, 30), generator=draw), torch.rand(2, 4, 5, 6, dtype=torch.float64, generator=draw)
        self.assertTrue(torch.autograd.gradcheck(lambda x: history.Warp.apply(x, index, weights), (planes,)))

    def test_begins_with_another_network(self):
        still, network = networks.Network(describing.describe("rgb-and", layers=describing.residual_layers())), networks.Network(self.settings)
        still.initialise(1)
        network.initialise(2)
        network.begin_with(still)
        x = torch.rand(1, 25, 32, 32, generator=torch.Generator().manual_seed(1))
        torch.testing.assert_close(network(x)[:, :3], still(x[:, :10]))
        other = networks.Network(self.settings)
        network.keep(other, 1.0)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(network.parameters(), other.parameters())))

    def test_tiles_find_the_last_frame_however_they_are_turned(self):
        with tempfile.TemporaryDirectory() as folder:
            fake_sequences(folder, "smoke-sequences")
            loaded = sequences.load(folder, self.settings, torch.device("cpu"))
            places = sequences.random_places(loaded, 16, 24, torch.Generator().manual_seed(3), 3)
            tiles = sequences.cut(loaded, places, 24, 3)
            warped = sequences.warped((tiles.reference[:, 1], tiles.planes["albedo"][:, 1]), tiles.planes["albedo"][:, 2], tiles.index[:, 2], tiles.weights[:, 2])
            for first in (0, 3):
                torch.testing.assert_close(warped[:, first:first + 3] * warped[:, 6:], tiles.reference[:, 2] * warped[:, 6:], rtol=4e-3, atol=1e-3)
            self.assertGreater(warped[:, 6].mean().item(), 0.9)

    def test_a_mix_is_of_what_there_is(self):
        y, planes = torch.zeros(1, 6, 2, 2), {"warped": torch.zeros(1, 7, 2, 2), "filtered": torch.ones(1, 3, 2, 2)}
        white = transfer.encode(torch.tensor(1.0), self.settings["transfer"]).item()
        self.assertAlmostEqual(transfer.mixed(y, planes, 1.0, self.settings)[0, 0, 0, 0].item(), white / 2, places=6)
        planes["warped"][:, 6] = 1
        self.assertAlmostEqual(transfer.mixed(y, planes, 1.0, self.settings)[0, 0, 0, 0].item(), white / 4, places=6)

    def test_held_out_scenes_move_and_have_no_cuts(self):
        with tempfile.TemporaryDirectory() as folder:
            scenes.write_scenes("smoke-sequences", folder)
            self.assertIn(b"\n  at 4 eye", content(os.path.join(folder, "held-000.scene")))


class Widened(unittest.TestCase):
    def test_more_channels_change_nothing_and_stay_zero(self):
        network = networks.Network(describing.describe("rgb-nd")).double()
        network.initialise(3)
        wide = widened.widen(network).double()
        self.assertTrue(all(c.weight.shape[1] % 8 == 0 for c in wide.convolutions.values()))
        x = torch.rand(1, 7, 32, 64, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
        torch.testing.assert_close(wide(x), network(x))
        optimizer = torch.optim.Adam(wide.parameters(), lr=0.01)
        for _ in range(3):
            optimizer.zero_grad()
            (wide(x) - 1).square().mean().backward()
            optimizer.step()
        torch.testing.assert_close(widened.narrow(wide).double()(x), wide(x), rtol=1e-5, atol=1e-5)


class Training(unittest.TestCase):
    def test_is_deterministic_and_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            data, out = os.path.join(folder, "data"), lambda name: os.path.join(folder, name + ".safetensors")
            os.makedirs(data)
            fake_data(data, "smoke")
            common = ["smoke", "--features", "rgb-and", "--data", data]
            for name, more in (("whole", ["--steps", "6"]), ("again", ["--steps", "6"])):
                done = run_training(*common, "--out", out(name), *more)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn("geometric mean", done.stdout)
            self.assertEqual(content(out("whole")), content(out("again")))
            checkpoint = os.path.join(folder, "part.checkpoint")
            done = run_training(*common, "--out", out("part"), "--steps", "6", "--stop", "3")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual((os.path.exists(out("part")), torch.load(checkpoint)["done"]), (False, 3))
            done = run_training(*common, "--out", out("rest"), "--steps", "6", "--resume", checkpoint)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(content(out("rest")), content(out("whole")))
            wrong = run_training("smoke", "--features", "rgb", "--data", data, "--out", out("x"), "--resume", checkpoint)
            self.assertNotEqual(wrong.returncode, 0)
            self.assertIn("another description", wrong.stdout)

    def test_of_sequences_is_deterministic_and_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            data, out = os.path.join(folder, "data"), lambda name: os.path.join(folder, name + ".safetensors")
            os.makedirs(data)
            fake_sequences(data, "smoke-sequences")
            common = ["smoke-sequences", "--features", "rgb-and-past-svgf", "--data", data, "--steps", "4"]
            done = run_training(*common, "--out", out("whole"))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("geometric means of svgf", done.stdout)
            self.assertEqual(run_training(*common, "--out", out("part"), "--stop", "2").returncode, 0)
            done = run_training(*common, "--out", out("rest"), "--resume", os.path.join(folder, "part.checkpoint"))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(content(out("rest")), content(out("whole")))
            wrong = run_training("smoke", "--features", "rgb-and-past", "--data", data, "--out", out("x"))
            self.assertIn("preset smoke has stills", wrong.stdout)


class Judging(unittest.TestCase):
    def test_references_noise_is_no_error(self):
        draw = numpy.random.Generator(numpy.random.PCG64(1))
        truth = numpy.full((64, 64, 4), 0.5)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("reference-a", "reference-b"):
                os.makedirs(os.path.join(folder, "noisy", name))
                albedo = numpy.where(numpy.arange(64)[:, None, None] < 40, 0.5, draw.random((64, 64, 3)))  # plain above
                for plane, value in (("output", truth + draw.normal(0, 0.03, truth.shape)), ("albedo", albedo), ("normal", 0 * albedo), ("depth", albedo)):
                    numpy.save(os.path.join(folder, "noisy", name, plane + ".npy"), value)
            judge = judge_stills.Truth(folder)
        self.assertAlmostEqual(judge.rel_mse(truth + 0.1), 0.01 / 0.26, delta=0.003)
        self.assertLess(abs(judge.rel_mse(truth)), 2e-4)  # .0017 to their mean
        self.assertAlmostEqual(judge.alpha(truth + 0.1), 0.1, delta=0.02)
        red, grey = truth.copy(), 1.1 * truth
        red[:40, :, 0] *= 1.1
        self.assertGreater(judge.mottling(red), 2 * judge.mottling(grey))
        self.assertEqual(judge.walls.shape, (40, 40))
        self.assertTrue(judge.walls[:16].all() and not judge.walls[-12:].any())


class Rendering(unittest.TestCase):
    def test_renders_and_leaves_what_is_there(self):
        program = os.environ.get("LACUNA_PROGRAM")
        if not program:
            self.skipTest("LACUNA_PROGRAM isn't set")
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            scenes.write_scenes("smoke", os.path.join(folder, "scenes"))
            entry = render.render_scene(program, "smoke", "held-000", folder)
            self.assertEqual(entry["reference"], 64)
            render.render_scene(program, "smoke", "held-fine-000", folder)
            noisy = numpy.load(os.path.join(folder, "held-000", "noisy.npy"))
            reference = numpy.load(os.path.join(folder, "held-000", "reference.npy"))
            self.assertEqual(noisy.shape, (1, 5, 64, 64, 9))
            self.assertFalse((noisy[0, 0] == noisy[0, 1]).all())
            self.assertLess(abs(noisy[0, :, ..., :3].astype(float).mean() / reference.mean() - 1), 0.3)
            self.assertEqual(list(render.present("smoke", folder)), ["held-000", "held-fine-000"])
            self.assertEqual(printed.getvalue(), "")
            weights = os.path.join(golden.TOOLS, "..", "..", "modules", "cnn-unet", "weights")
            row = compare.compare("smoke", folder, weights, program, os.path.join(folder, "compared"))[0]
            for method in ("svgf", "cnn-rgb", "cnn-rgb-and"):
                self.assertLess(row[method], 0.5 * row["noisy"], method)
            self.assertLess(row["cnn-rgb-and"], row["eaw"])


if __name__ == "__main__":
    unittest.main()
