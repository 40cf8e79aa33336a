#!/usr/bin/env python3
"""Scenes of a renderer that nothing here was tuned for, to judge stills by, never to train on: render_mitsuba.py --out DIR [SCENE ...]

Four scenes are for development. Four are held out: look at their scores once, after all choices are made.

Needs Mitsuba 3 (PyPI; tools/peers --environment prints a Python that has it) and, for speed, LLVM 16 or newer (Debian: apt-get
install libllvm19); without LLVM the variant scalar_rgb takes five times as long, and gives other noise. DIR/SCENE has the files of
cycles.py: 1.exr to 64.exr, reference-a.exr and reference-b.exr. Existing files stay. Pixels are averages of samples (a box as filter:
no pixel depends on its neighbours' samples). What differs from what Mitsuba writes:
  Z       distance along the camera's axis, from the mean position; Mitsuba's depth is the distance along the ray. 0: nothing there
  motion  pixels, y down, to the place of the mean position in the picture of a second camera, slightly moved: the last frame
  albedo  Mitsuba's, clipped to [0, 1]: diffuse reflectance, so smooth glass and metal are black, where other renderers write what they
          reflect or 1; rough ones have the height of their lobe. This can't be converted
Normals are Mitsuba's shading normals in the world. Lamps and the sky have albedo 0."""

import argparse
import csv
import ctypes.util
import hashlib
import importlib
import math
import os
import subprocess
import sys

import numpy

DEVELOPMENT = ("frosted", "mosaic", "lanterns", "bokeh")  # rough glass; fine textures; many lights; lens blur
HELD_OUT = ("lacquer", "amber", "sky", "thicket")  # principled and plastic; media in glass; environment map; thin geometry
SCENES = DEVELOPMENT + HELD_OUT
SIZE = 320
SAMPLES = (1, 4, 16, 64)
REFERENCE = 256  # samples of each of the two
AT_ONCE = 64  # samples of a pass; larger passes take memory, not less time
LLVM = (22, 21, 20, 19, 18, 17, 16)  # older ones lack what Dr.Jit 1.5 emits
PLANES = {"img": "RGBA", "seen": "RGBA", "albedo": "RGB", "nn": "XYZ", "position": "XYZ"}  # as Mitsuba orders them
STEP = (.02, -.015, .01)  # by which the last frame's camera stands elsewhere
TURN = (-.01, .02, .015)  # and looks elsewhere


# Conversions --------------------------------------------------------------------------------------------------------------------

def axes(eye, target):
    """Unit vectors to the right, down and along the axis of a camera that stands upright, z up."""
    along = numpy.subtract(target, eye).astype("f8")
    along /= numpy.linalg.norm(along)
    right = numpy.cross(along, (0, 0, 1))
    right /= numpy.linalg.norm(right)
    return numpy.stack([right, numpy.cross(along, right), along])


def planar_depth(position, seen, eye, target):
    """Along the axis; 0 where no sample met anything. position: the mean over samples, of which the share `seen` has one."""
    there = seen > 0
    mean = position / numpy.where(there, seen, 1)[..., None]
    return numpy.where(there, (mean - numpy.asarray(eye, "f8")) @ axes(eye, target)[2], 0)


def projected(points, eye, target, degrees, size):
    """x and y in pixels, (0, 0) at the upper left corner of the picture; degrees: the angle across the width."""
    width, height = size
    across, down, along = numpy.moveaxis((points - numpy.asarray(eye, "f8")) @ axes(eye, target).T, -1, 0)
    scale = width / 2 / math.tan(math.radians(degrees) / 2)
    return numpy.stack([width / 2 + scale * across / along, height / 2 + scale * down / along], -1)


