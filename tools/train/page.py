#!/usr/bin/env python3
"""Makes the pictures of modules/cnn-unet/README.md from what compare.py has written:
page.py lacuna --data DIR --compared DIR --weights DIR --lacuna build/release/lacuna --out examples/pictures

cnn-unet.jpg         whole scenes: noisy, denoised, reference
cnn-unet-crops.jpg   crops: noisy, all methods, reference
cnn-unet-samples.jpg one scene at 1, 4, 16, 64 and 1024 samples, and the same denoised"""

import argparse
import os
import tempfile

import numpy

import looks
import render
from presets import PRESETS

WHOLE = ["held-000", "held-005", "held-011"]
CROPS = [("held-000", 150, 130), ("held-003", 195, 215), ("held-001", 200, 190), ("held-008", 150, 190)]  # scene, left, top
CROP = 128
METHODS = ["noisy", "eaw", "svgf", "rhf", "cnn-rgb", "cnn-rgb-and", "reference"]
SAMPLES, PART = [1, 4, 16, 64, 1024], 64  # PART: the most samples of a frame that CPU devices can trace
SAMPLES_SCENE, SAMPLES_SIZE = "held-011", (192, 192)
MEAN = 0.2  # of the reference, as it is shown


def write_jpeg(lacuna, path, pixels):
    """(height, width, 3), linear."""
    with tempfile.TemporaryDirectory() as folder:
        numpy.save(os.path.join(folder, "pixels.npy"), pixels.astype("f4"))
        render.run(lacuna, 'lacuna:1\nmodule:i-npy:01\nmodule:o-jpg:01\nparam:i-npy:01:filename:"pixels.npy"\n'
                   'param:i-npy:01:colour:rec709\nparam:o-jpg:01:filename:"%s"\nparam:o-jpg:01:quality:88\n'
                   "connect:i-npy:01:output:o-jpg:01:input\n" % os.path.abspath(path), folder)


def shown(folder, names, part=(slice(None), slice(None))):
    """Pictures of a scene beside each other, as bright as each other."""
    reference = numpy.load(os.path.join(folder, "reference.npy"))
    scale = MEAN / reference[part].mean()
    return numpy.concatenate([numpy.load(os.path.join(folder, name + ".npy"))[part][..., :3].astype("f4") * scale for name in names], 1)


def halved(pixels):
    """Display values are averaged, so that fireflies don't become stars."""
    display = numpy.clip(pixels, 0, 1) ** (1 / 2.2)
    return display.reshape(pixels.shape[0] // 2, 2, pixels.shape[1] // 2, 2, 3).mean((1, 3)) ** 2.2


def traced(preset, data, lacuna, folder):
    """Planes by number of samples, means of frames."""
    frames = [samples for samples in SAMPLES if samples <= PART]
    rest = [PART] * (SAMPLES[-1] // PART)
    scene = os.path.abspath(os.path.join(data, "scenes", SAMPLES_SCENE + ".scene"))
    render.run(lacuna, render.graph_text(scene, SAMPLES_SIZE, frames + rest, looks.look_of(preset, SAMPLES_SCENE)), folder)

    def mean(plane, which):
        return sum(numpy.load(os.path.join(folder, "%s_%04d.npy" % (plane, frame))).astype("f8") for frame in which) / len(which)

    groups = [[frame] for frame in range(len(frames))] + [range(len(frames), len(frames) + len(rest))]
    return [{plane: mean(plane, which).astype("f4") for plane in render.PLANES} for which in groups]


def denoised(planes, weights, lacuna, folder):
    lines = ["lacuna:1", "module:cnn-unet:01", 'param:cnn-unet:01:weights:"%s"' % os.path.join(os.path.abspath(weights), "rgb-and.safetensors"),
             "module:o-npy:01", 'param:o-npy:01:filename:"out.npy"', "connect:cnn-unet:01:output:o-npy:01:input"]
    for plane, values in planes.items():
        numpy.save(os.path.join(folder, plane + ".npy"), values)
        lines += ["module:i-npy:" + plane, 'param:i-npy:%s:filename:"%s.npy"' % (plane, plane),
                  "connect:i-npy:%s:output:cnn-unet:01:%s" % (plane, "input" if plane == "colour" else plane)]
        if plane in ("normal", "depth"):
            lines.append("param:i-npy:%s:channels:%s" % (plane, plane))
    lines.append("param:i-npy:colour:colour:rec709")
    render.run(lacuna, "\n".join(lines) + "\n", folder)
    return numpy.load(os.path.join(folder, "out.npy"))


def samples_strip(preset, data, weights, lacuna):
    with tempfile.TemporaryDirectory() as folder:
        pictures = traced(preset, data, lacuna, folder)
        rows = [[planes["colour"][..., :3] for planes in pictures], [denoised(planes, weights, lacuna, folder)[..., :3] for planes in pictures]]
    return numpy.concatenate([numpy.concatenate(row, 1) for row in rows]) * (MEAN / pictures[-1]["colour"][..., :3].mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(PRESETS))
    for option, text in (("data", "a folder that render.py has filled"), ("compared", "what compare.py has written"),
                         ("weights", "a folder with rgb-and.safetensors"), ("lacuna", "the program"), ("out", "for the pictures")):
        parser.add_argument("--" + option, required=True, help=text)
    arguments = parser.parse_args()
    lacuna = os.path.abspath(arguments.lacuna)
    folders = {scene: os.path.join(arguments.compared, scene) for scene in WHOLE + [crop[0] for crop in CROPS]}
    whole = [halved(shown(folders[scene], ["noisy", "cnn-rgb-and", "reference"])) for scene in WHOLE]
    crops = [shown(folders[scene], METHODS, (slice(y, y + CROP), slice(x, x + CROP))) for scene, x, y in CROPS]
    for name, pixels in (("cnn-unet", numpy.concatenate(whole)), ("cnn-unet-crops", numpy.concatenate(crops)),
                         ("cnn-unet-samples", samples_strip(arguments.preset, arguments.data, arguments.weights, lacuna))):
        write_jpeg(lacuna, os.path.join(arguments.out, name + ".jpg"), pixels)


if __name__ == "__main__":
    main()
