#!/usr/bin/env python3
"""What `lacuna denoise` makes of sequences: judge_moving.py --data DIR --lacuna build/release/lacuna --out OUT

DIR is a folder of cycles_moving.py, or has SCENE/noisy_0001.exr, ... with all guides and motion, and SCENE/reference-a_0001.exr,
reference-b_0001.exr, ... of any renderer. Prints Markdown with the scores of history_measures.py, and writes OUT/SCENE.jpg: the
noisy crop, those of all methods and the reference, frame by frame. Existing results stay."""

import argparse
import os
import subprocess

import numpy

import history_measures

LEAD_IN = 5  # frames that only `still` and `colour` judge
WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../modules/cnn-unet/weights/rgb-and.safetensors")
METHODS = {"denoise": [], "alone": ["--method", "cnn-unet", "--weights", WEIGHTS], "svgf": ["--method", "svgf"]}
PLANES = ("output", "albedo", "normal", "depth", "motion")
COLUMNS = ("relmse", "still", "flicker", "along", "detail", "change", "revealed", "colour")


def run(lacuna, *words):
    subprocess.run([lacuna, *words], check=True, stdout=subprocess.PIPE)


def planes_of(lacuna, pattern, frames, folder, planes=("output",)):
    """Arrays of a sequence's planes."""
    os.makedirs(folder, exist_ok=True)
    lines = ["lacuna:1", "module:i-exr:01", 'param:i-exr:01:filename:"%s"' % os.path.abspath(pattern), "param:i-exr:01:first:1"]
    for plane in planes:
        lines += ["module:o-npy:" + plane, 'param:o-npy:%s:filename:"%s"' % (plane, os.path.join(os.path.abspath(folder), plane + "_%04d.npy")),
                  "param:o-npy:%s:first:1" % plane, "connect:i-exr:01:%s:o-npy:%s:input" % (plane, plane)]
    graph = os.path.join(folder, "planes.cfg")
    with open(graph, "w") as file:
        file.write("\n".join(lines) + "\n")
    if not os.path.exists(os.path.join(folder, "%s_%04d.npy" % (planes[-1], frames))):
        run(lacuna, "run", "-q", graph, "--frames", "1-%d" % frames)
    return {plane: numpy.stack([numpy.load(os.path.join(folder, "%s_%04d.npy" % (plane, k))) for k in range(1, frames + 1)]) for plane in planes}


def denoised(lacuna, scene, frames, method, words, out):
    """`alone`: each frame as a still; words that end with .cfg are a graph."""
    folder = os.path.join(out, method)
    os.makedirs(folder, exist_ok=True)
    inputs, outputs = os.path.join(scene, "noisy_%04d.exr"), os.path.join(folder, "%04d.exr")
    if not os.path.exists(outputs % frames):
        if words and words[0].endswith(".cfg"):
            run(lacuna, "run", "-q", words[0], "-i", inputs, "-o", outputs, "--frames", "1-%d" % frames)
        elif method == "alone":
            for k in range(1, frames + 1):
                run(lacuna, "denoise", "-q", inputs % k, "-o", outputs % k, *words)
        else:
            run(lacuna, "denoise", "-q", inputs, "-o", outputs, *words)
    return planes_of(lacuna, outputs, frames, folder)["output"][..., :3]


def strip(lacuna, rows, out):
    """Rows of pictures, frame by frame, around the middle."""
    height, width = rows[0].shape[1:3]
    side = min(height, width) * 3 // 5
    top, left = (height - side) // 2, (width - side) // 2
    cut = [numpy.concatenate(list(row[::3, top:top + side, left:left + side]), 1) for row in rows]
    numpy.save(out + ".npy", history_measures.display(numpy.concatenate(cut, 0)).astype("f4") ** 2.2)
    graph = out + ".cfg"
    with open(graph, "w") as file:
        file.write('lacuna:1\nmodule:i-npy:01\nmodule:o-jpg:01\nparam:i-npy:01:filename:"%s.npy"\nparam:i-npy:01:channels:rgb\nparam:o-jpg:01:filename:"%s.jpg"\n'
                   "connect:i-npy:01:output:o-jpg:01:input\n" % (out, out))
    run(lacuna, "run", "-q", graph)


def judge(lacuna, folder, out, methods):
    frames = len([name for name in os.listdir(folder) if name.startswith("noisy_")])
    planes = planes_of(lacuna, os.path.join(folder, "noisy_%04d.exr"), frames, os.path.join(out, "noisy"), PLANES)
    a, b = (planes_of(lacuna, os.path.join(folder, "reference-%s_%%04d.exr" % half), frames, os.path.join(out, half))["output"][..., :3] for half in "ab")
    truth, noisy, rows = history_measures.Sequence(a, b, planes), planes["output"][..., :3], []
    for method, words in methods.items():
        made = denoised(lacuna, folder, frames, method, words, out)
        rows.append((method, made, truth.scores(made, noisy, LEAD_IN)))
    strip(lacuna, [noisy, *(made for _, made, _ in rows), truth.mean], os.path.abspath(out))
    return [(method, scores) for method, _, scores in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, text in (("data", "a folder of sequences"), ("lacuna", "the program"), ("out", "for the results")):
        parser.add_argument("--" + option, required=True, help=text)
    parser.add_argument("--scenes", nargs="*", help="default: all in the folder")
    parser.add_argument("--graphs", nargs="*", default=[], metavar="FILE.cfg", help="of one source and one sink: further methods")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    arguments = parser.parse_args()
    methods = {**{name: METHODS[name] for name in arguments.methods}, **{os.path.splitext(os.path.basename(graph))[0]: [graph] for graph in arguments.graphs}}
    print("| scene | method | %s |\n|%s" % (" | ".join(COLUMNS), "---|" * (len(COLUMNS) + 2)))
    for scene in arguments.scenes or sorted(os.listdir(arguments.data)):
        for method, scores in judge(os.path.abspath(arguments.lacuna), os.path.join(arguments.data, scene), os.path.join(arguments.out, scene), methods):
            cells = ["%.1f%%" % (100 * scores[c]) if c == "colour" else "%.2f" % scores[c] if c in ("detail", "change") else "%.1f" % scores[c] for c in COLUMNS]
            print("| %s | %s | %s |" % (scene, method, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
