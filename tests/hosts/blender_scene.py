"""Within Blender: the add-on, and a scene with a moving camera and a moving object."""
import math

import bpy


def install(zip_file):
    bpy.ops.preferences.addon_install(filepath=zip_file, overwrite=True)
    bpy.ops.preferences.addon_enable(module="lacuna_denoise")


def material(name, colour, roughness=.6):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    return made


def put(made, *place, scale=1.0):
    thing = bpy.context.object
    thing.location, thing.scale = place, (scale,) * 3
    thing.data.materials.clear()
    thing.data.materials.append(made)
    return thing


def moved(thing, axis, begin, end, frames):
    for frame, value in ((1, begin), (frames, end)):
        thing.location[axis] = value
        thing.keyframe_insert("location", frame=frame)
    for curve in thing.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def make(folder, samples=1, frames=12):
    """A room with an area light. Frames are FOLDER/f_0001.exr, ..."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    grey, red, green = material("grey", (.7, .7, .7)), material("red", (.7, .1, .08)), material("green", (.1, .5, .15))
    for place, turn, made in (((0, 0, 0), (0, 0, 0), grey), ((0, 3, 3), (math.pi / 2, 0, 0), grey),
                              ((-3, 0, 3), (0, math.pi / 2, 0), red), ((3, 0, 3), (0, math.pi / 2, 0), green)):
        bpy.ops.mesh.primitive_plane_add(size=6, rotation=turn)
        put(made, *place)
    bpy.ops.mesh.primitive_cube_add()
    put(material("blue", (.15, .25, .7)), -1.1, .8, .8, scale=.8)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16)
    moved(put(material("yellow", (.8, .6, .1)), 0, -.6, .6, scale=.6), 0, .2, 1.6, frames)
    bpy.ops.object.light_add(type="AREA", location=(0, 0, 4.8))
    bpy.context.object.data.energy, bpy.context.object.data.size = 250, 2.0
    bpy.ops.object.camera_add(location=(-.6, -7.5, 2.6), rotation=(math.radians(82), 0, 0))
    scene.camera = bpy.context.object
    moved(scene.camera, 0, -.6, .6, frames)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = False
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 160, 90, 100
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.frame_start, scene.frame_end = 1, frames
    scene.render.filepath = f"{folder}/f_####"
    bpy.ops.lacuna.prepare()
    return scene
