#!/usr/bin/env python3
"""Renders the scenes of a preset with pathtrace: render.py PRESET --data DIR --lacuna build/release/lacuna

Each scene becomes a folder of arrays, half floats unless said otherwise, `views` and `pictures` first:
  noisy.npy      (views, pictures, height, width, 9): colour, albedo, normal
  depth.npy      (views, height, width), float32: of the pixels' centres, 1e10 where there is nothing
  reference.npy  (views, height, width, 3), float32
index.json lists the scenes that are there. What is there isn't rendered again."""

import argparse
import concurrent.futures
import functools
import json
import os
import shutil
import subprocess
import time
from dataclasses import replace

import numpy

import looks
import render_sequences
import scenes
from draw import Draw
from presets import PRESETS

COAT_PART = 4  # a coat's share is small, so its reference takes fewer samples
PLANES = {"colour": "output", "albedo": "albedo", "normal": "normal", "depth": "depth"}  # our names, and pathtrace's


def noisy_samples(preset, draw):
    return [samples or draw.pick(preset.others) for samples in preset.noisy]


def parts(total, chunk):
    """Samples of the dispatches that make a reference."""
    count = -(-total // chunk)
    return [total // count + (k < total % count) for k in range(count)]


def frames_of(preset_name, scene_name):
    """Samples of each frame, view after view, and how many of a view's are noisy pictures."""
    preset, draw = PRESETS[preset_name], Draw("samples %s %s" % (preset_name, scene_name))
    is_held_out = scene_name.startswith("held")
    reference = parts(preset.held_out_reference if is_held_out else preset.reference, preset.chunk)
    if is_held_out:
        return [list(preset.held_out_noisy) + reference], len(preset.noisy)
    return [noisy_samples(preset, draw) + reference for _ in range(preset.views)], len(preset.noisy)


def graph_text(scene_file, size, samples, look):
    """A graph whose frame k renders with samples[k] and a seed of its own."""
    lines = ["lacuna:1", "frames:%d" % len(samples), "module:pathtrace:01",
             'param:pathtrace:01:filename:"%s"' % scene_file, "param:pathtrace:01:width:%d" % size[0],
             "param:pathtrace:01:height:%d" % size[1], "param:pathtrace:01:precision:f32",
             "param:pathtrace:01:filter:" + look.filter, "param:pathtrace:01:reflected:%s" % str(look.reflected).lower()]
    for frame, count in enumerate(samples):
        lines += ["keyframe:%d:pathtrace:01:samples:%d" % (frame, count), "keyframe:%d:pathtrace:01:seed:%d" % (frame, frame + 1)]
    for plane, connector in PLANES.items():
        lines += ["module:o-npy:" + plane, 'param:o-npy:%s:filename:"%s_%%04d.npy"' % (plane, plane),
                  "connect:pathtrace:01:%s:o-npy:%s:input" % (connector, plane)]
    return "\n".join(lines) + "\n"


def run(lacuna, text, folder):
    with open(os.path.join(folder, "graph.cfg"), "w") as file:
        file.write(text)
    done = subprocess.run([lacuna, "run", "-q", "--no-tune", "graph.cfg"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError("%s run %s/graph.cfg failed with exit code %d:\n%s" % (lacuna, folder, done.returncode, done.stdout))


def packed(folder, views, noisy_count):
    """The arrays of a scene, from the files of its frames."""
    def load(plane, frame):
        return numpy.load(os.path.join(folder, "%s_%04d.npy" % (plane, frame)))

    noisy, depth, references, frame = [], [], [], 0
    for samples in views:
        frames = range(frame, frame + len(samples))
        pictures = [numpy.concatenate([load("colour", f)[..., :3], load("albedo", f), load("normal", f)], -1)
                    for f in frames[:noisy_count]]
        noisy.append(numpy.clip(numpy.stack(pictures), -65504, 65504).astype(numpy.float16))
        depth.append(load("depth", frame))
        weighted = [load("colour", f)[..., :3].astype(numpy.float64) * n for f, n in zip(frames[noisy_count:], samples[noisy_count:])]
        references.append((sum(weighted) / sum(samples[noisy_count:])).astype(numpy.float32))
        frame += len(samples)
    arrays = {"noisy": numpy.stack(noisy), "depth": numpy.stack(depth), "reference": numpy.stack(references)}
    if not all(numpy.isfinite(array).all() for array in arrays.values()):
        raise RuntimeError("%s: the renderer wrote values that aren't finite" % folder)
    return arrays


def rendered(lacuna, scene_file, size, views, noisy_count, look, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run(lacuna, graph_text(os.path.abspath(scene_file), size, sum(views, []), look), folder)
    arrays = packed(folder, views, noisy_count)
    shutil.rmtree(folder)
    return arrays


def render_scene(lacuna, preset_name, scene_name, data):
    """The scene's entry in the index."""
    begin = time.time()
    views, noisy_count = frames_of(preset_name, scene_name)
    if PRESETS[preset_name].frames:
        return render_sequences.render_scene(functools.partial(run, lacuna), views, preset_name, scene_name, data)
    part, look, size = os.path.join(data, scene_name + ".part"), looks.look_of(preset_name, scene_name), PRESETS[preset_name].size
    scene_file = os.path.join(data, "scenes", scene_name)
    arrays = rendered(lacuna, scene_file + ".scene", size, views, noisy_count, look, part)
    if look.coat:
        fewer = [view[:noisy_count] + [-(-n // COAT_PART) for n in view[noisy_count:]] for view in views]
        coat = rendered(lacuna, scene_file + "-coat.scene", size, fewer, noisy_count, replace(look, reflected=False), part)
        arrays = looks.mixed(arrays, coat, look)
    os.makedirs(part)
    for name, array in arrays.items():
        numpy.save(os.path.join(part, name + ".npy"), array)
    entry = {"scene": scene_name, "held_out": scene_name.startswith("held"), "samples": [view[:noisy_count] for view in views],
             "reference": sum(views[0][noisy_count:]), "seconds": round(time.time() - begin, 2)}
    with open(os.path.join(part, "entry.json"), "w") as file:
        json.dump(entry, file)
    os.replace(part, os.path.join(data, scene_name))  # a folder appears whole or not at all
    return entry


def present(preset_name, data):
    """Entries of the scenes that are there, by name."""
    entries = {}
    for name in sum(scenes.scene_names(preset_name), []):
        path = os.path.join(data, name, "entry.json")
        if os.path.exists(path):
            with open(path) as file:
                entries[name] = json.load(file)
    return entries


def write_index(preset_name, data):
    preset = PRESETS[preset_name]
    index = {"preset": preset_name, "size": preset.size, "scenes": list(present(preset_name, data).values())}
    with open(os.path.join(data, "index.json.part"), "w") as file:
        json.dump(index, file, indent=1)
    os.replace(os.path.join(data, "index.json.part"), os.path.join(data, "index.json"))


def render(lacuna, preset_name, data, jobs):
    scenes.write_scenes(preset_name, os.path.join(data, "scenes"))
    training, held_out = scenes.scene_names(preset_name)
    there = present(preset_name, data)
    missing = [name for name in held_out + training if name not in there]
    begin, paths = time.time(), 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(render_scene, lacuna, preset_name, name, data): name for name in missing}
        try:
            for number, done in enumerate(concurrent.futures.as_completed(pending), 1):
                entry = done.result()
                views = frames_of(preset_name, entry["scene"])[0]
                paths += sum(map(sum, views)) * PRESETS[preset_name].size[0] * PRESETS[preset_name].size[1] * max(1, PRESETS[preset_name].frames)
                seconds = time.time() - begin
                print("[%.1f s] %d of %d: %s, %.1f s; %.0f million paths a second" %
                      (seconds, number, len(missing), entry["scene"], entry["seconds"], paths / seconds / 1e6), flush=True)
                write_index(preset_name, data)  # so that existing data can be trained on
        except BaseException:
            for future in pending:
                future.cancel()
            raise
    write_index(preset_name, data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(PRESETS))
    parser.add_argument("--data", required=True)
    parser.add_argument("--lacuna", required=True, help="the program")
    parser.add_argument("--jobs", type=int, default=max(1, min(8, (os.cpu_count() or 2) // 2)), help="programs at a time")
    arguments = parser.parse_args()
    render(os.path.abspath(arguments.lacuna), arguments.preset, arguments.data, arguments.jobs)
