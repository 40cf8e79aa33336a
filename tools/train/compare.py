#!/usr/bin/env python3
"""Denoises the held-out scenes of a folder of render.py by all methods and prints how good each is:
compare.py lacuna --data DIR --weights DIR --lacuna build/release/lacuna --out DIR

The picture of a scene is its first of 4 samples, rendered again: rhf needs its histograms. Each method gets what it can take of it.
OUT/SCENE has NOISY.npy, REFERENCE.npy and METHOD.npy, which page.py shows."""

import argparse
import os

import numpy
import torch

import looks
import metrics
import render
import scenes
from presets import PRESETS

FILTERS = {  # the module, and the planes of pathtrace that it takes
    "eaw": ("eaw", []),
    "svgf": ("svgf", ["albedo", "normal", "depth"]),
    "rhf": ("rhf", ["histogram"]),
    "cnn-rgb": ("cnn-unet", []),
    "cnn-rgb-and": ("cnn-unet", ["albedo", "normal", "depth"]),
}


def graph_text(preset_name, scene, data, weights):
    """Frame 0 of what render.py runs, through all filters."""
    preset = PRESETS[preset_name]
    views, _ = render.frames_of(preset_name, scene)
    scene_file = os.path.abspath(os.path.join(data, "scenes", scene + ".scene"))
    text = render.graph_text(scene_file, preset.size, views[0][:1], looks.look_of(preset_name, scene))
    lines = [line for line in text.split("\n") if "o-npy" not in line]
    for name, source in [("noisy", "pathtrace:01")] + [(method, "%s:%s" % (FILTERS[method][0], method)) for method in FILTERS]:
        if name in FILTERS:
            module, planes = FILTERS[name]
            lines += ["module:" + source, "connect:pathtrace:01:output:%s:input" % source]
            lines += ["connect:pathtrace:01:%s:%s:%s" % (plane, source, plane) for plane in planes]
            if module == "cnn-unet":
                file = os.path.join(os.path.abspath(weights), name[len("cnn-"):] + ".safetensors")
                lines.append('param:%s:weights:"%s"' % (source, file))
            elif module == "eaw":
                lines.append("param:%s:precision:f32" % source)  # as in `lacuna denoise`
        lines += ["module:o-npy:" + name, 'param:o-npy:%s:filename:"%s.npy"' % (name, name), "connect:%s:output:o-npy:%s:input" % (source, name)]
    return "\n".join(lines) + "\n"


def compare(preset_name, data, weights, lacuna, out):
    """relMSE of each method, a row a scene."""
    rows = []
    for scene in scenes.scene_names(preset_name)[1]:
        folder = os.path.join(out, scene)
        os.makedirs(folder, exist_ok=True)
        render.run(lacuna, graph_text(preset_name, scene, data, weights), folder)
        reference = numpy.load(os.path.join(data, scene, "reference.npy"))[0].astype("f4")
        numpy.save(os.path.join(folder, "reference.npy"), reference)
        pictures = {name: numpy.load(os.path.join(folder, name + ".npy"))[..., :3].astype("f4") for name in ["noisy", *FILTERS]}
        rows.append({"scene": scene, **{name: metrics.rel_mse(*map(torch.from_numpy, (picture, reference))) for name, picture in pictures.items()}})
        print("| %s | %s |" % (scene, " | ".join("%.5f" % rows[-1][name] for name in pictures)), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(PRESETS))
    for option, text in (("data", "a folder that render.py has filled"), ("weights", "a folder with rgb.safetensors and so on"),
                         ("lacuna", "the program"), ("out", "for the pictures")):
        parser.add_argument("--" + option, required=True, help=text)
    arguments = parser.parse_args()
    scenes.write_scenes(arguments.preset, os.path.join(arguments.data, "scenes"))
    print("| scene | noisy | %s |\n|%s" % (" | ".join(FILTERS), "---|" * (len(FILTERS) + 2)))
    rows = compare(arguments.preset, arguments.data, arguments.weights, os.path.abspath(arguments.lacuna), arguments.out)
    ratios = {name: metrics.by_kind(rows, lambda row: row["noisy"] / row[name]) for name in FILTERS}
    for kind in ratios["eaw"]:
        print("| %s, times lower, geometric mean | | %s |" % (scenes.title(kind), " | ".join("%.1f" % ratios[name][kind] for name in FILTERS)))


if __name__ == "__main__":
    main()
