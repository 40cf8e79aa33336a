#!/usr/bin/env python3
"""Tests of tools/train's networks for photographs. Without PyTorch or OpenCV the exit code is 77."""

import os
import sys
import tempfile
import types
import unittest

try:
    import cv2
    import numpy
    import torch
except ImportError as error:
    print("skipped: %s" % error)
    sys.exit(77)

import golden  # makes the modules of tools/train known
import dead_leaves
import description as describing
import jpeg
import learning
import muon
import network as networks
import photo_camera
import photo_figures
import photo_networks as nets
import photo_patterns
import photo_pool
import photo_train

CPU = torch.device("cpu")


def waves(height=64, width=64, channels=3):
    y, x = torch.meshgrid(torch.arange(float(height)), torch.arange(float(width)), indexing="ij")
    return torch.stack([0.5 + 0.3 * torch.sin(x / (5 + c) + y / (9 - c)) for c in range(channels)])[None]


def untrained(name):
    network = networks.Network(nets.describe(name))
    nets.initialise(network, 1)
    return network.eval()


class Networks(unittest.TestCase):
    def test_files_are_small(self):
        for name in ("mosaic", "developed"):
            described = nets.describe(name)
            self.assertLess(2 * describing.parameter_count(described), 3.98e6)
            self.assertEqual((describing.multiple(described), described["layers"][-1]["channels"]), (8, 12))

    def test_encoding_is_srgb_and_has_an_inverse(self):
        x = torch.linspace(-0.5, 4, 1000)
        torch.testing.assert_close(nets.decode(nets.encode(x)), x, rtol=1e-4, atol=1e-5)
        self.assertAlmostEqual(nets.encode(torch.tensor(0.2140411)).item(), 0.5, delta=1e-5)

    def test_malvar_keeps_flat_colours_and_gradients(self):
        y, x = numpy.mgrid[0:12, 0:16]
        rgb = numpy.stack([0.1 * x + 0.05 * y, 0.1 * x + 0.05 * y + 3, 0.1 * x + 0.05 * y - 1], 2)
        mosaic = torch.from_numpy(photo_figures.mosaic_of(rgb)).float()[None, None]
        found = nets.malvar(mosaic)[0].permute(1, 2, 0).numpy()
        numpy.testing.assert_allclose(found[2:-2, 2:-2], rgb[2:-2, 2:-2], atol=1e-5)

    def test_every_phase_begins_with_malvars_picture(self):
        """A network whose last layer is 0."""
        network, rgb = untrained("mosaic"), waves(46, 39)[0].permute(1, 2, 0).double().numpy()
        for parameter in network.convolutions[network.description["layers"][-1]["name"]].parameters():
            torch.nn.init.zeros_(parameter)
        whole = nets.malvar(nets.encode(torch.from_numpy(photo_figures.mosaic_of(rgb[:, :38])).float()[None, None]))
        for top in (0, 1):
            for left in (0, 1):
                mosaic = torch.from_numpy(photo_figures.mosaic_of(rgb[:, :38])[top:, left:]).float()[None, None]
                with torch.no_grad():
                    found = nets.develop_mosaic(network, mosaic, (1, 1, 1), 0.01, 1e-4, top, left)
                self.assertEqual(found.shape, (1, 3, 46 - top, 38 - left))
                torch.testing.assert_close(found[..., 4:-4, 4:-4], whole[..., top + 4:-4, left + 4:-4], rtol=0, atol=1e-5)

    def test_planes_are_those_of_cells(self):
        mosaic = torch.arange(16.0).view(1, 1, 4, 4) / 16
        planes = nets.mosaic_planes(mosaic, torch.tensor([2.0, 1, 1, 1.5]).view(1, 4, 1, 1), torch.tensor(0.01), torch.tensor(1e-4))
        torch.testing.assert_close(planes[0, :4, 0, 0], nets.encode(torch.tensor([0, 1, 4, 5]) / 16))
        s = 2 * (0.01 * (10 / 16 / 2) + 1e-4) ** 0.5
        self.assertAlmostEqual(planes[0, 4, 1, 1].item(), ((nets.encode(torch.tensor(10 / 16 + s)) - nets.encode(torch.tensor(10 / 16 - s))) / 2).item(), delta=1e-6)

    def test_a_pictures_size_stays(self):
        x = waves(21, 35)
        with torch.no_grad():
            self.assertEqual(nets.denoise_developed(untrained("developed"), x, 0.1 + 0 * x).shape, x.shape)


