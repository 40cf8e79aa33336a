"""Rendered sequences as tensors on the device that trains, and tiles of consecutive frames cut from them."""

import json
import math
import os
from dataclasses import dataclass

import numpy
import torch

import dataset
import history
import transfer

COLOURS = ("colour", "reference", "filtered")


@dataclass
class Sequences:
    """(n, frames, h, w, c) each, half. Colours are multiplied by a number for each sequence, the mean of its exposures."""
    colour: torch.Tensor
    reference: torch.Tensor
    filtered: torch.Tensor
    albedo: torch.Tensor
    normal: torch.Tensor
    depth: torch.Tensor  # as returned by transfer.depth_feature
    accumulated: torch.Tensor  # history.History
    base: torch.Tensor  # history.reproject, int16
    weights: torch.Tensor
    exposure: torch.Tensor  # (n, frames): exposures for the colours stored here
    samples: torch.Tensor  # (n)


def frames_of(folder, device):
    """Planes (channels, height, width) of each frame by name, as a renderer delivers them."""
    names = (*COLOURS, "albedo", "normal", "depth", "motion")
    arrays = {name: numpy.load(os.path.join(folder, name + ".npy")) for name in names}

    def plane(array):
        tensor = torch.from_numpy(array).to(device).float()
        return tensor[None] if tensor.dim() == 2 else tensor.permute(2, 0, 1)

    return [{name: plane(array[k]) for name, array in arrays.items()} for k in range(len(arrays["colour"]))]


def with_history(frames, description):
    """Adds `base`, `weights` and `accumulated` to the frames of a sequence; returns the frames' exposures."""
    past = history.History(description["history"])
    for frame in frames:
        planes = (frame[name] for name in ("colour", "albedo", "normal", "depth", "motion"))
        frame["base"], frame["weights"], frame["accumulated"] = past.add(*planes)
    return [transfer.exposure(frame["colour"], description["exposure"]) for frame in frames]


def packed(frames, exposures):
    """A sequence's (frames, h, w, c) by name, and exposures of these."""
    scale = math.exp(sum(map(math.log, exposures)) / len(exposures))
    rows = []
    for frame in frames:
        row = {name: transfer.clean(frame[name], 65504.0) * scale for name in COLOURS}
        row["accumulated"] = torch.cat([frame["accumulated"][:5] * scale, frame["accumulated"][5:]])
        row.update(albedo=transfer.clean(frame["albedo"], 1.0), normal=torch.nan_to_num(frame["normal"]),
                   depth=transfer.depth_feature(frame["depth"]), weights=frame["weights"])
        row = {name: value.clamp(-65504, 65504).half() for name, value in row.items()}
        rows.append({name: value.permute(1, 2, 0) for name, value in {**row, "base": frame["base"].short()}.items()})
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}, torch.tensor(exposures) / scale


def load(folder, description, device):
    """The training sequences of a folder of render.py."""
    with open(os.path.join(folder, "index.json")) as file:
        entries = [entry for entry in json.load(file)["scenes"] if not entry["held_out"]]
    if not entries:
        raise ValueError("%s has no training scenes" % folder)
    found, exposures = {}, []
    for k, entry in enumerate(entries):
        frames = frames_of(os.path.join(folder, entry["scene"]), device)
        one, factors = packed(frames, with_history(frames, description))
        for name, value in one.items():
            found.setdefault(name, torch.empty((len(entries),) + value.shape, dtype=value.dtype, device=device))[k] = value
        exposures.append(factors)
    samples = torch.tensor([entry["samples"][0][0] for entry in entries], device=device)
    return Sequences(exposure=torch.stack(exposures).to(device), samples=samples, **found)


@dataclass
class Places(dataset.Places):
    """`picture` is a sequence."""
    start: torch.Tensor  # first frame


def random_places(sequences, count, tile, generator, unroll):
    """Half of them begin with the sequence, so that networks see what has no history."""
    frames, height, width = sequences.colour.shape[1:4]
    places = dataset.random_places_of((len(sequences.colour), height, width), count, tile, generator)
    start = torch.randint(frames - unroll + 1, (count,), generator=generator)
    begins = torch.rand(count, generator=generator) < 0.5
    return Places(**vars(places), start=torch.where(begins, torch.zeros_like(start), start))


