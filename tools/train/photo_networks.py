"""The networks for photographs, `mosaic` and `developed`: their descriptions, planes and results, in PyTorch.

Both see cells of 2x2 pixels and correct a base: Malvar's picture of the mosaic, or the input itself. Values are encoded as sRGB."""

import functools

import torch
import torch.nn.functional as F

import description as describing
import network as networks

CELL = 2  # pixels to a side
WIDTHS = {"mosaic": [64, 96, 128, 128], "developed": [96, 96, 112, 112]}  # channels at each scale, from the cells' on
DOWN = [2, 2, 2, 3]  # convolutions of a scale on the way down; the last scale has no way up
UP = [4, 2, 3]  # on the way up, without the last layer
COLOURS = [0, 1, 1, 2]  # of a cell of the mosaic: red, green; green, blue


def layers(widths):
    """A U-Net with most of its work at the fine scales, where demosaicing happens, and few weights at the coarse ones."""
    made = []

    def add(sources, channels, activation="relu"):
        made.append(describing.layer(len(made), sources, channels, activation))
        return made[-1]["name"]

    ends, name, scale = [], "input", "same"
    for width, count in zip(widths, DOWN):
        for _ in range(count):
            name, scale = add([(name, scale)], width), "same"
        ends.append(name)
        scale = "half"
    for width, count, end in reversed(list(zip(widths, UP, ends))):
        name = add([(name, "double"), (end, "same")], width)
        for _ in range(count - 1):
            name = add([(name, "same")], width)
    add([(name, "same")], 3 * CELL * CELL, "none")
    return made


def describe(name):
    channels = {"mosaic": 1, "developed": 3}[name] * CELL * CELL
    plane = {"mosaic": "mosaic", "developed": "colour"}[name]
    return {
        "version": 1,
        "name": name,
        "input": [{"plane": plane, "channels": channels}, {"plane": "sigma", "channels": channels}],
        "exposure": {"kind": "none"},
        "demodulate": None,
        "transfer": {"kind": "srgb"},
        "mix": [],
        "base": {"mosaic": "malvar", "developed": "input"}[name],
        "shuffle": CELL,
        "layers": layers(WIDTHS[name]),
    }


def initialise(network, seed):
    """The result begins near the base. Layers between the first and the last one hand on what they read, channel by channel, beside random weights
    (Zagoruyko and Komodakis 2017, DiracNets): so all scales take part from the first step."""
    network.initialise(seed)
    *inner, last = network.description["layers"]
    with torch.no_grad():
        network.convolutions[last["name"]].bias.zero_()
        for entry in inner[1:]:
            weight, first = network.convolutions[entry["name"]].weight, 0
            weight *= 0.5
            for source in entry["sources"]:
                for k in range(min(network.channels[source["layer"]], len(weight))):
                    weight[k, first + k, 1, 1] += 0.8 / len(entry["sources"])
                first += network.channels[source["layer"]]


def encode(x):
    return torch.where(x <= 0.0031308, 12.92 * x, 1.055 * x.clamp(min=0.0031308) ** (1 / 2.4) - 0.055)


def decode(y):
    return torch.where(y <= 0.04045, y / 12.92, ((y.clamp(min=0.04045) + 0.055) / 1.055) ** 2.4)


def encoded_sigma(x, s):
    return (encode(x + s) - encode(x - s)) / 2


def cells(x):
    return F.pixel_unshuffle(x, CELL)


def mosaic_planes(mosaic, gain, a, b):
    """mosaic: (B, 1, H, W), red first, balanced; gain: (B, 4, 1, 1), of a cell's pixels; a, b: (B, 1, 1, 1)."""
    x = cells(mosaic)
    return torch.cat([encode(x), encoded_sigma(x, gain * (a * (x / gain).clamp(min=0) + b).sqrt())], 1)


@functools.lru_cache
def malvar_filters(device):
    """Malvar, He, Cutler 2004: green; a colour beside its own in the row, in the column, and diagonally."""
    green = torch.tensor([[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]])
    row = torch.tensor([[0, 0, 0.5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, 0.5, 0, 0]])
    cross = torch.tensor([[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]])
    return torch.stack([green, row, row.T, cross])[:, None].float().to(device) / 8


def malvar(mosaic):
    """(B, 1, H, W), red first -> (B, 3, H, W)"""
    found = F.conv2d(F.pad(mosaic, (2, 2, 2, 2), mode="reflect"), malvar_filters(mosaic.device))
    own, (green, row, column, cross) = cells(mosaic), (cells(found[:, k:k + 1]) for k in range(4))
    of = lambda *planes: torch.stack([plane[:, k] for k, plane in enumerate(planes)], 1)
    colours = of(own, row, column, cross), of(green, own, own, green), of(cross, column, row, own)
    return torch.cat([F.pixel_shuffle(colour, CELL) for colour in colours], 1)


def corrected(base, y):
    return base + F.pixel_shuffle(y.float(), CELL)


def base_of(planes, description):
    """The picture that the network corrects, encoded."""
    channels = description["input"][0]["channels"]
    picture = F.pixel_shuffle(planes[:, :channels].float(), CELL)
    return malvar(picture) if description["base"] == "malvar" else picture


def result(network, planes):
    """Encoded."""
    return corrected(base_of(planes, network.description), network(planes))


def extended(x, network, top=0, left=0):
    """Reflected so that cells begin at a red pixel, up to a whole number of the coarsest scale's values."""
    size = CELL * describing.multiple(network.description)
    height, width = x.shape[-2] + top, x.shape[-1] + left
    x = torch.cat([x[..., 1:1 + top, :].flip(-2), x], -2)
    x = torch.cat([x[..., :, 1:1 + left].flip(-1), x], -1)
    return networks.pad(x, size), height, width


def develop_mosaic(network, mosaic, gains, a, b, top=0, left=0):
    """A whole mosaic, (1, 1, H, W) balanced; red is first after `top` more rows and `left` more columns. gains: of the three colours.
    Returns encoded RGB."""
    x, height, width = extended(mosaic, network, top, left)
    gain = torch.tensor([gains[colour] for colour in COLOURS], device=x.device, dtype=torch.float32).view(1, 4, 1, 1)
    noise = (torch.tensor(float(v), device=x.device).view(1, 1, 1, 1) for v in (a, b))
    return result(network, mosaic_planes(x, gain, *noise))[..., top:height, left:width]


def developed_planes(colour, sigma):
    """Both (B, 3, H, W) and encoded."""
    return torch.cat([cells(colour), cells(sigma)], 1)


def denoise_developed(network, colour, sigma):
    """A whole picture. Returns encoded RGB."""
    x, height, width = extended(colour, network)
    return result(network, developed_planes(x, extended(sigma, network)[0]))[..., :height, :width]
