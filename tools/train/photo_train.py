#!/usr/bin/env python3
"""Trains a network for photographs: photo_train.py mosaic|developed --judge DIR --out FILE.safetensors --minutes 17

--judge: the photographs that are developed on (photo_figures.py). --photographs: what photographs.py has written, to train on beside dead leaves.
Steps follow from the seed alone, also after --resume; with --minutes the rate falls over that time, and weights depend on the machine's speed."""

import argparse
import json
import os
import tempfile
import time

import torch

import description as describing
import learning
import muon
import network as networks
import photo_camera
import photo_figures
import photo_networks as nets
import photo_patterns
import photo_pool

BATCHES = {"mosaic": photo_camera.raw_batch, "developed": photo_camera.viewing_batch}
RATE = 7e-4
LEAVES, PHOTOGRAPHS, CROP = 16, 16, 192  # pictures of a step and their sides
PATTERNS = 3  # of LEAVES
TO_SQUARES = 0.55, 0.65  # shares of the training between which the loss turns from absolute errors to squared ones
FIGURES_SECONDS = 60
FLOOR = 1e-5  # of squared errors whose logarithm `developed` lowers: 50 dB


class PhotoTraining(learning.Learning):
    half = torch.bfloat16

    def __init__(self, arguments, describer, device):
        self.crops = (arguments.leaves, arguments.pictures)
        network = networks.Network(arguments.description)
        nets.initialise(network, arguments.seed)
        if arguments.begin:
            network.begin_with(networks.load(arguments.begin))
        super().__init__(arguments, network, arguments.rate, device)
        torch.backends.cudnn.benchmark = arguments.benchmark
        self.pool = photo_pool.Pool(device, describer, arguments.photographs, arguments.crop, tempfile.gettempdir(), arguments.held)
        self.squares = torch.zeros((), device=device)

    def optimizer_of(self, rate):
        return muon.Muon(self.network, rate)

    def batch(self):
        with torch.no_grad():
            light = self.pool.crops(*self.crops)
            here = slice(self.crops[0] - self.arguments.patterns, self.crops[0])
            if self.arguments.patterns:
                light[here] = photo_patterns.laid(light[here])
            return BATCHES[self.arguments.preset](light, self.crops[0])

    def load_next(self):
        self.pool.advance(self.done)
        torch.manual_seed(self.arguments.seed * 1000003 + self.done)
        begin, end = TO_SQUARES
        self.squares.fill_(1.0 if self.arguments.begin else min(max((self.progress() - begin) / (end - begin), 0.0), 1.0))

    def loss(self):
        """Every picture counts about alike, however noisy it is. Light above white counts little."""
        planes, truth = self.batch()
        with torch.autocast(self.device.type, self.half, enabled=self.device.type == "cuda"):
            y = self.network(planes.contiguous(memory_format=torch.channels_last))
        difference = above_white(nets.corrected(nets.base_of(planes, self.arguments.description), y)) - above_white(truth)
        absolute, squared = difference.abs().mean((1, 2, 3)), difference.square().mean((1, 2, 3))
        if self.arguments.preset == "developed":
            return (squared + FLOOR).log().mean()
        own = absolute / (absolute.detach() + 0.003).sqrt()
        root = (squared + 1e-7).sqrt()
        return torch.lerp(own, root / (root.detach() + 0.004).sqrt(), self.squares).mean()


