"""Renders and denoises with Lacuna. tools/blender/README.md says how it is used."""
import bpy

from . import operators, panel

# Blender 3.4 to 4.1; later versions read blender_manifest.toml.
bl_info = {
    "name": "Lacuna",
    "description": "Denoises stills and animations beside rendering",
    "author": "Lacuna",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "Output properties > Lacuna, Render menu",
    "category": "Render",
}

commands = []


def run_command(words):
    """blender -b scene.blend --command lacuna: renders and denoises the frame range; --still the current frame;
    --prepare turns on passes and file format before."""
    try:
        if "--prepare" in words:
            bpy.ops.lacuna.prepare()
        done = bpy.ops.lacuna.render(animation="--still" not in words)
    except RuntimeError as problem:  # what was reported
        print(problem)
        return 1
    return 0 if "FINISHED" in done else 1


def register():
    for each in panel.classes + operators.classes:
        bpy.utils.register_class(each)
    bpy.types.Scene.lacuna = bpy.props.PointerProperty(type=panel.LacunaSettings)
    bpy.types.TOPBAR_MT_render.append(panel.menu)
    if hasattr(bpy.utils, "register_cli_command"):  # Blender 4.2
        commands.append(bpy.utils.register_cli_command("lacuna", run_command))


def unregister():
    for each in commands:
        bpy.utils.unregister_cli_command(each)
    commands.clear()
    bpy.types.TOPBAR_MT_render.remove(panel.menu)
    del bpy.types.Scene.lacuna
    for each in reversed(panel.classes + operators.classes):
        bpy.utils.unregister_class(each)