def motion(position, seen, camera, last):
    """From a pixel's mean position in the picture of `camera` to that in the picture of `last`, both (eye, target, degrees). What is
    infinitely far moves as the cameras turn."""
    height, width = seen.shape
    eye, target, degrees = camera
    y, x = numpy.mgrid[0:height, 0:width] + .5
    scale = width / 2 / math.tan(math.radians(degrees) / 2)
    rays = numpy.stack([(x - width / 2) / scale, (y - height / 2) / scale, numpy.ones_like(x)], -1) @ axes(eye, target)
    far = numpy.asarray(eye, "f8") + 1e9 * rays
    there = (seen > 0)[..., None]
    points = numpy.where(there, position / numpy.where(there, seen[..., None], 1), far)
    return projected(points, *last, (width, height)) - projected(points, *camera, (width, height))


def layers(planes, camera, last):
    """Channels of the file by name, of means of samples by the names of PLANES."""
    seen, position = planes["seen"][..., 3].astype("f8"), planes["position"].astype("f8")
    moved = motion(position, seen, camera, last)
    made = dict(zip("RGBA", numpy.moveaxis(planes["img"], -1, 0)))
    made.update(("albedo." + c, numpy.clip(planes["albedo"][..., k], 0, 1)) for k, c in enumerate("RGB"))
    made.update(("normal." + c, planes["nn"][..., k]) for k, c in enumerate("XYZ"))
    made["Z"] = planar_depth(position, seen, *camera[:2])
    made.update(("motion." + c, moved[..., k]) for k, c in enumerate("XY"))
    return {name: numpy.nan_to_num(plane, posinf=0, neginf=0).astype("f4") for name, plane in made.items()}


def separated(pixels):
    """Planes of Mitsuba's pixels."""
    ends = numpy.cumsum([len(channels) for channels in PLANES.values()])
    assert pixels.shape[-1] == ends[-1], "the integrator's planes aren't those of PLANES"
    return dict(zip(PLANES, numpy.split(pixels, ends[:-1], -1)))


# Rendering ----------------------------------------------------------------------------------------------------------------------

def load_renderer(variant):
    """Mitsuba and its scenes: imported late, because judging needs neither."""
    if variant != "scalar_rgb" and "DRJIT_LIBLLVM_PATH" not in os.environ:
        found = next(filter(None, (ctypes.util.find_library("LLVM-%d" % version) for version in LLVM)), None)
        if found is None and variant is None:
            print("render_mitsuba.py: no LLVM from %d to %d found, so scalar_rgb renders; apt-get install libllvm19 makes it faster" % (LLVM[-1], LLVM[0]), file=sys.stderr)
        variant = variant or ("llvm_ad_rgb" if found else "scalar_rgb")
        if found:
            os.environ["DRJIT_LIBLLVM_PATH"] = found
    package = importlib.import_module("mitsuba")
    package.set_variant(variant or "llvm_ad_rgb")
    return package, importlib.import_module("mitsuba_scenes")


def loaded(mi, scenes, name, size):
    """The scene, and the cameras of this and of the last frame."""
    made = getattr(scenes, name)
    objects, camera = made()
    film = {"type": "hdrfilm", "width": size, "height": size, "pixel_format": "rgba", "rfilter": {"type": "box"}}
    sensor = {"type": "perspective", "fov": camera.degrees, "fov_axis": "x", "near_clip": .01, "film": film, "sampler": {"type": "independent"},
              "to_world": mi.ScalarTransform4f().look_at(origin=list(camera.eye), target=list(camera.target), up=[0, 0, 1])}
    if camera.aperture:
        sensor.update(type="thinlens", aperture_radius=camera.aperture, focus_distance=camera.focus)
    tracer = {"type": "volpath", "max_depth": 48, "rr_depth": 5} if made in scenes.MEDIA else {"type": "path", "max_depth": 12, "rr_depth": 5}
    integrator = {"type": "aov", "aovs": "albedo:albedo,nn:sh_normal,position:position", "img": tracer, "seen": {"type": "depth"}}
    last = tuple(numpy.add(camera.eye, STEP)), tuple(numpy.add(camera.target, TURN)), camera.degrees
    return mi.load_dict({"type": "scene", "integrator": integrator, "sensor": sensor, **objects}), (camera.eye, camera.target, camera.degrees), last


