#!/usr/bin/env python3
"""Copies the photographs of photographs.csv out of Debian's packages, reduced: photographs.py --out DIR

Each is freely licensed, as photographs.csv says. Packages are downloaded by `apt-get download` (Debian 12) and unpacked in a temporary folder. Needs
NumPy, OpenCV and Pillow. photo_train.py takes DIR."""

import argparse
import csv
import os
import struct
import subprocess
import tempfile
import zlib

import cv2
import numpy
from PIL import Image

LONGEST, SHARE, QUALITY = 1120, 0.8, 92  # pixels; of the original, whose noise and blocks it hides; of JPEG
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "photographs.csv")


def names_of(content, names, tree):
    """Names and offsets of a Qt resource file's members (rcc, versions 2 and 3)."""
    found, open_nodes = {}, [(0, "")]
    while open_nodes:
        node, folder = open_nodes.pop()
        at = tree + node * 22
        name_offset, flags = struct.unpack(">IH", content[at:at + 6])
        length = struct.unpack(">H", content[names + name_offset:names + name_offset + 2])[0] if node else 0
        text = content[names + name_offset + 6:names + name_offset + 6 + 2 * length].decode("utf-16-be")
        path = folder + "/" + text if folder else text
        if flags & 2:
            count, first = struct.unpack(">II", content[at + 6:at + 14])
            open_nodes += [(first + k, path) for k in range(count)]
        else:
            found[path] = struct.unpack(">I", content[at + 10:at + 14])[0], flags
    return found


def resources(path):
    """Members of a Qt resource file by name."""
    with open(path, "rb") as file:
        content = file.read()
    version, tree, data, names = struct.unpack(">IIII", content[4:20])
    if content[:4] != b"qres" or version not in (2, 3):
        raise SystemExit("%s: not a Qt resource file of version 2 or 3" % path)
    for name, (offset, flags) in names_of(content, names, tree).items():
        size = struct.unpack(">I", content[data + offset:data + offset + 4])[0]
        value = content[data + offset + 4:data + offset + 4 + size]
        if not flags & 4:  # Zstandard
            yield name, zlib.decompress(value[4:]) if flags & 1 else value


def read(folder, file, opened):
    """The bytes of FILE, or of MEMBER in a resource file if it is FILE:MEMBER."""
    path, _, member = file.partition(":")
    path = os.path.join(folder, path)
    if not member:
        with open(path, "rb") as found:
            return found.read()
    if path not in opened:
        opened[path] = dict(resources(path))
    return opened[path][member]


def reduced(content):
    picture = cv2.imdecode(numpy.frombuffer(content, numpy.uint8), cv2.IMREAD_COLOR)
    share = min(LONGEST / max(picture.shape), SHARE)
    return cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)


def rows():
    with open(TABLE, newline="") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, metavar="DIR")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    opened = {}
    with tempfile.TemporaryDirectory() as folder:
        for package in sorted({row["package"] for row in rows()}):
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True)
            debs = [name for name in os.listdir(folder) if name.startswith(package + "_")]
            subprocess.run(["dpkg-deb", "-x", debs[0], package], cwd=folder, check=True)
        for number, row in enumerate(rows()):
            picture = reduced(read(os.path.join(folder, row["package"]), row["file"], opened))
            path = os.path.join(arguments.out, "%03d.jpg" % number)
            Image.fromarray(picture[..., ::-1]).save(path, quality=QUALITY, subsampling=0)


if __name__ == "__main__":
    main()
