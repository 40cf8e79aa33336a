"""Renders a sequence for render.py, which becomes a folder of arrays, frames first, half floats unless said otherwise:
  colour.npy reference.npy filtered.npy albedo.npy normal.npy  (frames, height, width, 3); filtered: what svgf makes of the noisy frames
  depth.npy (frames, height, width), motion.npy (frames, height, width, 2), float32"""

import json
import os
import shutil
import time

import numpy

import looks
from presets import PRESETS

PLANES = ["albedo", "normal", "depth", "motion"]
COAT_PART = 4  # a coat's share is small, so its reference takes fewer samples
FLOATS = ("depth", "motion")


def pathtrace(name, scene, preset, pixel_filter, look, samples, seed):
    """Lines of an instance; frame k has the seed `seed` + k."""
    place = "pathtrace:" + name
    settings = {"filename": '"%s"' % scene, "width": preset.size[0], "height": preset.size[1], "precision": "f32", "filter": pixel_filter,
                "reflected": str(look.reflected).lower(), "samples": samples}
    return (["module:" + place] + ["param:%s:%s:%s" % (place, key, value) for key, value in settings.items()] +
            ["keyframe:%d:%s:seed:%d" % (k, place, seed + k) for k in range(preset.frames)])


def mixed(name, first, second, share):
    return ["module:mix:" + name, "param:mix:%s:share:%g" % (name, share), "connect:%s:mix:%s:input" % (first, name),
            "connect:%s:mix:%s:other" % (second, name)]


def graph_text(scene, preset, look, samples, reference):
    """scene: a path without its ending. The noisy frames, their references, and svgf as in `lacuna denoise`."""
    lines = ["lacuna:1", "frames:%d" % preset.frames]
    lines += pathtrace("noisy", scene + ".scene", preset, look.filter, look, samples, 1)
    lines += pathtrace("reference", scene + ".scene", preset, "gaussian", looks.Look(), reference, 1001)
    outputs = {"colour": "pathtrace:noisy:output", "reference": "pathtrace:reference:output", **{plane: "pathtrace:noisy:" + plane for plane in PLANES}}
    if look.coat:
        lines += pathtrace("coat", scene + "-coat.scene", preset, look.filter, looks.Look(), samples, 2001)
        lines += pathtrace("coat-reference", scene + "-coat.scene", preset, "gaussian", looks.Look(), -(-reference // COAT_PART), 3001)
        lines += mixed("colour", outputs["colour"], "pathtrace:coat:output", look.coat)
        lines += mixed("reference", outputs["reference"], "pathtrace:coat-reference:output", look.coat)
        outputs.update(colour="mix:colour:output", reference="mix:reference:output")
        if not look.reflected:  # renderers whose albedo shows what is reflected leave coats out of it
            lines += mixed("albedo", outputs["albedo"], "pathtrace:coat:albedo", look.coat)
            outputs.update(albedo="mix:albedo:output")
    lines += ["module:svgf:01", "param:svgf:01:taa:true", "connect:%s:svgf:01:input" % outputs["colour"]]
    lines += ["connect:%s:svgf:01:%s" % (outputs[plane], plane) for plane in PLANES]
    outputs["filtered"] = "svgf:01:output"
    for name, output in outputs.items():
        lines += ["module:o-npy:" + name, 'param:o-npy:%s:filename:"%s_%%04d.npy"' % (name, name), "connect:%s:o-npy:%s:input" % (output, name)]
    return "\n".join(lines) + "\n", list(outputs)


def packed(folder, names, frames):
    arrays = {}
    for name in names:
        found = numpy.stack([numpy.load(os.path.join(folder, "%s_%04d.npy" % (name, k))) for k in range(frames)])
        if name in FLOATS:
            arrays[name] = found.astype(numpy.float32)
            continue
        arrays[name] = numpy.clip(found[..., :3], -65504, 65504).astype(numpy.float16)
        if not numpy.isfinite(arrays[name]).all():
            raise RuntimeError("%s: %s has values that aren't finite" % (folder, name))
    return arrays


def render_scene(run, views, preset_name, scene_name, data):
    """The scene's entry in the index. run(text, folder): runs a graph."""
    begin, preset, is_held_out = time.time(), PRESETS[preset_name], scene_name.startswith("held")
    samples, reference = views[0][0], sum(views[0][1:])
    part, look = os.path.join(data, scene_name + ".part"), looks.look_of(preset_name, scene_name)
    text, names = graph_text(os.path.abspath(os.path.join(data, "scenes", scene_name)), preset, look, samples, reference)
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    run(text, part)
    arrays = packed(part, names, preset.frames)
    shutil.rmtree(part)
    os.makedirs(part)
    for name, array in arrays.items():
        numpy.save(os.path.join(part, name + ".npy"), array)
    entry = {"scene": scene_name, "held_out": is_held_out, "samples": [[samples]], "reference": reference, "seconds": round(time.time() - begin, 2)}
    with open(os.path.join(part, "entry.json"), "w") as file:
        json.dump(entry, file)
    os.replace(part, os.path.join(data, scene_name))
    return entry
