"""What a scene must write for Lacuna, and what is wrong with it."""
import os

import bpy

from .frames import FOLDER

MULTILAYER = "OPEN_EXR_MULTILAYER"
PREPARE = "bpy.ops.lacuna.prepare()" if bpy.app.background else "Prepare Scene"  # what sets up a scene, as messages call it


def used_layers(scene):
    return [layer for layer in scene.view_layers if layer.use]


def has_motion(scene):
    """Cycles writes no vectors where it blurs motion."""
    return not scene.render.use_motion_blur


def output_path(scene):
    return bpy.path.abspath(scene.render.filepath)


def prepare(scene):
    """Turns on the passes and the format."""
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # Blender 5.0: it limits the formats
        settings.media_type = "MULTI_LAYER_IMAGE"
    settings.file_format = MULTILAYER
    settings.exr_codec = "ZIP"
    scene.render.use_file_extension = True
    if hasattr(scene, "cycles"):
        scene.cycles.use_denoising = False
    for layer in used_layers(scene):
        layer.use_pass_combined = True
        layer.use_pass_z = True
        layer.use_pass_normal = True
        layer.use_pass_vector = has_motion(scene)
        if hasattr(layer, "cycles"):
            layer.cycles.denoising_store_passes = True


def missing_passes(scene):
    missing = []
    for layer in used_layers(scene):
        for name, is_on in (("Combined", layer.use_pass_combined),
                            ("Denoising Data", hasattr(layer, "cycles") and layer.cycles.denoising_store_passes),
                            ("Vector", layer.use_pass_vector or not has_motion(scene))):
            if not is_on:
                missing.append(f"{layer.name}: {name}")
    return missing


def folder_problem(folder):
    """Why no frame can be written there; it is made when the first one is."""
    while not os.path.exists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        return f"'{folder}' is not a folder"
    return None if os.access(folder, os.W_OK | os.X_OK) else f"The folder '{folder}' can't be written"


def problems(scene):
    """Why a render would leave nothing to denoise: a line each."""
    render, found = scene.render, []
    if render.engine != "CYCLES":
        found.append(f"The render engine is {render.engine}: only Cycles writes the planes (Render > Render Engine)")
    if scene.camera is None:
        found.append("The scene has no camera")
    if not used_layers(scene):
        found.append("No view layer is used for rendering")
    if render.image_settings.file_format != MULTILAYER:
        found.append(f"The file format is {render.image_settings.file_format}: expected OpenEXR MultiLayer ({PREPARE} sets it)")
    elif not render.use_file_extension:
        found.append(f"File Extensions is off: expected names that end in .exr ({PREPARE} sets it)")
    if render.engine == "CYCLES" and missing_passes(scene):
        found.append(f"Passes are off: {', '.join(missing_passes(scene))} ({PREPARE} turns them on)")
    if render.engine == "CYCLES" and scene.cycles.use_denoising:
        found.append(f"Cycles denoises the picture itself: turn that off ({PREPARE} does)")
    if render.use_multiview and render.image_settings.views_format != "MULTIVIEW":
        found.append("Stereoscopy: only the views format Multi-View is denoised")
    if render.filepath.startswith("//") and not bpy.data.filepath:
        found.append("The output path is relative to a file that isn't saved yet: save it, or choose another path")
    elif not render.filepath:
        found.append("The output path is empty")
    else:
        folder = os.path.dirname(output_path(scene))
        found += filter(None, [folder_problem(folder) or folder_problem(os.path.join(folder, FOLDER))])
    return found


def remarks(scene):
    """What isn't wrong, but worth to know."""
    found = []
    if not has_motion(scene):
        found.append("Motion blur: Cycles writes no vectors, so each frame is denoised by itself")
    if scene.camera and scene.camera.data.dof.use_dof:
        found.append("Depth of field: planes are noisy where it blurs; more samples there help")
    return found