def above_white(x):
    return torch.where(x > 1, 1 + 0.1 * (x - 1), x)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(BATCHES), metavar="mosaic|developed")
    parser.add_argument("--judge", required=True, metavar="DIR")
    parser.add_argument("--photographs", metavar="DIR")
    parser.add_argument("--out", required=True, help="the weights, FILE.safetensors; FILE.checkpoint and FILE.json lie beside it")
    parser.add_argument("--steps", type=int, help="train for so many steps, or")
    parser.add_argument("--minutes", type=float, help="for so long")
    parser.add_argument("--pause", type=float, metavar="SECONDS", help="end so long after the start, with a checkpoint and weights; the rate falls as without it")
    parser.add_argument("--resume", metavar="CHECKPOINT")
    parser.add_argument("--begin", metavar="FILE", help="begin with these weights, and squared errors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE, help="of Adam, at its highest (%g); Muon's follows it" % RATE)
    parser.add_argument("--leaves", type=int, default=LEAVES, help="drawn pictures of a step (%d)" % LEAVES)
    parser.add_argument("--patterns", type=int, default=PATTERNS, help="fine patterns, in place of so many drawn pictures (%d)" % PATTERNS)
    parser.add_argument("--pictures", type=int, help="photographs of a step (%d; 0 without --photographs)" % PHOTOGRAPHS)
    parser.add_argument("--crop", type=int, default=CROP, help="side of a step's pictures (%d)" % CROP)
    parser.add_argument("--held", type=int, default=photo_pool.HELD, help="drawn pictures in memory (%d)" % photo_pool.HELD)
    parser.add_argument("--workers", type=int, default=12, help="processes that describe pictures (12)")
    parser.add_argument("--benchmark", action="store_true", help="cuDNN's fastest algorithms: weights then differ from run to run")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    if (arguments.steps is None) == (arguments.minutes is None):
        parser.error("one of --steps and --minutes must be given")
    if arguments.held % photo_pool.CHUNK or arguments.held < 1:
        parser.error("--held is %d, but must be a multiple of %d" % (arguments.held, photo_pool.CHUNK))
    if not 0 <= arguments.patterns <= arguments.leaves:
        parser.error("--patterns is %d, but must be 0 to --leaves, %d" % (arguments.patterns, arguments.leaves))
    if arguments.pictures is None:
        arguments.pictures = PHOTOGRAPHS if arguments.photographs else 0
    arguments.description = nets.describe(arguments.preset)
    return arguments


def save(training, path):
    arguments = training.arguments
    made = {"preset": arguments.preset, "steps": training.done, "seed": arguments.seed, "minutes": arguments.minutes,
            "pictures": [arguments.leaves, arguments.pictures, arguments.crop], "patterns": arguments.patterns, **learning.versions(training.device)}
    networks.save(path, training.average, {"lacuna.training": json.dumps(made)})
    return made


def main():
    start = time.time()
    arguments = parsed()
    done = torch.load(arguments.resume, map_location="cpu")["done"] if arguments.resume else 0
    describer = photo_pool.Describer(arguments.seed, done // photo_pool.EVERY, arguments.workers)
    device = torch.device(arguments.device)
    if device.type == "cuda":
        torch.set_num_threads(2)
    learning.deterministic(arguments.seed)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.out)), exist_ok=True)
    training = PhotoTraining(arguments, describer, device)
    figures, shown = photo_figures.Figures(arguments.preset, arguments.judge, device), [time.time()]
    base = os.path.splitext(arguments.out)[0]
    if arguments.resume:
        training.restore(arguments.resume)
    print("[%.1f s] %d parameters, %d of %d pixels are photographs" % (time.time() - start, describing.parameter_count(arguments.description),
          training.pool.values.shape[1] - arguments.held * photo_pool.dead_leaves.SIZE ** 2, training.pool.values.shape[1]), flush=True)

    if arguments.begin:
        print(photo_figures.lines(figures.measure(training.average)), flush=True)

    def after(training):
        if time.time() - shown[0] > FIGURES_SECONDS:
            save(training, arguments.out)
            print("[%.1f s] step %d, rate %.6f\n%s" % (training.seconds, training.done, training.rate(), photo_figures.lines(figures.measure(training.average))), flush=True)
            shown[0] = time.time()

    over = lambda training: arguments.pause is not None and time.time() - start > arguments.pause
    ended = learning.learn(training, base + ".checkpoint", over, after)
    made, found = save(training, arguments.out), figures.measure(training.average)
    with open(base + ".json", "w") as file:
        json.dump({"training": made, "seconds": round(training.seconds, 1), **found}, file, indent=1)
    print("[%.1f s] %s after step %d: %s\n%s" % (time.time() - start, "done" if ended else "paused", training.done, arguments.out, photo_figures.lines(found)))


if __name__ == "__main__":
    main()