class Steps(unittest.TestCase):
    def test_every_direction_gets_a_step_and_norms_are_bounded(self):
        network = untrained("mosaic")
        steps = muon.Muon(network, 0.001)
        generator = torch.Generator().manual_seed(3)
        before = {name: layer.weight.detach().clone() for name, layer in network.convolutions.items()}
        for parameter in network.parameters():
            parameter.grad = torch.randn(parameter.shape, generator=generator) * torch.logspace(-2, 0, len(parameter)).view(-1, *[1] * (parameter.dim() - 1))
        steps.step()
        for name, layer in list(network.convolutions.items())[1:-1]:
            change = (layer.weight.detach() - before[name]).flatten(1)
            values = torch.linalg.svdvals(change) / (0.001 * muon.RATE * change.shape[1] ** 0.5)
            self.assertLess(values.max().item(), 1.3)
            self.assertGreater(values[len(values) // 2].item(), 0.5)
        for layer in network.convolutions.values():
            layer.weight.data *= 10
        steps.step()
        for layer in list(network.convolutions.values())[1:-1]:
            self.assertLess(layer.weight.norm().item(), 1.001 * (2 * len(layer.weight)) ** 0.5)

    def test_every_scale_takes_part_at_first(self):
        values = untrained("developed").all_layers(torch.rand(1, 24, 32, 32, generator=torch.Generator().manual_seed(4)))
        for name in list(values)[1:-1]:
            self.assertLess((values[name] <= 0).all(3).all(2).float().mean().item(), 0.05, name)


class Cameras(unittest.TestCase):
    def test_jpeg_is_that_of_opencv(self):
        torch.manual_seed(1)
        picture = (waves() * 255).round() / 255
        for quality in (60, 90):
            found = jpeg.compressed(torch.cat([picture, picture]), quality, quality)
            for k, sampling in ((0, 2), (1, 1)):  # colours of half size, and whole ones
                _, file = cv2.imencode(".jpg", (picture[0].permute(1, 2, 0).numpy()[..., ::-1] * 255).round(), [cv2.IMWRITE_JPEG_QUALITY, quality])
                other = cv2.imdecode(file, cv2.IMREAD_COLOR)[..., ::-1] / 255
                own, there = (photo_figures.psnr(x, picture[0].permute(1, 2, 0).numpy()) for x in (found[k].permute(1, 2, 0).numpy(), other))
                self.assertLess(abs(own - there), 3.0, (quality, sampling))

    def test_fine_noise_is_white_noise(self):
        noise = torch.randn(2, 3, 128, 128, generator=torch.Generator().manual_seed(1)) * torch.tensor([0.02, 0.1]).view(2, 1, 1, 1)
        torch.testing.assert_close(photo_camera.fine_noise(noise).flatten(), torch.tensor([0.02, 0.1]), rtol=0.02, atol=0)
        soft = photo_camera.blurred(noise)
        self.assertLess(photo_camera.fine_noise(soft)[1].item(), 0.03)

    def test_batches_are_in_range_and_follow_from_the_seed(self):
        light = waves().expand(32, 3, 64, 64) ** 2
        for batch, channels in ((photo_camera.raw_batch, 8), (photo_camera.viewing_batch, 24)):
            found = []
            for _ in range(2):
                torch.manual_seed(7)
                found.append(batch(light, 16))
            (planes, truth), (again, _) = found
            self.assertEqual((planes.shape, truth.shape), ((32, channels, 32, 32), (32, 3, 64, 64)))
            self.assertTrue(torch.equal(planes, again) and torch.isfinite(planes).all())
            self.assertTrue((planes[:, channels // 2:] >= 0).all() and (truth >= 0).all())
        # the last ones of `viewing_batch` are to stay as they are
        self.assertTrue(torch.equal(nets.base_of(planes, nets.describe("developed"))[-4:], truth[-4:]))


class Patterns(unittest.TestCase):
    def laid(self, seed, count=64, size=64):
        torch.manual_seed(seed)
        return photo_patterns.laid(torch.full((count, 3, size, size), 0.3))

    def test_many_are_fine_and_most_are_grey(self):
        found = self.laid(1)
        self.assertTrue(torch.equal(found, self.laid(1)) and not torch.equal(found, self.laid(2)))
        self.assertTrue(torch.isfinite(found).all() and (found >= 0).all())
        grey = (found - found.mean(1, keepdim=True)).abs().amax((1, 2, 3)) < 1e-4
        self.assertTrue(0.4 < grey.float().mean() < 0.8)
        power = torch.fft.fft2(found.mean(1) - found.mean((1, 2, 3))[:, None, None]).abs().square()
        cycles = torch.fft.fftfreq(64)
        fine = power[:, (cycles[:, None] ** 2 + cycles ** 2).sqrt() > 0.25].sum(1) / power.sum((1, 2))
        self.assertGreater((fine > 0.5).float().mean().item(), 0.35)

    def test_pixels_collect_light_over_their_area(self):
        chances = photo_camera.Chances(1, CPU)
        chances.choose = lambda share, there, otherwise=0.0: there * torch.ones(1, 1, 1, 1)
        x, y = photo_patterns.positions(chances, 32)
        self.assertEqual((x.shape, y.shape), ((1, 1, 1, 128), (1, 1, 128, 1)))
        for cycles in (0.1, 0.25, 0.4):
            line = torch.nn.functional.avg_pool1d(torch.cos(2 * torch.pi * cycles * x[0]), photo_patterns.SAMPLES)[0, 0]
            wanted = torch.cos(2 * torch.pi * cycles * (torch.arange(32) - 15.5)) * numpy.sinc(cycles)
            torch.testing.assert_close(line, wanted.float(), rtol=0, atol=0.02)

    def test_false_colour_is_that_of_the_mosaic(self):
        plate = photo_figures.zone_plate() / 255
        self.assertEqual(set(photo_figures.false_colour(plate).values()), {0.0})
        network = untrained("mosaic")  # Malvar's picture, nearly
        figures = photo_figures.Figures.__new__(photo_figures.Figures)
        figures.cases, figures.device, figures.plate = {}, CPU, photo_figures.captured(photo_figures.zone_plate(), 0, 0)
        found = figures.measure(network)["false colour"]
        self.assertGreater(found["0.45 to 0.5"], 3 * found["0.02 to 0.2"])
        self.assertGreater(found["0.45 to 0.5"], 10)


class Leaves(unittest.TestCase):
    def setUp(self):
        self.size, dead_leaves.SIZE = dead_leaves.SIZE, 64
        self.widths, nets.WIDTHS = nets.WIDTHS, dict.fromkeys(nets.WIDTHS, [8] * 4)
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        dead_leaves.SIZE, nets.WIDTHS = self.size, self.widths
        self.folder.cleanup()

    def arguments(self, name):
        return types.SimpleNamespace(preset=name, description=nets.describe(name), seed=1, rate=7e-4, leaves=12, pictures=4, patterns=2, crop=32, held=16, steps=4,
                                     begin=None, minutes=None, benchmark=False, photographs=self.folder.name)

    def training(self, name, done=0):
        learning.deterministic(1)
        return photo_train.PhotoTraining(self.arguments(name), photo_pool.Describer(1, done // photo_pool.EVERY, 1), CPU)

    def test_pictures_follow_from_the_seed(self):
        (leaves, picture, count), (again, _, _), (other, _, _) = (dead_leaves.describe(seed) for seed in (5, 5, 6))
        self.assertEqual((leaves.shape, picture.shape), ((dead_leaves.MOST, len(dead_leaves.LEAF)), (len(dead_leaves.PICTURE),)))
        self.assertTrue((leaves == again).all() and not (leaves == other).all() and numpy.isfinite(leaves).all())
        out = torch.full((1, 3, 64, 64), -1.0).half()
        dead_leaves.Renderer(CPU, self.folder.name).draw(leaves[None], picture[None], numpy.array([count], numpy.int32), out)
        self.assertTrue(((out >= 0) & (out <= 60)).all())
        self.assertGreater(out.float().std().item(), 0.001)

    def test_training_begins_with_weights(self):
        path = os.path.join(self.folder.name, "begin.safetensors")
        begin = networks.Network(nets.describe("mosaic"))
        nets.initialise(begin, 5)
        networks.save(path, begin)
        arguments = self.arguments("mosaic")
        arguments.begin, arguments.photographs, arguments.pictures = path, None, 0
        training = photo_train.PhotoTraining(arguments, photo_pool.Describer(1, 0, 1), CPU)
        training.load_next()
        self.assertEqual(training.squares.item(), 1.0)
        for network in (training.network, training.average):
            for one, other in zip(network.parameters(), networks.load(path).parameters()):
                self.assertTrue(torch.equal(one, other))

    def test_training_is_deterministic_and_resumes(self):
        for number in range(2):
            cv2.imwrite(os.path.join(self.folder.name, "%d.jpg" % number), (waves(96, 90)[0].permute(1, 2, 0).numpy() * 255).round())
        every, photo_pool.EVERY = photo_pool.EVERY, 2  # steps between new leaves
        try:
            for name in ("mosaic", "developed"):
                path = os.path.join(self.folder.name, name + ".checkpoint")
                whole = self.training(name)
                self.assertGreater(whole.pool.values.shape[1], 16 * 64 * 64)
                self.assertTrue(learning.learn(whole, path))
                part = self.training(name)
                self.assertFalse(learning.learn(part, path, lambda training: training.done >= 2))
                rest = self.training(name, 2)
                rest.restore(path)
                self.assertTrue(learning.learn(rest, path))
                for one, other in zip(whole.average.parameters(), rest.average.parameters()):
                    self.assertTrue(torch.equal(one, other))
        finally:
            photo_pool.EVERY = every


if __name__ == "__main__":
    unittest.main()
