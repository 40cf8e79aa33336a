#!/usr/bin/env python3
"""How good `lacuna denoise` is on the scenes of cycles.py: judge_stills.py --data DIR --lacuna build/release/lacuna --out OUT

Prints Markdown, writes OUT/scores.csv, and OUT/SCENE/METHOD/SAMPLES.npy. Existing pictures stay. relMSE is as in `lacuna
compare`, but each error is multiplied by that to another reference, whose noise is its own: the product's mean is that of an
exact reference. Columns:
  factor  by which relMSE falls
  worse   than the input or than svgf by over 5%
  mean    error of the mean colour, the worst channel's
  blocks  the same in blocks of 32x32 pixels, their median
  chroma  of mottling on plain walls: error of the colour without its luminance, smoothed, relative
  alpha   root mean square error"""

import argparse
import csv
import json
import os
import subprocess

import numpy

SAMPLES = ("1", "4", "16", "64", "reference-a")
WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../modules/cnn-unet/weights")
METHODS = {"denoise": [], "svgf": ["--method", "svgf"], "eaw": ["--method", "eaw"],
           **{name: ["--method", "cnn-unet", "--weights", os.path.join(WEIGHTS, name + ".safetensors")]
              for name in ("rgb", "rgb-and")}}
PLANES = ("output", "albedo", "normal", "depth")
WALLS = "room"  # the scene with plain walls
BLUR = 3  # of mottling, pixels
LUMINANCE = numpy.array([.2126, .7152, .0722])


def run(lacuna, *words, folder="."):
    subprocess.run([lacuna, *words], check=True, stdout=subprocess.PIPE, cwd=folder)


def read_planes(lacuna, file, folder):
    """All planes of an OpenEXR file as OUTPUT.npy, ALBEDO.npy, ..."""
    os.makedirs(folder, exist_ok=True)
    lines = ["lacuna:1", "module:i-exr:01", 'param:i-exr:01:filename:"%s"' % os.path.abspath(file)]
    for plane in PLANES:
        lines += ["module:o-npy:" + plane, 'param:o-npy:%s:filename:"%s.npy"' % (plane, plane), "connect:i-exr:01:%s:o-npy:%s:input" % (plane, plane)]
    with open(os.path.join(folder, "planes.cfg"), "w") as graph:
        graph.write("\n".join(lines) + "\n")
    run(lacuna, "run", "-q", "planes.cfg", folder=folder)  # outputs are relative to the current folder


def prepare(lacuna, data, scene, out, samples=SAMPLES):
    """Planes of all noisy pictures and of both references; the references' mean."""
    names = ("reference-a", "reference-b")
    for name in {*samples, *names}:
        folder = os.path.join(out, scene, "noisy", name)
        if not os.path.exists(os.path.join(folder, PLANES[-1] + ".npy")):
            read_planes(lacuna, os.path.join(data, scene, name + ".exr"), folder)
    a, b = (numpy.load(os.path.join(out, scene, "noisy", name, "output.npy")) for name in names)
    numpy.save(os.path.join(out, scene, "reference.npy"), (a + b) / 2)


def denoise(lacuna, data, scene, method, out, samples=SAMPLES):
    folder = os.path.join(out, scene, method)
    for name in samples:  # one by one: files that are numbers would be a sequence
        if not os.path.exists(os.path.join(folder, name + ".npy")):
            run(lacuna, "denoise", "-q", os.path.join(data, scene, name + ".exr"), "-o", os.path.join(folder, "{stem}.npy"), *METHODS[method])


