#!/usr/bin/env python3
"""Sequences of another renderer to judge by, never to train on: cycles_moving.py --out DIR [SCENE ...]

Needs Blender, as cycles.py. DIR/SCENE has noisy_0001.exr, ... with motion, reference-a_0001.exr, ... and reference-b_0001.exr, ...
(the two references' noise is independent). Existing files stay."""

import argparse
import importlib.util
import math
import os
import subprocess
import sys

# By its file: Blender's own module has the same name.
found = importlib.util.spec_from_file_location("stills", os.path.join(os.path.dirname(os.path.abspath(__file__)), "cycles.py"))
cycles = importlib.util.module_from_spec(found)
found.loader.exec_module(cycles)

SIZE = (320, 180)
FRAMES = 12
REFERENCE = 192  # samples of each of the two


def keyed(thing, path, values):
    """Values by frame, with even steps between them."""
    for frame, value in values.items():
        setattr(thing, path, value)
        thing.keyframe_insert(path, frame=frame)
    for curve in thing.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def bumped(made, scale, strength):
    nodes, links = made.node_tree.nodes, made.node_tree.links
    noise, bump, place = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump"), nodes.new("ShaderNodeTexCoord")
    noise.inputs["Scale"].default_value, bump.inputs["Strength"].default_value = scale, strength
    links.new(place.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], nodes["Principled BSDF"].inputs["Normal"])
    return made


def head(made, place, size):
    bpy.ops.mesh.primitive_monkey_add(size=size, location=place)
    bpy.ops.object.shade_smooth()
    found = cycles.put(made)
    found.modifiers.new("finer", "SUBSURF").render_levels = 2
    return found


def face():
    """A head turns under a lamp that is still: its shading moves over its surface."""
    skin = bumped(cycles.textured("ShaderNodeTexNoise", 6, (.45, .2, .12), (.85, .5, .35), .45, Detail=4), 18, .35)
    cycles.closed_room(cycles.matt((.5, .5, .52)), cycles.matt((.7, .7, .7)), cycles.textured("ShaderNodeTexBrick", 2.2, (.3, .3, .3), (.45, .3, .2)),
                       cycles.matt((.6, .12, .08)), cycles.matt((.12, .3, .5)))
    cycles.plane(cycles.lamp((1, .88, .7), 26), (-1.6, -1.4, 5.6), (math.pi - .5, .5, 0), 1)
    keyed(head(skin, (0, .2, 2.3), 2.4), "rotation_euler", {1: (.1, 0, -.5), FRAMES: (.1, 0, .6)})
    cycles.camera((0, -2.9, 2.4), (0, 3, 2.2), 24)


def walk():
    """The camera passes things near and far, which hide and reveal one another; two of them move."""
    check = cycles.textured("ShaderNodeTexChecker", 5, (.08, .08, .1), (.75, .72, .65), .3)
    cycles.closed_room(check, cycles.matt((.75, .75, .75)), cycles.textured("ShaderNodeTexNoise", 4, (.1, .15, .3), (.9, .8, .6), Detail=5),
                       cycles.matt((.65, .1, .06)), cycles.matt((.1, .45, .13)))
    cycles.plane(cycles.lamp((1, .9, .75), 18), (.3, .3, 5.98), (math.pi, 0, 0), 1.4)
    cycles.cylinder(cycles.matt((.7, .55, .2), .3), (-.55, -1.3, 1.5), .14, 3)
    cycles.cylinder(cycles.matt((.2, .5, .6)), (.7, -.6, 1.5), .16, 3)
    moving = cycles.box(cycles.matt((.75, .7, .65)), (-1.6, 1, .8), (1.1, 1.1, 1.6), .3)
    keyed(moving, "location", {1: (-1.6, 1, .8), FRAMES: (1.2, 1.2, .8)})
    ball = cycles.ball(cycles.matt((.85, .25, .15), .2), (1.4, -.2, 2.6), .55)
    keyed(ball, "location", {1: (1.4, -.2, 2.6), FRAMES: (-.6, .2, 1.3)})
    cycles.camera((0, -2.9, 2.3), (0, 3, 1.9), 22)
    keyed(bpy.context.scene.camera, "location", {1: (-.5, -2.9, 2.3), FRAMES: (.45, -2.7, 2.1)})


SCENES = {"face": face, "walk": walk}


def render_all(name, folder, samples, reference):
    cycles.SCENES.update(SCENES)
    cycles.SIZE = SIZE[0]
    scene = cycles.prepare(name)
    scene.render.resolution_y, scene.frame_end = SIZE[1], FRAMES
    bpy.context.view_layer.use_pass_vector = True
    for file, count, seed in (("noisy", int(samples), 0), ("reference-a", int(reference), 1000), ("reference-b", int(reference), 2000)):
        for frame in range(1, FRAMES + 1):
            path = os.path.join(folder, name, "%s_%04d.exr" % (file, frame))
            if os.path.exists(path):
                continue
            scene.frame_set(frame)
            scene.cycles.samples, scene.cycles.seed = count, seed + frame
            scene.render.filepath = path + ".part.exr"
            bpy.ops.render.render(write_still=True)
            os.replace(path + ".part.exr", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(SCENES), help=" ".join(SCENES))
    parser.add_argument("--out", required=True)
    parser.add_argument("--samples", type=int, default=4, help="of a noisy frame's pixel (%(default)s)")
    parser.add_argument("--reference", type=int, default=REFERENCE, metavar="SAMPLES", help="of each of the two (%(default)s)")
    arguments = parser.parse_args()
    for name in arguments.scenes:
        os.makedirs(os.path.join(arguments.out, name), exist_ok=True)
        words = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", os.path.abspath(__file__), "--", name, arguments.out,
                 str(arguments.samples), str(arguments.reference)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if "--" not in sys.argv:
        main()
    else:  # within Blender
        import bpy
        import mathutils
        cycles.bpy, cycles.mathutils = bpy, mathutils
        render_all(*sys.argv[sys.argv.index("--") + 1:])
