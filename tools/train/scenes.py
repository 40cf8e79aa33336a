#!/usr/bin/env python3
"""Writes the random scenes of a preset, with the textures and meshes that they take: scenes.py PRESET --data DIR"""

import argparse
import os
import shutil

import looks
import moving_scene
import room_scene
import study_scene
import textures
from draw import Draw
from presets import PRESETS
from scene_text import camera_lines

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "scenes")
TEXTURES = 36


def passes(preset, is_held_out):
    """Frames that show one view: its noisy pictures, and the parts of its reference."""
    reference = preset.held_out_reference if is_held_out else preset.reference
    return len(preset.noisy) + -(-reference // preset.chunk)


def scene_names(name):
    """Of training scenes and of held-out ones. Seeds follow from names, so the two never share one."""
    preset = PRESETS[name]

    held_out = ["held-%03d" % k for k in range(preset.held_out)] + ["held-fine-%03d" % k for k in range(preset.fine_held_out)]
    return ["train-%03d" % k for k in range(preset.scenes)], held_out


def kind_of(scene_name):
    """A key of room_scene.KINDS."""
    return "fine" if "-fine-" in scene_name else ""


def title(kind):
    return "scenes with fine textures" if kind == "fine" else "scenes"


def write_scene(preset_name, scene_name, folder):
    preset, draw = PRESETS[preset_name], Draw("%s %s" % (preset_name, scene_name))
    is_held_out = scene_name.startswith("held")
    views, comment = 1 if is_held_out else preset.views, "%s of preset %s, by tools/train" % (scene_name, preset_name)
    files, blurred, repeats = ["texture-%d.png" % k for k in range(TEXTURES)], 0.1 if is_held_out else 0.3, passes(preset, is_held_out)
    if preset_name == "study":
        scene, cameras = study_scene.make(draw, views, comment)
    elif preset.frames:
        kind = kind_of(scene_name) if is_held_out else draw.pick(["", "", "fine"])
        scene, cameras = moving_scene.make(draw, preset.frames, comment, files, kind, 0.1, 0.0 if is_held_out else 0.1)
        repeats = 1
    else:
        scene, cameras = room_scene.make(draw, views, comment, files, kind_of(scene_name), blurred)
    text, look = scene.text(camera_lines(cameras, repeats)), looks.look_of(preset_name, scene_name)
    texts = {scene_name: text, **({scene_name + "-coat": looks.coated(text, look)} if look.coat else {})}
    for name, content in texts.items():
        with open(os.path.join(folder, name + ".scene"), "w") as file:
            file.write(content)


def write_scenes(name, folder):
    os.makedirs(folder, exist_ok=True)
    if name != "study":
        textures.write_textures(folder, TEXTURES, 1)
        for mesh in room_scene.things.MESHES:
            shutil.copy(os.path.join(EXAMPLES, mesh + ".obj"), folder)
    for scene in sum(scene_names(name), []):
        write_scene(name, scene, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=sorted(PRESETS))
    parser.add_argument("--data", required=True)
    arguments = parser.parse_args()
    write_scenes(arguments.preset, os.path.join(arguments.data, "scenes"))
