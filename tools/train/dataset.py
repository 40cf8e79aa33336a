"""Rendered scenes as tensors on the device that trains, and tiles cut from them."""

import json
import os
from dataclasses import dataclass

import numpy
import torch

import transfer


@dataclass
class Pictures:
    """Of n noisy pictures: (n, h, w, c) each; `view` says which depth and reference belong to a picture."""
    colour: torch.Tensor  # half, times the exposure
    albedo: torch.Tensor
    normal: torch.Tensor
    exposure: torch.Tensor  # (n)
    samples: torch.Tensor  # (n)
    view: torch.Tensor  # (n)
    depth: torch.Tensor  # (views, h, w, 1), as returned by transfer.depth_feature
    reference: torch.Tensor  # (views, h, w, 3), half; without the exposure
    scale: torch.Tensor  # (views): references are divided by it, so that half holds them
    scenes: list  # (views) names


def load(folder, held_out, exposure_settings, device):
    """The training scenes of a folder of render.py, or the held-out ones."""
    with open(os.path.join(folder, "index.json")) as file:
        index = json.load(file)
    noisy, depth, reference, samples, names = [], [], [], [], []
    for entry in index["scenes"]:
        if entry["held_out"] != held_out:
            continue
        arrays = {name: torch.from_numpy(numpy.load(os.path.join(folder, entry["scene"], name + ".npy")))
                  for name in ("noisy", "depth", "reference")}
        noisy.append(arrays["noisy"])
        depth.append(arrays["depth"])
        reference.append(arrays["reference"])
        samples += sum(entry["samples"], [])
        names += [entry["scene"]] * len(entry["samples"])
    if not noisy:
        raise ValueError("%s has no %s scenes" % (folder, "held-out" if held_out else "training"))
    noisy, depth, reference = (torch.cat(parts) for parts in (noisy, depth, reference))
    views, pictures = noisy.shape[:2]
    noisy = noisy.flatten(0, 1).to(device)

    def exposed(k):
        colour = noisy[k, ..., :3].float()
        factor = transfer.exposure(colour.permute(2, 0, 1), exposure_settings)
        return (transfer.clean(colour, 65504.0) * factor).clamp(max=65504.0).half(), factor

    colours, exposures = zip(*(exposed(k) for k in range(len(noisy))))
    scale = torch.tensor(exposures, dtype=torch.float64).view(views, pictures).log().mean(1).exp().reciprocal().float().to(device)
    reference = reference.to(device) / scale.view(-1, 1, 1, 1)
    depth = torch.stack([transfer.depth_feature(d[None].to(device)) for d in depth]).permute(0, 2, 3, 1)
    return Pictures(colour=torch.stack(colours), albedo=noisy[..., 3:6].contiguous(), normal=noisy[..., 6:9].contiguous(),
                    exposure=torch.tensor(exposures, device=device), samples=torch.tensor(samples, device=device),
                    view=torch.arange(views, device=device).repeat_interleave(pictures), depth=depth.half(),
                    reference=reference.clamp(max=65504.0).half(), scale=scale, scenes=names)


def random_rotations(count, generator):
    """(count, 3, 3) orthogonal matrices, reflections among them: a renderer's world may lie in any way."""
    q, r = torch.linalg.qr(torch.randn(count, 3, 3, generator=generator))
    return q * torch.sign(torch.diagonal(r, dim1=1, dim2=2))[:, None, :]


@dataclass
class Places:
    """Where tiles are cut, and how they are turned."""
    picture: torch.Tensor
    y: torch.Tensor
    x: torch.Tensor
    turn: torch.Tensor  # 0 to 7: bits flip rows, flip columns, exchange both
    rotation: torch.Tensor
    stops: torch.Tensor  # by which the exposure is off
    channels: torch.Tensor  # (count, 3): red, green and blue in another order


def random_places(pictures, count, tile, generator, augment=True):
    return random_places_of(pictures.colour.shape[:3], count, tile, generator, augment)


def random_places_of(shape, count, tile, generator, augment=True):
    """Drawn on the CPU: the same on every device. shape: number of pictures, their height and width"""
    n, height, width = shape

    def whole(limit):
        return torch.randint(limit, (count,), generator=generator)

    return Places(picture=whole(n), y=whole(height - tile + 1), x=whole(width - tile + 1),
                  turn=whole(8) if augment else torch.zeros(count, dtype=torch.int64),
                  rotation=random_rotations(count, generator) if augment else torch.eye(3).expand(count, 3, 3),
                  stops=(torch.rand(count, generator=generator) * 2 - 1) * (1.0 if augment else 0.0),
                  channels=torch.rand(count, 3, generator=generator).argsort(1) if augment else torch.arange(3).expand(count, 3))


def some_of(places, chosen):
    return Places(**{name: value[chosen] for name, value in vars(places).items()})


def on_device(places, device):
    return type(places)(**{name: value.to(device) for name, value in vars(places).items()})


def copy_to(places, others):
    """Into tensors on a device, without waiting for the steps that are still being computed."""
    for name, value in vars(places).items():
        getattr(others, name).copy_(value.pin_memory() if torch.cuda.is_available() else value, non_blocking=True)


def cut(pictures, places, tile):
    """(planes for transfer.network_input with colour already exposed, references exposed alike): NCHW, float32. Places are on the
    pictures' device."""
    device = pictures.colour.device
    picture, y0, x0, turn = (value.view(-1, 1, 1) for value in (places.picture, places.y, places.x, places.turn))
    steps = torch.arange(tile, device=device)
    rows, columns = steps.view(1, -1, 1), steps.view(1, 1, -1)
    swapped = (turn & 4) > 0
    y, x = torch.where(swapped, columns, rows), torch.where(swapped, rows, columns)
    y = y0 + torch.where((turn & 1) > 0, tile - 1 - y, y)
    x = x0 + torch.where((turn & 2) > 0, tile - 1 - x, x)
    view = pictures.view[picture]
    factor = torch.exp2(places.stops).view(-1, 1, 1, 1)

    def take(plane, index):
        return plane[index, y, x].float().permute(0, 3, 1, 2)

    def colours(plane, index):
        found = take(plane, index)
        return found.gather(1, places.channels.view(-1, 3, 1, 1).expand_as(found))

    normal = torch.einsum("bij,bjhw->bihw", places.rotation, take(pictures.normal, picture))
    planes = {"colour": colours(pictures.colour, picture) * factor, "albedo": colours(pictures.albedo, picture), "normal": normal,
              "depth": take(pictures.depth, view)}
    exposure = (pictures.exposure[picture] * pictures.scale[view]).view(-1, 1, 1, 1)
    return planes, colours(pictures.reference, view) * exposure * factor
