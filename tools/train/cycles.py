#!/usr/bin/env python3
"""Scenes of another renderer to judge stills by, never to train on: cycles.py --out DIR [SCENE ...]

Needs Blender (tested with 3.4). DIR/SCENE has 1.exr to 64.exr, named by their samples a pixel, and reference-a.exr and
reference-b.exr: of errors to two references the product's mean is free of the references' own noise. Existing files stay."""

import argparse
import math
import os
import random
import subprocess
import sys

SIZE = 320
SAMPLES = (1, 4, 16, 64)
REFERENCE = 512  # samples of each of the two
FILM = "-film"  # names of scenes with a transparent film


def nodes_of(name):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    return made, made.node_tree.nodes, made.node_tree.links


def matt(colour, roughness=.6, **inputs):
    made, nodes, _ = nodes_of("matt")
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    for name, value in inputs.items():
        shader.inputs[name].default_value = value
    return made


def shaded(kind, socket="Surface", **inputs):
    """A material of one node of Blender's."""
    made, nodes, links = nodes_of(kind)
    nodes.remove(nodes["Principled BSDF"])
    shader = nodes.new(kind)
    for name, value in inputs.items():
        shader.inputs[name].default_value = value
    links.new(shader.outputs[0], nodes["Material Output"].inputs[socket])
    return made


def lamp(colour, strength):
    return shaded("ShaderNodeEmission", Color=(*colour, 1), Strength=strength)


def textured(kind, scale, dark, light, roughness=.6, **inputs):
    made = matt(light, roughness)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    texture, ramp, place = nodes.new(kind), nodes.new("ShaderNodeMixRGB"), nodes.new("ShaderNodeTexCoord")
    texture.inputs["Scale"].default_value = scale
    for name, value in inputs.items():
        texture.inputs[name].default_value = value
    ramp.inputs["Color1"].default_value, ramp.inputs["Color2"].default_value = (*dark, 1), (*light, 1)
    links.new(place.outputs["Object"], texture.inputs["Vector"])
    links.new(texture.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def put(made):
    bpy.context.object.data.materials.append(made)
    return bpy.context.object


def plane(made, place, turn=(0, 0, 0), size=6):
    bpy.ops.mesh.primitive_plane_add(size=size, location=place, rotation=turn)
    return put(made)


def box(made, place, size, turn=0):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place, rotation=(0, 0, turn), scale=size)
    return put(made)


def ball(made, place, radius):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=radius, location=place)
    bpy.ops.object.shade_smooth()
    return put(made)


def cylinder(made, place, radius, height):
    bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=radius, depth=height, location=place)
    return put(made)


def camera(place, target, lens=35):
    bpy.ops.object.camera_add(location=place)
    made = bpy.context.object
    made.rotation_euler = (mathutils.Vector(target) - mathutils.Vector(place)).to_track_quat("-Z", "Y").to_euler()
    made.data.lens = lens
    bpy.context.scene.camera = made
    return made.data


def world(colour, strength=1.0):
    made = bpy.data.worlds.new("world")
    made.use_nodes = True
    background = made.node_tree.nodes["Background"]
    background.inputs["Color"].default_value, background.inputs["Strength"].default_value = (*colour, 1), strength
    bpy.context.scene.world = made


def closed_room(floor, ceiling, back, left, right):
    half = math.pi / 2
    for made, place, turn in ((floor, (0, 0, 0), (0, 0, 0)), (ceiling, (0, 0, 6), (math.pi, 0, 0)), (back, (0, 3, 3), (half, 0, 0)),
                              (left, (-3, 0, 3), (half, 0, half)), (right, (3, 0, 3), (half, 0, -half)), (ceiling, (0, -3, 3), (-half, 0, 0))):
        plane(made, place, turn)


def room():
    """Plain walls: mottling shows here."""
    white = matt((.75, .75, .75))
    closed_room(white, white, white, matt((.65, .08, .06)), matt((.1, .45, .13)))
    plane(lamp((1, .86, .7), 18), (0, .3, 5.98), (math.pi, 0, 0), 1.4)
    box(white, (-1.1, 1, 1.6), (1.5, 1.5, 3.2), .35)
    ball(matt((.8, .8, .8), .15, Metallic=1), (1.2, -.1, .9), .9)
    box(matt((.15, .25, .7)), (.3, -1.4, .35), (.7, .7, .7), -.4)
    camera((0, -2.9, 2.7), (0, 3, 2.3), 20)