def blocks(x, size=32):
    h, w = (n // size * size for n in x.shape[:2])
    return x[:h, :w].reshape(h // size, size, w // size, size, -1).mean((1, 3))


def blurred(x, radius):
    """Box, twice, without a border."""
    for axis in (0, 1) * 2:
        total = numpy.cumsum(numpy.insert(x, 0, 0, axis), axis)
        size = 2 * radius + 1
        first, last = (numpy.take(total, numpy.arange(k, x.shape[axis] - size + 1 + k), axis) for k in (0, size))
        x = (last - first) / size
    return x


def plain(planes, radius=6):
    """Where albedo and normal are the same all around."""
    guides = numpy.concatenate([planes["albedo"], planes["normal"]], -1).astype("f8")
    return (blurred(guides ** 2, radius) - blurred(guides, radius) ** 2).max(-1) < 1e-5


class Truth:
    """What pictures are compared with."""
    def __init__(self, folder):
        self.file = os.path.join(folder, "reference.npy")
        halves = [{plane: numpy.load(os.path.join(folder, "noisy", name, plane + ".npy")).astype("f8") for plane in PLANES}
                  for name in ("reference-a", "reference-b")]
        self.a, self.b = (half["output"] for half in halves)
        self.mean = (self.a + self.b) / 2
        self.walls = plain(halves[0])

    def rel_mse(self, x):
        x, a, b, mean = (p[..., :3] for p in (x, self.a, self.b, self.mean))
        return ((x - a) * (x - b) / (mean ** 2 + .01)).mean()

    def alpha(self, x):
        return max(0, ((x - self.a) * (x - self.b))[..., 3].mean()) ** .5 if x.shape[-1] > 3 else 0

    def mottling(self, x):
        difference = x[..., :3] - self.mean[..., :3]
        chroma = (difference - difference @ LUMINANCE[:, None]) / (self.mean[..., :3] @ LUMINANCE + .01)[..., None]
        inner = (plain.__defaults__[0] - BLUR) * 2  # both lack what their blurs took at the border
        return (blurred(chroma, BLUR)[inner:-inner, inner:-inner][self.walls] ** 2).mean() ** .5


def off(x, truth):
    """Of the worst channel, relative, where there is light."""
    return abs(x / numpy.maximum(truth, .001) - 1).max(-1)[(truth > .001).all(-1)]


def judged(lacuna, x, file, truth):
    """All figures but those that compare with another method's."""
    metrics = json.loads(subprocess.run([lacuna, "compare", "--json", file, truth.file], check=True, stdout=subprocess.PIPE).stdout)
    colour, mean = x[..., :3], truth.mean[..., :3]
    return {"relMSE": truth.rel_mse(x), "PSNR": metrics["PSNR"], "SSIM": metrics["SSIM"], "FLIP": metrics["FLIP"], "mean": off(colour.mean((0, 1)), mean.mean((0, 1))).max(),
            "red": (colour.mean((0, 1)) / mean.mean((0, 1)) - 1)[0], "green": (colour.mean((0, 1)) / mean.mean((0, 1)) - 1)[1],
            "blue": (colour.mean((0, 1)) / mean.mean((0, 1)) - 1)[2], "blocks": numpy.median(off(blocks(colour), blocks(mean))),
            "chroma": truth.mottling(x) if truth.walls.any() else 0, "alpha": truth.alpha(x)}


def score(lacuna, data, out, scene, methods):
    prepare(lacuna, data, scene, out)
    truth, rows = Truth(os.path.join(out, scene)), []
    for method in methods:
        denoise(lacuna, data, scene, method, out)
    for samples in SAMPLES:
        noisy = os.path.join(out, scene, "noisy", samples, "output.npy")
        files = {"noisy": noisy, **{method: os.path.join(out, scene, method, samples + ".npy") for method in methods}}
        found = {method: judged(lacuna, numpy.load(file).astype("f8"), file, truth) for method, file in files.items()}
        for method in methods:
            row = {"scene": scene, "samples": samples, "method": method, "factor": found["noisy"]["relMSE"] / found[method]["relMSE"], **found[method]}
            least = min(found[other]["relMSE"] for other in ("noisy", "svgf") if other in found)
            row["worse"] = row["relMSE"] > 1.05 * least
            rows.append({**row, "PSNR before": found["noisy"]["PSNR"], "alpha before": found["noisy"]["alpha"]})
    return rows


def percent(value, signed=False):
    return ("%+.1f%%" if signed else "%.1f%%") % (100 * value)


def text_of(row):
    is_reference = row["samples"].startswith("reference")
    cells = [row["scene"], "reference" if is_reference else row["samples"], row["method"], "" if is_reference else "%.1f" % row["factor"],
             "%.1f (%.1f)" % (row["PSNR"], row["PSNR before"]), "%.3f" % row["SSIM"], " ".join(percent(row[c], True) for c in ("red", "green", "blue")),
             percent(row["blocks"]), "%.4f" % row["chroma"] if row["scene"] == WALLS else "",
             "%.3f (%.3f)" % (row["alpha"], row["alpha before"]) if row["alpha before"] else "", "worse" if row["worse"] and not is_reference else ""]
    return "| %s |" % " | ".join(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, text in (("data", "a folder of cycles.py"), ("lacuna", "the program"), ("out", "for the pictures")):
        parser.add_argument("--" + option, required=True, help=text)
    parser.add_argument("--scenes", nargs="*", help="default: all in the folder")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    arguments = parser.parse_args()
    scenes = arguments.scenes or sorted(name for name in os.listdir(arguments.data) if os.path.exists(os.path.join(arguments.data, name, "reference-b.exr")))
    heads = ["scene", "samples", "method", "factor", "PSNR (before)", "SSIM", "mean colour", "blocks", "chroma", "alpha (before)", ""]
    print("| %s |\n|%s" % (" | ".join(heads), "---|" * len(heads)))
    rows = []
    for scene in scenes:
        found = score(os.path.abspath(arguments.lacuna), arguments.data, arguments.out, scene, arguments.methods)
        print("\n".join(map(text_of, found)), flush=True)
        rows += found
    with open(os.path.join(arguments.out, "scores.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