def rendered(mi, scene, samples, seed):
    """Means of the samples; seeds of passes are seed, seed + 1, ..."""
    total = 0
    for k, first in enumerate(range(0, samples, AT_ONCE)):
        count = min(AT_ONCE, samples - first)
        total = total + numpy.array(mi.render(scene, spp=count, seed=seed + k), "f8") * count
    return total / samples


def write(mi, channels, path):
    pixels = numpy.stack(list(channels.values()), -1)
    mi.Bitmap(pixels, mi.Bitmap.PixelFormat.MultiChannel, list(channels)).write(path + ".part.exr")
    os.replace(path + ".part.exr", path)


def pictures(reference):
    """File, samples and seed of each picture: the same for all scenes."""
    counts = [(str(count), count) for count in SAMPLES] + [("reference-" + half, reference) for half in "ab"]
    return [(file, samples, 100000 * number) for number, (file, samples) in enumerate(counts, 1)]


def paths(folder, name):
    return [os.path.join(folder, name, file + ".exr") for file, _, _ in pictures(0)]


def render_all(mi, scenes, name, folder, size, reference):
    scene = None
    for file, samples, seed in pictures(reference):
        path = os.path.join(folder, name, file + ".exr")
        if os.path.exists(path):
            continue
        if scene is None:
            scene, camera, last = loaded(mi, scenes, name, size)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(mi, layers(separated(rendered(mi, scene, samples, seed)), camera, last), path)
        print("%s: %d samples" % (path, samples), flush=True)


def list_pictures(mi, names, folder, reference, path):
    """A table of the pictures. Their hashes are of all pixels as rows of float32, little endian, channels in the order of their names."""
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["scene", "part", "file", "samples", "seed", "variant", "mitsuba", "sha256 of pixels"])
        for name in names:
            for picture, samples, seed in pictures(reference):
                bitmap = mi.Bitmap(os.path.join(folder, name, picture + ".exr"))
                order = sorted(range(len(bitmap.struct_())), key=lambda k: bitmap.struct_()[k].name)
                pixels = numpy.ascontiguousarray(numpy.array(bitmap, "<f4")[..., order])
                table.writerow([name, "development" if name in DEVELOPMENT else "held out", picture + ".exr", samples, seed, mi.variant(),
                                mi.__version__, hashlib.sha256(pixels.tobytes()).hexdigest()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="of %s; default: all" % " ".join(SCENES))
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--size", type=int, default=SIZE, help="width and height (%(default)s)")
    parser.add_argument("--reference", type=int, default=REFERENCE, metavar="SAMPLES", help="of each of the two (%(default)s)")
    parser.add_argument("--variant", help="of Mitsuba (llvm_ad_rgb, or scalar_rgb if there is no LLVM)")
    parser.add_argument("--list", metavar="FILE", help="also write a table of the pictures, with hashes")
    arguments = parser.parse_args()
    names = arguments.scenes or SCENES
    for name in names:
        if name not in SCENES:
            parser.error("no scene '%s'; there are %s" % (name, ", ".join(SCENES)))
    missing = [name for name in names if not all(os.path.exists(path) for path in paths(arguments.out, name))]
    if len(missing) > 1:  # in processes of their own: Mitsuba's noise depends on the scenes that were loaded before
        for name in missing:
            command = [sys.executable, os.path.abspath(__file__), name, "--out", arguments.out, "--size", arguments.size, "--reference", arguments.reference]
            subprocess.run([*map(str, command), *(["--variant", arguments.variant] if arguments.variant else [])], check=True)
    elif missing:
        mi, scenes = load_renderer(arguments.variant)
        for name in missing:
            render_all(mi, scenes, name, arguments.out, arguments.size, arguments.reference)
    if arguments.list:
        mi, _ = load_renderer(arguments.variant)
        list_pictures(mi, names, arguments.out, arguments.reference, arguments.list)


if __name__ == "__main__":
    main()
