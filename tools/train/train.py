#!/usr/bin/env python3
"""Trains a network on a folder of render.py: train.py PRESET --features rgb-and --data DIR --out FILE.safetensors

Steps follow from the seed alone, also after --resume: the same weights on one GPU, driver and PyTorch version. With
--minutes the learning rate falls over that time in place of a number of steps, and weights depend on the machine's speed."""

import json
import os
import time

import torch

import dataset
import description as describing
import evaluate
import learning
import loss as losses
import network as networks
import sequences
import train_options
import transfer
import widened

FIRST = 2.0  # weight of tiles' first frames, most of which have no history


def beginning(arguments):
    network = networks.Network(arguments.description)
    network.initialise(arguments.seed)
    if arguments.begin:
        network.begin_with(networks.load(arguments.begin))
    return network


class Training(learning.Learning):
    def __init__(self, arguments, preset, training):
        self.preset, self.pictures = preset, training
        super().__init__(arguments, widened.widen(beginning(arguments)), preset.rate, training.colour.device)
        if preset.tiles:
            generator = torch.Generator().manual_seed(arguments.seed)
            self.fixed = dataset.random_places(training, preset.tiles, preset.tile, generator, augment=False)
        self.here = dataset.on_device(self.places(), self.device)

    def load_next(self):
        dataset.copy_to(self.places(), self.here)

    def places(self):
        """Of the tiles of the next step: they follow from its number."""
        preset, generator = self.preset, torch.Generator()
        if not preset.tiles:
            generator.manual_seed(self.arguments.seed * 1000003 + self.done)
            return self.new_places(generator)
        batches = -(-preset.tiles // preset.batch)  # of an epoch
        generator.manual_seed(self.arguments.seed * 1000003 + self.done // batches)
        order = torch.randperm(preset.tiles, generator=generator)
        first = self.done % batches * preset.batch
        return dataset.some_of(self.fixed, order[first:first + preset.batch])

    def new_places(self, generator):
        return dataset.random_places(self.pictures, self.preset.batch, self.preset.tile, generator)

    def results(self, x):
        is_gpu = self.device.type == "cuda"
        with torch.autocast(self.device.type, torch.float16 if is_gpu else torch.bfloat16, enabled=is_gpu):
            return self.network(x.contiguous(memory_format=torch.channels_last)).float()

    def loss(self):
        """Of the tiles at self.here."""
        settings = self.arguments.description
        planes, reference = dataset.cut(self.pictures, self.here, self.preset.tile)
        y = self.results(transfer.network_input(planes, 1.0, settings))
        weights = losses.weight_of(self.pictures.samples[self.here.picture].float())
        return losses.loss(transfer.network_output(y, planes, settings), reference, settings["transfer"], weights) + outside(y[:, :3])


class SequenceTraining(Training):
    """Frame after frame of a tile, each with the outputs before it."""

    def new_places(self, generator):
        preset = self.preset
        return sequences.random_places(self.pictures, preset.batch, preset.tile, generator, preset.unroll)

    def loss(self):
        tiles = sequences.cut(self.pictures, self.here, self.preset.tile, self.preset.unroll)
        last, colours, beyond = tiles.last, [], 0.0
        for k in range(self.preset.unroll):
            planes = tiles.frame(k)
            y, colour = sequences.denoise(self.network, planes, tiles.exposure[:, k], (last, tiles.index[:, k], tiles.weights[:, k]), self.results)
            colours.append(colour)
            beyond = beyond + outside(y[:, :3]) / self.preset.unroll
            last = colour, planes["albedo"]
        weights = losses.weight_of(self.pictures.samples[self.here.picture].float())[:, None].repeat(1, self.preset.unroll)
        weights[:, 0] *= FIRST
        arguments = self.arguments
        return losses.sequence_loss(torch.stack(colours, 1), tiles.reference, arguments.description["transfer"], weights, arguments.temporal) + beyond


def outside(y):
    """While it learns, values beyond the curve's ends must have gradients: decode() cuts them off."""
    return (y.clamp(max=0).square() + (y - 4).clamp(min=0).square()).mean()


def main():
    arguments, preset = train_options.parse(__doc__)
    device = torch.device(arguments.device)
    if device.type == "cuda":  # processors only choose places of tiles, which takes 64 threads four times as long
        torch.set_num_threads(2)
    learning.deterministic(arguments.seed)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.out)), exist_ok=True)
    begin = time.time()
    settings = arguments.description
    if preset.frames:
        training = SequenceTraining(arguments, preset, sequences.load(arguments.data, settings, device))
    else:
        training = Training(arguments, preset, dataset.load(arguments.data, False, settings["exposure"], device))
    print("[%.1f s] %d %s loaded; %d parameters, footprint %d pixels" %
          (time.time() - begin, len(training.pictures.colour), "sequences" if preset.frames else "pictures", describing.parameter_count(arguments.description),
           describing.footprint(arguments.description)), flush=True)
    if arguments.resume:
        training.restore(arguments.resume)
    base = os.path.splitext(arguments.out)[0]
    stop = arguments.stop
    if not learning.learn(training, base + ".checkpoint", lambda training: stop is not None and training.done >= stop):
        print("stopped after step %d: %s.checkpoint" % (training.done, base))
        return

    made = {"preset": arguments.preset, "steps": training.done, "seed": arguments.seed,
            "minutes": arguments.minutes, "keep": arguments.keep, **({"temporal": arguments.temporal} if preset.frames else {}),
            **learning.versions(device)}
    network = widened.narrow(training.average)
    network.keep(beginning(arguments), arguments.keep)
    networks.save(arguments.out, network, {"lacuna.training": json.dumps(made)})
    results = evaluate.evaluate(arguments.out, arguments.data, device, arguments.pictures)
    with open(base + ".json", "w") as file:
        json.dump({"training": made, "seconds": round(training.seconds, 1), "held_out": results}, file, indent=1)
    print("[%.1f s] %s" % (time.time() - begin, arguments.out))


if __name__ == "__main__":
    main()
