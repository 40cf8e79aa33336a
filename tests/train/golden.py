#!/usr/bin/env python3
"""Writes small files of what PyTorch computes, for tests of inference: golden.py --out DIR [--data DIR] [WEIGHTS.safetensors...]

NETWORK.safetensors    a tiny network with random weights, as a weights file
NETWORK-HxW.safetensors  of an input of that size, for the tiny networks and those that are named; of a held-out scene in --data
                         for rgb-and, NETWORK-render:
  colour albedo normal depth  the planes, (channels, height, width), depth as a renderer has it
  exposure                    (1)
  input                       the network's input, of the extended size
  convolutionN                outputs of the layers, likewise: whole ones of tiny networks. Of others 64 elements: number
                              (7919 i) % count for i = 0 to 63, counted through (channels, height, width)
  output                      denoised colours, (3, height, width)
NETWORK-HxW-frames.safetensors  of networks with history: PLANE-K and output-K of three frames
tiny-mosaic-PATTERN, tiny-developed-HxW  of networks for photographs: picture (linear), noise (as cnn-unet's connector has it), output
The networks are computed in float64. All but the exposure is stored in half."""

import argparse
import os
import sys

import numpy
import torch

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "train")
sys.path.insert(0, TOOLS)

import description as describing
import judge_sequences
import network as networks
import photo_networks
import transfer
import weights_file

SAMPLES, STRIDE = 64, 7919


FRAMES = 3


def tiny_layers(results):
    """Every way to read a source, with odd numbers of channels."""
    def layer(name, channels, *sources, activation="relu"):
        return {"name": name, "channels": channels, "activation": activation,
                "sources": [{"layer": source, "scale": scale} for source, scale in sources]}

    return [layer("convolution0", 5, ("input", "same")), layer("convolution1", 6, ("convolution0", "half")),
            layer("convolution2", 7, ("convolution1", "half")),
            layer("convolution3", 6, ("convolution2", "double"), ("convolution1", "same")),
            layer("convolution4", 5, ("convolution3", "double"), ("convolution0", "same")),
            layer("convolution5", results, ("convolution4", "same"), activation="none")]


def tiny(features, demodulate):
    return initialised(networks.Network(describing.describe(features, demodulate, tiny_layers(3))))


def initialised(network):
    network.initialise(7)
    generator = torch.Generator().manual_seed(8)
    for convolution in network.convolutions.values():  # biases show where borders are wrong
        with torch.no_grad():
            convolution.bias.add_(0.5 * torch.rand(convolution.bias.shape, generator=generator))
    with torch.no_grad():
        network.convolutions["convolution5"].weight.mul_(3)
    return network


PHASES = {"rggb": (0, 0), "grbg": (0, 1), "gbrg": (1, 0), "bggr": (1, 1)}  # rows and columns before red's


def at_own_borders(encoded, x, network, top, left):
    """The base reflects the picture at its borders, not the extended one, as photo_networks does."""
    height, width = x.shape[-2:]
    extended, below, right = photo_networks.extended(photo_networks.encode(x), network, top, left)
    wide = torch.nn.functional.pad(photo_networks.encode(x), (2 + left, 2 + (width + left) % 2, 2 + top, 2 + (height + top) % 2), mode="reflect")
    base = photo_networks.malvar(wide)[..., 2 + top:2 + top + height, 2 + left:2 + left + width]
    return encoded - photo_networks.malvar(extended)[..., top:below, left:right] + base