def textures():
    """Finer than a pixel far away."""
    brick = textured("ShaderNodeTexBrick", 1.6, (.3, .3, .3), (.6, .25, .15))
    check = textured("ShaderNodeTexChecker", 9, (.06, .06, .07), (.8, .78, .7), .25)
    noise = textured("ShaderNodeTexNoise", 9, (.01, .03, .15), (1, .9, .6), Detail=8)
    wave = textured("ShaderNodeTexWave", 9, (.25, .1, .03), (.75, .5, .28), .35, Distortion=4, Detail=3)
    closed_room(check, matt((.75, .75, .75)), brick, noise, wave)
    plane(lamp((1, .9, .75), 14), (.8, .3, 5.98), (math.pi, 0, 0), 1.6)
    box(wave, (-1.2, 1, 1), (1.4, 1.4, 2), .3)
    ball(noise, (1, .4, .9), .9)
    cylinder(textured("ShaderNodeTexMagic", 5, (.1, .1, .1), (.9, .6, .2), .3), (.2, -1.1, .45), .45, .9)
    camera((0, -2.9, 2.3), (0, 3, 2.1), 20)


def blades(draw, count):
    """A mesh of thin curved leaves around the camera's axis."""
    corners, faces = [], []
    for _ in range(count):
        y = 14 * draw.random() ** 1.5
        x, turn, height = draw.uniform(-1, 1) * (.8 + .6 * y), draw.uniform(0, math.pi), draw.uniform(.25, .6)
        bend, width = draw.uniform(-.25, .25), draw.uniform(.006, .014)
        across = (math.cos(turn) * width, math.sin(turn) * width)
        first = len(corners)
        for step in range(3):
            share = step / 2
            middle = (x + bend * share * share * math.sin(turn), y - bend * share * share * math.cos(turn), height * share)
            narrow = 1 - .9 * share
            corners += [(middle[0] + side * narrow * across[0], middle[1] + side * narrow * across[1], middle[2]) for side in (-1, 1)]
        faces += [(first + k, first + k + 1, first + k + 3, first + k + 2) for k in (0, 2)]
    mesh = bpy.data.meshes.new("grass")
    mesh.from_pydata(corners, [], faces)
    return bpy.data.objects.new("grass", mesh)


def meadow():
    """Depth of field and leaves thinner than a pixel: the guides are noisy."""
    draw = random.Random(5)
    for colour in ((.12, .3, .05), (.3, .36, .08), (.07, .2, .04)):
        grass = blades(draw, 9000)
        grass.data.materials.append(matt(colour, .5, Transmission=0))
        bpy.context.collection.objects.link(grass)
    plane(matt((.1, .07, .04)), (0, 20, 0), size=60)
    for k in range(24):
        y = draw.uniform(.6, 7)
        ball(matt(draw.choice([(.8, .7, .05), (.75, .1, .12), (.85, .85, .85), (.35, .15, .7)])),
             (draw.uniform(-1, 1) * (.3 + .45 * y), y, draw.uniform(.35, .6)), .035)
    ball(matt((.7, .05, .04), .2), (.25, 2, .3), .25)
    world((.35, .55, .95), .8)
    bpy.ops.object.light_add(type="SUN", rotation=(.9, .3, .5))
    bpy.context.object.data.energy, bpy.context.object.data.angle = 4, .01
    made = camera((0, -.6, .85), (0, 3, .2), 40)
    made.dof.use_dof, made.dof.focus_distance, made.dof.aperture_fstop = True, 2.6, .3


