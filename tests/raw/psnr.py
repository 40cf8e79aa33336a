#!/usr/bin/python3
"""PSNR of raw photographs of known truth: mosaic -> DNG -> pipelines/raw-neutral.cfg -> PNG of 16 bits.

usage: psnr.py LACUNA PHOTOGRAPHS [PATTERN]     PHOTOGRAPHS: the folder of astronaut.png, coffee.png, hubble_deep_field.jpg
Needs python3-skimage, whose chelsea, rocket and motorcycle are the other three, and python3-opencv.
"""
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import skimage

LEVELS = {"clean": (0, 0), "ISO 800": (.0008, 2e-6), "ISO 3200": (.0032, 3e-5), "ISO 12800": (.013, 4e-4)}
BORDER = 8
# The camera's colours are those of Rec. 709: the matrix of modules/shared/colour.glsl, row by row.
MATRIX = ".627403896:.329283038:.043313066:.069097289:.919540395:.011362316:.016391439:.088013308:.895595253"
GRAPH = """lacuna:1
module:i-file:photo
module:colour:01
module:mosaic:01
module:o-dng:out
param:i-file:photo:filename:"truth.png"
param:o-dng:out:filename:"photo.dng"
param:mosaic:01:pattern:{pattern}
param:mosaic:01:a:{a}
param:mosaic:01:b:{b}
param:mosaic:01:red:2
param:mosaic:01:blue:1.5
param:mosaic:01:matrix:{matrix}
connect:i-file:photo:output:colour:01:input
connect:colour:01:output:mosaic:01:input
connect:mosaic:01:output:o-dng:out:input
connect:mosaic:01:camera:o-dng:out:camera
"""


def photographs(folder):
    skimages = os.path.join(os.path.dirname(skimage.__file__), "data")
    files = [(folder, "astronaut.png"), (folder, "coffee.png"), (folder, "hubble_deep_field.jpg"),
             (skimages, "chelsea.png"), (skimages, "rocket.jpg"), (skimages, "motorcycle_left.png")]
    for place, name in files:
        image = cv2.imread(os.path.join(place, name), cv2.IMREAD_COLOR)
        if name.startswith("motorcycle"):
            image = image[:400, :500]
        yield name.split(".")[0].split("_")[0], image[:image.shape[0] // 2 * 2, :image.shape[1] // 2 * 2]


def psnr(path, truth):
    found = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    difference = (found / 65535.0 - truth / 255.0)[BORDER:-BORDER, BORDER:-BORDER]
    return 10 * np.log10(1 / np.mean(difference ** 2))


def develop(program, folder, more):
    pipeline = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../pipelines/raw-neutral.cfg")
    subprocess.run([program, "run", pipeline, "-q", "-i", f"{folder}/photo.dng", "-o", f"{folder}/photo.png", *more], check=True)
    return f"{folder}/photo.png"


def row(name, figures):
    print(f"| {name} | " + " | ".join(f"{f:.2f}" for f in figures) + f" | {np.mean(figures):.2f} |", flush=True)


def main():
    program, photos, pattern = sys.argv[1], list(photographs(sys.argv[2])), (sys.argv[3:] + ["rggb"])[0]
    print("| noise | " + " | ".join(name for name, _ in photos) + " | mean |\n|" + "---|" * (len(photos) + 2))
    with tempfile.TemporaryDirectory() as folder:
        for level, (a, b) in LEVELS.items():
            figures = {"known": [], "estimated": []}
            for _, truth in photos:
                cv2.imwrite(f"{folder}/truth.png", truth)
                with open(f"{folder}/mosaic.cfg", "w", encoding="utf-8") as file:
                    file.write(GRAPH.format(pattern=pattern, a=a, b=b, matrix=MATRIX))
                subprocess.run([program, "run", f"{folder}/mosaic.cfg", "-q", "-o", f"{folder}/photo.dng"], check=True)
                png = develop(program, folder, [] if a else ["-p", "rawprep:01:noise_b=1e-12"])
                figures["known"].append(psnr(png, truth))
                png = develop(program, folder, ["-p", "rawprep:01:noise_from=picture"])
                figures["estimated"].append(psnr(png, truth))
            for how, found in figures.items():
                row(f"{level}, {how}", found)


if __name__ == "__main__":
    main()
