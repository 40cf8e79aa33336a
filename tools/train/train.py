#!/usr/bin/env python3
"""Trains a network on a folder of render.py: train.py PRESET --features rgb-and --data DIR --out FILE.safetensors

Steps follow from the seed alone, also after --resume: the same weights on one GPU, driver and PyTorch version. With
--minutes the learning rate falls over that time in place of a number of steps, and weights depend on the machine's speed."""

import copy
import json
import os
import platform
import subprocess
import time

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # before CUDA starts: deterministic products

import torch

import dataset
import description as describing
import evaluate
import loss as losses
import network as networks
import sequences
import train_options
import transfer
import widened

EVERY_SECONDS = 20  # checkpoints
FIRST = 2.0  # weight of tiles' first frames, most of which have no history
WARM_UP, AVERAGE = 500, 0.999  # steps over which the rate rises; share of the averaged weights that stays each step


def versions(device):
    """What the same weights need."""
    found = {"pytorch": torch.__version__, "python": platform.python_version()}
    if device.type == "cuda":
        found.update(gpu=torch.cuda.get_device_name(device), cuda=str(torch.version.cuda), cudnn=str(torch.backends.cudnn.version()))
        try:
            query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
            found["driver"] = subprocess.check_output(query, text=True).split("\n")[0]
        except (OSError, subprocess.CalledProcessError):
            found["driver"] = "unknown"
    return found


def deterministic(seed):
    torch.manual_seed(seed)
    # Only warn: pooling's backward pass adds atomically, but windows of 2x2 don't overlap, so each value gets one
    # addend.
    torch.use_deterministic_algorithms(True, warn_only=True)
    if hasattr(torch.utils, "deterministic"):  # otherwise PyTorch 2.1 fills each new tensor
        torch.utils.deterministic.fill_uninitialized_memory = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True


def grad_scaler(enabled):
    if hasattr(torch.amp, "GradScaler"):  # PyTorch 2.3
        return torch.amp.GradScaler("cuda", enabled=enabled)
    return torch.cuda.amp.GradScaler(enabled=enabled)


def recorded(function):
    """The same as a CUDA graph: a step launches over a thousand kernels, most of them shorter than it takes to launch one."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):  # first calls of libraries aren't recorded
            function()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = function()

    def replay():
        graph.replay()
        return result

    return replay


def beginning(arguments):
    network = networks.Network(arguments.description)
    network.initialise(arguments.seed)
    if arguments.begin:
        network.begin_with(networks.load(arguments.begin))
    return network


class Training:
    """All that a checkpoint holds, and a step."""

    def __init__(self, arguments, preset, training):
        self.arguments, self.preset, self.pictures = arguments, preset, training
        self.device = training.colour.device
        network = beginning(arguments)
        self.network = widened.widen(network).to(self.device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        is_gpu = self.device.type == "cuda"
        # Fused: the GPU decides by itself whether a step counts, without waiting.
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=preset.rate, **({"fused": True} if is_gpu else {}))
        # Half's range is small: the loss is scaled up so that gradients don't vanish.
        self.scaler = grad_scaler(is_gpu)
        self.done, self.seconds, self.recent = 0, 0.0, 0.0
        if preset.tiles:
            generator = torch.Generator().manual_seed(arguments.seed)
            self.fixed = dataset.random_places(training, preset.tiles, preset.tile, generator, augment=False)
        self.here = dataset.on_device(self.places(), self.device)
        self.gradients = recorded(self.find_gradients) if is_gpu else self.find_gradients

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

    def progress(self):
        if self.arguments.minutes:
            return self.seconds / (60 * self.arguments.minutes)
        return self.done / self.arguments.steps

    def rate(self):
        """Rises over the first steps, then falls to 0 along a cosine."""
        fall = 0.5 + 0.5 * torch.cos(torch.tensor(min(self.progress(), 1.0) * torch.pi)).item()
        return self.preset.rate * min(1.0, (self.done + 1) / WARM_UP) * fall

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

    def find_gradients(self):
        with torch.autocast(self.device.type, enabled=False):  # so that weights in half are made once, not for each frame
            value = self.loss()
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(value).backward()
        return value.detach()

    def step(self):
        dataset.copy_to(self.places(), self.here)
        value = self.gradients().clone()
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.done += 1
        self.add_to_average()
        return value

    def add_to_average(self):
        keep = min(AVERAGE, self.done / (self.done + 10))
        with torch.no_grad():
            averages = list(self.average.parameters())
            torch._foreach_mul_(averages, keep)
            torch._foreach_add_(averages, list(self.network.parameters()), alpha=1 - keep)

    def state(self):
        return {"network": self.network.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict(),
                "scaler": self.scaler.state_dict(), "done": self.done, "seconds": self.seconds,
                "description": self.arguments.description, "preset": self.arguments.preset, "seed": self.arguments.seed}

    def restore(self, path):
        state = torch.load(path, map_location=self.device)
        for name in ("description", "preset", "seed"):
            if state[name] != getattr(self.arguments, name):
                raise SystemExit("%s was trained with another %s: %s, not %s" % (path, name, state[name], getattr(self.arguments, name)))
        for name in ("network", "average", "optimizer", "scaler"):
            getattr(self, name).load_state_dict(state[name])
        self.done, self.seconds = state["done"], state["seconds"]

    def write_checkpoint(self, path):
        torch.save(self.state(), path + ".part")
        os.replace(path + ".part", path)


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


def train(training, checkpoint):
    """Returns whether it came to the end."""
    begin, earlier, written = time.time(), training.seconds, time.time()
    recent, stop = [], training.arguments.stop
    while training.progress() < 1 and (stop is None or training.done < stop):
        recent.append(training.step())
        if training.done % 20 == 0 and training.device.type == "cuda":
            torch.cuda.synchronize()
        training.seconds = earlier + time.time() - begin
        if training.done % 500 == 0 or training.progress() >= 1:
            print("[%.1f s] step %d, loss %.5f" % (training.seconds, training.done, torch.stack(recent).mean()), flush=True)
            recent = []
        if time.time() - written > EVERY_SECONDS:
            training.write_checkpoint(checkpoint)
            written = time.time()
    training.write_checkpoint(checkpoint)
    return training.progress() >= 1


def main():
    arguments, preset = train_options.parse(__doc__)
    device = torch.device(arguments.device)
    if device.type == "cuda":  # processors only choose places of tiles, which takes 64 threads four times as long
        torch.set_num_threads(2)
    deterministic(arguments.seed)
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
    if not train(training, base + ".checkpoint"):
        print("stopped after step %d: %s.checkpoint" % (training.done, base))
        return

    made = {"preset": arguments.preset, "steps": training.done, "seed": arguments.seed,
            "minutes": arguments.minutes, "keep": arguments.keep, **({"temporal": arguments.temporal} if preset.frames else {}),
            **versions(device)}
    network = widened.narrow(training.average)
    network.keep(beginning(arguments), arguments.keep)
    networks.save(arguments.out, network, {"lacuna.training": json.dumps(made)})
    results = evaluate.evaluate(arguments.out, arguments.data, device, arguments.pictures)
    with open(base + ".json", "w") as file:
        json.dump({"training": made, "seconds": round(training.seconds, 1), "held_out": results}, file, indent=1)
    print("[%.1f s] %s" % (time.time() - begin, arguments.out))


if __name__ == "__main__":
    main()