def write_photographs(folder, height=13, width=18):
    """In float32."""
    draw, written = numpy.random.Generator(numpy.random.PCG64(11)), []

    def keep(name, picture, noise, encoded):
        path = os.path.join(folder, name + ".safetensors")
        weights_file.write(path, {"picture": picture, "noise": numpy.array(noise, numpy.float32),
                                  "output": photo_networks.decode(encoded)[0].numpy().astype(numpy.float16)}, {})
        written.append(path)

    for name in ("mosaic", "developed"):
        path = os.path.join(folder, "tiny-%s.safetensors" % name)
        networks.save(path, initialised(networks.Network({**photo_networks.describe(name), "layers": tiny_layers(12)})))
        network = networks.load(path).eval()
        written.append(path)
        for pattern, (top, left) in PHASES.items() if name == "mosaic" else [("%dx%d" % (height, width), (0, 0))]:
            planes = 1 if name == "mosaic" else 3
            picture = (draw.random((planes, height, width)) * (1.6 if planes == 1 else 1.0) - 0.02).clip(-0.02 if planes == 1 else 0).astype(numpy.float16)
            x = torch.from_numpy(picture.astype(numpy.float32))[None]
            with torch.no_grad():
                if planes == 1:
                    noise = [2.0, 1.0, 1.5, 0.0032, 3e-5]
                    encoded = photo_networks.develop_mosaic(network, x, noise[:3], *noise[3:], top, left)
                    encoded = at_own_borders(encoded, x, network, top, left)
                else:
                    noise = [0.03, 0.5, 0.01, 0.0]
                    sigma = noise[0] * ((x + noise[2]) / (1 + noise[2])) ** noise[1]
                    encoded = photo_networks.denoise_developed(network, photo_networks.encode(x), photo_networks.encoded_sigma(x, sigma))
            keep("tiny-%s-%s" % (name, pattern), picture, noise, encoded)
    return written


def smallest():
    """For matrices where they are emulated, whose compilers take long."""
    layers = [{"name": "convolution0", "channels": 4, "activation": "relu", "sources": [{"layer": "input", "scale": "same"}]},
              {"name": "convolution1", "channels": 3, "activation": "none",
               "sources": [{"layer": "convolution0", "scale": "same"}, {"layer": "input", "scale": "same"}]}]
    network = networks.Network(describing.describe("rgb-and-past-svgf", None, layers))
    network.initialise(9)
    return network