@dataclass
class Tiles:
    """n tiles of consecutive frames."""
    planes: dict  # (n, frames, c, h, w)
    reference: torch.Tensor
    exposure: torch.Tensor  # (n, frames, 1, 1, 1)
    index: torch.Tensor  # (n, frames, 4, h * w): the pixels of the last frame that show the same surface
    weights: torch.Tensor  # (n, frames, 4, h, w)
    last: tuple  # colour and albedo before the first frame; the colour is svgf's

    def frame(self, k):
        return {name: plane[:, k] for name, plane in self.planes.items()}


def cut(sequences, places, tile, unroll):
    device = sequences.colour.device
    sequence, y0, x0, turn = (value.view(-1, 1, 1, 1) for value in (places.picture, places.y, places.x, places.turn))
    steps = torch.arange(tile, device=device)
    rows, columns = steps.view(1, 1, -1, 1), steps.view(1, 1, 1, -1)
    swapped, up, left = (turn & 4) > 0, (turn & 1) > 0, (turn & 2) > 0
    y, x = torch.where(swapped, columns, rows), torch.where(swapped, rows, columns)
    y, x = y0 + torch.where(up, tile - 1 - y, y), x0 + torch.where(left, tile - 1 - x, x)
    frames = places.start.view(-1, 1, 1, 1) + torch.arange(unroll, device=device).view(1, -1, 1, 1)
    before = (frames[:, :1] - 1).clamp(min=0)
    factor = torch.exp2(places.stops).view(-1, 1, 1, 1, 1)

    def take(name, at=frames):
        return getattr(sequences, name)[sequence, at, y, x].float().permute(0, 1, 4, 2, 3)

    def recoloured(found):
        return found.gather(2, places.channels.view(-1, 1, 3, 1, 1).expand_as(found))

    past = take("accumulated")
    planes = {name: recoloured(take(name)) * factor for name in ("colour", "filtered")}
    planes["accumulated"] = torch.cat([recoloured(past[:, :, :3]) * factor, past[:, :, 3:5] * factor, past[:, :, 5:]], 2)
    planes.update(albedo=recoloured(take("albedo")), depth=take("depth"),
                  normal=torch.einsum("bij,btjhw->btihw", places.rotation, take("normal")))
    index, weights = tile_taps(take("base"), take("weights"), (y0, x0), (swapped, up, left), tile)
    return Tiles(planes, recoloured(take("reference")) * factor, sequences.exposure[sequence, frames][..., None], index, weights,
                 (recoloured(take("filtered", before))[:, 0] * factor[:, 0], recoloured(take("albedo", before))[:, 0]))


def tile_taps(base, weights, origin, turned, tile):
    """Taps as places in the turned tile; those outside it are lost."""
    (y0, x0), (swapped, up, left) = origin, turned
    at, kept = [], []
    for k, (dy, dx) in enumerate(history.TAPS):
        y, x = base[:, :, 0].long() + dy - y0, base[:, :, 1].long() + dx - x0
        y, x = torch.where(up, tile - 1 - y, y), torch.where(left, tile - 1 - x, x)
        row, column = torch.where(swapped, x, y), torch.where(swapped, y, x)
        kept.append(weights[:, :, k] * ((row >= 0) & (row < tile) & (column >= 0) & (column < tile)))
        at.append(row.clamp(0, tile - 1) * tile + column.clamp(0, tile - 1))
    kept = torch.stack(kept, 2)
    total = kept.sum(2, keepdim=True)
    return torch.stack(at, 2).flatten(3), torch.where(total > 0.01, kept / total.clamp(min=0.01), torch.zeros_like(kept))


def warped(last, albedo, index, weights):
    """The last output here, the same relit (its light on this frame's albedo), and 1 where there is one. last: colour and albedo"""
    colour, before = last
    found = history.Warp.apply(torch.cat([colour, colour / history.divisor(before)], 1), index, weights)
    valid = (weights.sum(1, keepdim=True) > 0.01).float()
    return torch.cat([found[:, :3], found[:, 3:] * history.divisor(albedo), valid], 1)


def denoise(network, planes, exposure, before, results):
    """A frame: (the last layer's results, colours). before: (last, index, weights) for warped(); results: of the network for its input"""
    last, index, weights = before
    planes = {**planes, "warped": warped(last, planes["albedo"], index, weights)}
    y = results(transfer.network_input(planes, exposure, network.description))
    return y, transfer.network_output(y, planes, network.description, exposure) / exposure