def glass():
    """Caustics of a small lamp."""
    closed_room(matt((.6, .5, .4), .35), matt((.7, .7, .7)), matt((.7, .68, .62)), matt((.35, .45, .6)), matt((.6, .55, .3)))
    clear = shaded("ShaderNodeBsdfGlass", Color=(1, 1, 1, 1), IOR=1.5, Roughness=0)
    tinted = shaded("ShaderNodeBsdfGlass", Color=(.5, .85, .7, 1), IOR=1.45, Roughness=0)
    frosted = shaded("ShaderNodeBsdfGlass", Color=(1, .8, .7, 1), IOR=1.4, Roughness=.25)
    ball(clear, (-.9, -.2, .8), .8)
    cylinder(tinted, (.9, .5, 1), .55, 2)
    ball(frosted, (.6, -1.1, .45), .45)
    ball(matt((.9, .75, .4), .08, Metallic=1), (-.2, 1.4, .6), .6)
    plane(lamp((1, .9, .8), 17), (1, -.4, 5.9), (math.pi, 0, 0), 1.5)
    camera((0, -2.9, 2.1), (0, 1, .9), 22)


def fog():
    """At night, with coloured lamps: light of low contrast whose colour must stay."""
    ground = matt((.12, .12, .13), .5)
    plane(ground, (0, 8, 0), size=60)
    draw = random.Random(9)
    for k, (x, y, colour) in enumerate([(-2, 3, (1, .5, .15)), (2.2, 5, (.2, .5, 1)), (-1.6, 9, (1, .2, .3)), (2.6, 12, (.3, 1, .4))]):
        cylinder(ground, (x, y, 1.4), .06, 2.8)
        ball(lamp(colour, 90), (x, y, 2.9), .16)
    for k in range(6):
        size = draw.uniform(.5, 1.1)
        box(matt((.3, .28, .25)), (draw.uniform(-3, 3), draw.uniform(3, 11), size / 2), (size, size, size), draw.uniform(0, 1))
    box(shaded("ShaderNodeVolumeScatter", "Volume", Color=(.9, .92, 1, 1), Density=.09, Anisotropy=.3), (0, 8, 3.9), (24, 22, 8))
    world((.01, .013, .03), 1)
    camera((0, -4.2, 1.6), (0, 6, 1.6), 32)


SCENES = {"room": room, "textures": textures, "meadow": meadow, "glass": glass, "fog": fog}
NAMES = (*SCENES, "meadow" + FILM, "fog" + FILM)


def prepare(name):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    SCENES[name.removesuffix(FILM)]()
    scene = bpy.context.scene
    if scene.world is None:
        world((0, 0, 0))
    render, cycles, layer = scene.render, scene.cycles, bpy.context.view_layer
    render.engine, render.film_transparent = "CYCLES", name.endswith(FILM)
    render.resolution_x, render.resolution_y, render.resolution_percentage = SIZE, SIZE, 100
    render.threads_mode, render.threads = "FIXED", len(os.sched_getaffinity(0))
    image = render.image_settings
    image.file_format, image.color_depth, image.exr_codec = "OPEN_EXR_MULTILAYER", "32", "ZIP"
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    layer.use_pass_combined = layer.use_pass_z = layer.use_pass_normal = layer.cycles.denoising_store_passes = True
    return scene


def render_all(name, folder, reference):
    scene = prepare(name)
    wanted = [(str(count), count) for count in SAMPLES] + [("reference-" + half, int(reference)) for half in "ab"]
    for number, (file, samples) in enumerate(wanted, 1):
        path = os.path.join(folder, name, file + ".exr")
        if os.path.exists(path):
            continue
        scene.cycles.samples, scene.cycles.seed = samples, number
        scene.render.filepath = path + ".part.exr"
        bpy.ops.render.render(write_still=True)
        os.replace(path + ".part.exr", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=NAMES, help=" ".join(NAMES))
    parser.add_argument("--out", required=True)
    parser.add_argument("--reference", type=int, default=REFERENCE, metavar="SAMPLES", help="of each of the two (%(default)s)")
    arguments = parser.parse_args()
    for name in arguments.scenes:
        os.makedirs(os.path.join(arguments.out, name), exist_ok=True)
        words = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python", os.path.abspath(__file__), "--", name, arguments.out, str(arguments.reference)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if "--" not in sys.argv:
        main()
    else:  # within Blender
        import bpy
        import mathutils
        render_all(*sys.argv[sys.argv.index("--") + 1:])