def random_sequence(height, width):
    """Frames in which surfaces are told apart without doubt: blocks of 4x4 pixels with one of two depths and of two opposite normals."""
    draw = numpy.random.Generator(numpy.random.PCG64(2000 * height + width))
    sides = -(-height // 4), -(-width // 4)
    choice = draw.random(sides).repeat(4, 0).repeat(4, 1)[:height, :width] < 0.3
    frames = []
    for k in range(FRAMES):
        planes = {name: plane.numpy().astype(numpy.float64) for name, plane in random_planes(height + k, width, "rgb-and", False).items()}
        planes = {name: plane[:, :height] for name, plane in planes.items()}
        planes["depth"] = numpy.where(choice, 2.0, 8.0)[None]
        planes["normal"] = numpy.where(choice, 1.0, -1.0) * numpy.array([0.6, 0.0, 0.8]).reshape(3, 1, 1)
        planes["motion"] = draw.normal(0, 1, (2, 1, 1)) + 0.25 * draw.integers(-1, 2, (2, height, width))
        planes["motion"][:, draw.random((height, width)) < 0.05] = numpy.nan
        planes["filtered"] = numpy.exp(draw.normal(-2, 0.5, (3, height, width)))
        frames.append({name: torch.from_numpy(plane.astype(numpy.float16)) for name, plane in planes.items()})
    return frames


def write_sequence(folder, name, network, size):
    """What judge_sequences computes, in float32."""
    frames, tensors = random_sequence(*size), {}
    for k, frame in enumerate(frames):
        tensors.update({"%s-%d" % (plane, k): value.numpy() for plane, value in frame.items()})
    made = judge_sequences.denoised(network.float(), [{plane: value.float() for plane, value in frame.items()} for frame in frames])
    tensors.update({"output-%d" % k: colour.numpy().astype(numpy.float16) for k, colour in enumerate(made)})
    path = os.path.join(folder, "%s-%dx%d-frames.safetensors" % (name, *size))
    weights_file.write(path, tensors, {})
    return path


def random_planes(height, width, features, damaged):
    """Colours over many stops with fireflies, in values that half holds. damaged: with NaN, infinities and negative values."""
    draw = numpy.random.Generator(numpy.random.PCG64(1000 * height + width))
    planes = {"colour": numpy.exp(draw.normal(-2, 1.5, (3, height, width))), "albedo": draw.random((3, height, width)),
              "normal": draw.normal(0, 0.6, (3, height, width)), "depth": 0.5 + 8 * draw.random((1, height, width))}
    planes["colour"][:, draw.random((height, width)) < 0.02] = 300.0
    planes["albedo"][:, draw.random((height, width)) < 0.1] = 0.0
    planes["depth"][:, draw.random((height, width)) < 0.1] = numpy.inf
    if damaged:
        for k, value in enumerate((numpy.nan, numpy.inf, -numpy.inf, -1.0)):
            planes["colour"][k % 3, height * (k + 1) // 6, width * (k + 1) // 6] = value
    wanted = [entry[0] for entry in describing.FEATURES[features]]
    return {name: torch.from_numpy(planes[name].astype(numpy.float16)) for name in wanted}


def compute(network, planes):
    """(exposure, values of layers, output)"""
    settings = network.description
    ready = dict(planes)
    if "depth" in ready:
        ready["depth"] = transfer.depth_feature(ready["depth"].float())
    factor = transfer.exposure(planes["colour"].float(), settings["exposure"])
    x = networks.pad(transfer.network_input(ready, factor, settings)[None], describing.multiple(settings))
    with torch.no_grad():
        values = network.double().all_layers(x.double())
    height, width = planes["colour"].shape[1:]
    y = values[settings["layers"][-1]["name"]][0, :, :height, :width].float()
    return factor, {name: value[0] for name, value in values.items()}, transfer.network_output(y, ready, settings, factor) / factor


def rendered_planes(data):
    """Of a part of the first held-out scene with thin things in it."""
    noisy = numpy.load(os.path.join(data, "held-000", "noisy.npy"))[0, 0]
    depth = numpy.load(os.path.join(data, "held-000", "depth.npy"))[0]
    planes = numpy.concatenate([noisy, depth[..., None].clip(0, 65504)], -1)[120:168, 150:214].transpose(2, 0, 1).astype(numpy.float16)
    return {name: torch.from_numpy(planes[first:last].copy()) for name, first, last in
            (("colour", 0, 3), ("albedo", 3, 6), ("normal", 6, 9), ("depth", 9, 10))}


def write(folder, name, network, planes, whole):
    factor, values, output = compute(network, planes)
    tensors = {plane: value.numpy() for plane, value in planes.items()}
    tensors["exposure"] = numpy.array([factor], numpy.float32)
    for layer, value in values.items():
        flat = value.reshape(-1)
        chosen = value if whole else flat[torch.arange(SAMPLES) * STRIDE % flat.numel()]
        tensors[layer] = chosen.numpy().astype(numpy.float16)
    tensors["output"] = output.numpy().astype(numpy.float16)
    path = os.path.join(folder, name + ".safetensors")
    weights_file.write(path, tensors, {})
    return path


def write_random(folder, name, network, size, whole, damaged=False):
    return write(folder, "%s-%dx%d" % (name, *size), network, random_planes(*size, network.description["name"], damaged), whole)


def write_all(folder, trained, data=None):
    os.makedirs(folder, exist_ok=True)
    written = []
    for name, features, demodulate in (("tiny-rgb", "rgb", None), ("tiny-rgb-and", "rgb-and", 0.05)):
        path = os.path.join(folder, name + ".safetensors")
        networks.save(path, tiny(features, demodulate))
        network = networks.load(path)
        written += [path, write_random(folder, name, network, (17, 1), True)]
        if features == "rgb":
            written.append(write_random(folder, name, network, (64, 64), False, damaged=True))
        else:
            written.append(write_random(folder, name, network, (33, 47), True))
    for name, network in (("tiny-rgb-and-past", tiny("rgb-and-past", None)), ("tiny-rgb-and-past-svgf", tiny("rgb-and-past-svgf", None)),
                          ("smallest-past", smallest())):
        path = os.path.join(folder, name + ".safetensors")
        networks.save(path, network)
        written += [path, write_sequence(folder, name, networks.load(path), (21, 34))]
    written += write_photographs(folder)
    for path in trained:
        network, name = networks.load(path), os.path.splitext(os.path.basename(path))[0]
        if describing.is_temporal(network.description):
            written.append(write_sequence(folder, name, network, (21, 34)))
            continue
        written.append(write_random(folder, name, network, (17, 1), False))
        if network.description["name"] == "rgb-and":
            written.append(write_random(folder, name, network, (33, 47), False))
            if data:
                written.append(write(folder, name + "-render", network, rendered_planes(data), False))
    return written


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--data", help="a folder that render.py has filled with the preset lacuna")
    parser.add_argument("trained", nargs="*", metavar="WEIGHTS.safetensors")
    arguments = parser.parse_args()
    for file in write_all(arguments.out, arguments.trained, arguments.data):
        print("%7d %s" % (os.path.getsize(file), file))
