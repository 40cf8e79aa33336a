#!/usr/bin/env python3
"""Scores Open Image Denoise beside `lacuna denoise`, on the CPU: judge_peers.py --lacuna PROGRAM [--mitsuba DIR] [--cycles DIR] [--shared DIR]

tools/peers runs it, in an environment with Open Image Denoise. Scenes are those of render_mitsuba.py and cycles.py, and the table of
shared/data; what is missing is skipped and counted. Figures are those of judge_stills.py, and FLIP. --times measures how long a
picture takes instead, both warm: Open Image Denoise's filters on arrays in memory; `lacuna denoise` a file more in a batch, so with
reading and writing files, but without the program's start and compiling. Of several runs the least counts."""

import argparse
import csv
import datetime
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy

import cycles
import judge_stills
import render_mitsuba

SAMPLES = ("1", "4", "16", "64")
LACUNA = {"lacuna": "denoise", "lacuna-colour": "rgb", "lacuna-guided": "rgb-and"}  # methods of judge_stills.py
REFERENCES = ("reference-a", "reference-b")
GROUPS = ("Cycles", "Mitsuba, development", "Mitsuba, held out", "shared")
FIGURES = ("factor", "relMSE", "SSIM", "FLIP", "mean", "red", "green", "blue", "blocks")
BETTER = {"relMSE": -1, "SSIM": 1, "FLIP": -1, "mean": -1, "blocks": -1}  # 1: higher is better
SIZES = {(320, 320): 4, (1280, 720): 1}  # of which times are measured, and how many files more the longer batch has
TIMED = ("lacuna", "lacuna-colour")  # with clean guides lacuna is lacuna-guided
PLANES = {"output": "rgb", "albedo": "rgb", "normal": "normal", "depth": "depth"}


@dataclass
class Scene:
    name: str
    group: str
    data: str  # its files are DATA/NAME/SAMPLES.exr

    def has(self, picture):
        return os.path.exists(os.path.join(self.data, self.name, picture + ".exr"))

    def samples(self):
        return [count for count in SAMPLES if self.has(count)] if all(map(self.has, REFERENCES)) else []


def shared_scene(shared, out):
    """The table, of one noisy picture and one reference, by the names of the others' files."""
    files = {"4": "still_0004spp.exr", **{half: "still_ref.exr" for half in REFERENCES}}
    folder = os.path.join(out, "data", "table")
    os.makedirs(folder, exist_ok=True)
    for name, file in files.items():
        path = os.path.join(os.path.abspath(shared), "renders", file)
        if os.path.exists(path):
            os.symlink(path, os.path.join(folder, name + ".exr"))
    return Scene("table", "shared", os.path.dirname(folder))


def all_scenes(mitsuba_folder, cycles_folder, shared, out):
    return [*(Scene(name, "Cycles", cycles_folder) for name in cycles.NAMES), *(Scene(name, "Mitsuba, development", mitsuba_folder) for name in render_mitsuba.DEVELOPMENT),
            *(Scene(name, "Mitsuba, held out", mitsuba_folder) for name in render_mitsuba.HELD_OUT), shared_scene(shared, out)]


def write_pictures(peer, folder, samples):
    """What a peer makes of the planes that judge_stills.prepare has written; alpha stays."""
    for count in samples:
        planes = {plane: numpy.load(os.path.join(folder, "noisy", count, plane + ".npy")) for plane in judge_stills.PLANES}
        for method in peer.methods:
            picture = numpy.concatenate([peer.denoised(planes, method)[..., :3], planes["output"][..., 3:]], -1)
            os.makedirs(os.path.join(folder, method), exist_ok=True)
            numpy.save(os.path.join(folder, method, count + ".npy"), picture.astype("f4"))


def score(lacuna, scene, peers, out, methods=tuple(LACUNA)):
    """Rows of a scene: the noisy pictures, then each method of Lacuna and of the peers."""
    samples, folder = scene.samples(), os.path.join(out, scene.name)
    judge_stills.prepare(lacuna, scene.data, scene.name, out, samples)
    truth, rows = judge_stills.Truth(folder), []
    for method in methods:
        judge_stills.denoise(lacuna, scene.data, scene.name, LACUNA[method], out, samples)
        os.replace(os.path.join(folder, LACUNA[method]), os.path.join(folder, method))
    for peer in peers:
        write_pictures(peer, folder, samples)
    for count in samples:
        files = {"noisy": os.path.join(folder, "noisy", count, "output.npy")}
        files.update((method, os.path.join(folder, method, count + ".npy")) for method in (*methods, *(method for peer in peers for method in peer.methods)))
        found = {method: judge_stills.judged(lacuna, numpy.load(file).astype("f8"), file, truth) for method, file in files.items()}
        for method, figures in found.items():
            figures["factor"] = found["noisy"]["relMSE"] / figures["relMSE"]
            rows.append({"scene": scene.name, "group": scene.group, "samples": count, "method": method, **{name: figures[name] for name in FIGURES}})
    return rows


# Tables -------------------------------------------------------------------------------------------------------------------------

def geometric(values):
    """Where a picture is better than its references can show, relMSE may be below 0, and counts as equal."""
    return math.exp(sum(math.log(value if value > 0 else 1) for value in values) / len(values))


def summary(rows):
    """A row a group and method, in the rows' order: geometric means of factors by samples, means of the others."""
    made = {}
    for row in rows:
        made.setdefault((row["group"], row["method"]), []).append(row)
    for (group, method), some in made.items():
        factors = {count: geometric([float(row["factor"]) for row in some if row["samples"] == count]) for count in SAMPLES if any(row["samples"] == count for row in some)}
        means = {name: sum(float(row[name]) for row in some) / len(some) for name in ("SSIM", "FLIP", "mean", "blocks")}
        yield {"group": group, "method": method, "scenes": len({row["scene"] for row in some}), "factors": factors, **means}


def table(rows):
    lines = ["| scenes | method | %s | SSIM | FLIP | mean colour | blocks |" % " | ".join(SAMPLES), "|" + "---|" * (6 + len(SAMPLES))]
    for row in summary(rows):
        factors = ["%.1f" % row["factors"][count] if count in row["factors"] else "" for count in SAMPLES]
        lines.append("| %s (%d) | %s | %s | %.3f | %.3f | %.1f%% | %.1f%% |" % (row["group"], row["scenes"], row["method"], " | ".join(factors), row["SSIM"], row["FLIP"],
                                                                           100 * row["mean"], 100 * row["blocks"]))
    return "\n".join(lines)


def duels(rows, one="lacuna", other="oidn-prefiltered-high"):
    """In how many pictures `one` is better, by figure; of how many; the median of how many times its relMSE is the other's."""
    found = {}
    for row in rows:
        found.setdefault((row["scene"], row["samples"]), {})[row["method"]] = {name: float(row[name]) for name in BETTER}
    pairs = [(methods[one], methods[other]) for methods in found.values() if one in methods and other in methods]
    won = {name: sum(sign * a[name] > sign * b[name] for a, b in pairs) for name, sign in BETTER.items()}
    return won, len(pairs), float(numpy.median([a["relMSE"] / b["relMSE"] for a, b in pairs]))


def text_of_duels(rows, other):
    won, count, median = duels(rows, other=other)
    return "of %d pictures lacuna is better than %s by %s; median of relMSE's ratio %.2f" % (count, other, ", ".join("%s in %d" % pair for pair in won.items()), median)


def rounded(value):
    return "%.4g" % value if isinstance(value, float) else value


def write_table(path, rows, comment):
    with open(path, "w", newline="") as file:
        file.write("# %s\n" % comment)
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: rounded(value) for name, value in row.items()} for row in rows)


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def machine(lacuna, peers):
    """Versions, processor and date, for the tables."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown CPU")
    version = subprocess.run([lacuna, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    devices = subprocess.run([lacuna, "devices"], check=True, stdout=subprocess.PIPE, text=True).stdout
    driver = next((line.split(None, 1)[1] for line in devices.splitlines() if line.split()[:1] == ["driver"]), "unknown driver")
    names = ["Lacuna %s (%s)" % (version, driver), *(peer.version for peer in peers)]
    return "%s; %d cores of %s; %s" % (", ".join(names), len(os.sched_getaffinity(0)), model, datetime.date.today())


# Times --------------------------------------------------------------------------------------------------------------------------

def made_up(width, height):
    """A noisy picture with smooth guides. How long filters take depends on the size alone."""
    y, x = numpy.mgrid[0:height, 0:width] / height
    draw = numpy.random.Generator(numpy.random.PCG64(1))
    normal = numpy.stack([numpy.sin(3 * x), 0 * x, numpy.cos(3 * x)], -1)
    albedo = .5 + .3 * numpy.stack([numpy.sin(4 * x), numpy.cos(3 * y), numpy.sin(2 * x + y)], -1)
    planes = {"output": albedo * draw.exponential(1, (height, width, 1)), "albedo": albedo, "normal": normal, "depth": 2 + x + y}
    return {name: numpy.ascontiguousarray(plane, "f4") for name, plane in planes.items()}


def write_exr(lacuna, planes, path):
    """Planes by the names of PLANES, as an OpenEXR file that `lacuna denoise` reads."""
    with tempfile.TemporaryDirectory() as folder:
        lines = ["lacuna:1", "module:o-exr:01", 'param:o-exr:01:filename:"%s"' % os.path.abspath(path), "param:o-exr:01:precision:f32"]
        for name, plane in planes.items():
            numpy.save(os.path.join(folder, name + ".npy"), plane)
            lines += ["module:i-npy:" + name, 'param:i-npy:%s:filename:"%s.npy"' % (name, name), "param:i-npy:%s:channels:%s" % (name, PLANES[name]),
                      "connect:i-npy:%s:output:o-exr:01:%s" % (name, "input" if name == "output" else name)]
        with open(os.path.join(folder, "planes.cfg"), "w") as graph:
            graph.write("\n".join(lines) + "\n")
        judge_stills.run(lacuna, "run", "-q", "planes.cfg", folder=folder)


def batch_seconds(command):
    """Wall and processor seconds of a program."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lacuna_seconds(lacuna, planes, method, folder, more, runs):
    """Of a picture: how much longer a batch takes that has `more` files."""
    files = [os.path.join(folder, "%d.exr" % k) for k in range(1 + more)]
    write_exr(lacuna, planes, files[0])
    for file in files[1:]:
        os.link(files[0], file)
    words = ["-q", "--device", "cpu", "--no-tune", "-o", os.path.join(folder, "{stem}.npy"), *judge_stills.METHODS[LACUNA[method]]]
    batch_seconds([lacuna, "denoise", files[0], *words])  # fills the caches
    one, all_of_them = (least([batch_seconds([lacuna, "denoise", *some, *words]) for _ in range(runs)]) for some in (files[:1], files))
    return tuple((all_of_them[k] - one[k]) / more for k in range(2))


def least(found):
    """Wall and processor seconds, each of the run in which it was least."""
    return tuple(min(column) for column in zip(*found))


def times(lacuna, peers, networks, sizes, runs):
    for (width, height), more in sizes.items():
        planes = made_up(width, height)
        for method in (*TIMED, *(method for peer in peers for method in peer.methods)):
            load = os.getloadavg()[0]
            if method in TIMED:
                with tempfile.TemporaryDirectory() as folder:
                    wall, processor = lacuna_seconds(lacuna, planes, method, folder, more, runs)
            else:
                wall, processor = least(next(peer for peer in peers if method in peer.methods).seconds(planes, method, runs + 2))
            yield {"method": method, "network": networks.get(method, ""), "width": width, "height": height, "wall seconds": wall, "processor seconds": processor, "load before": load}


def print_times(rows):
    print("| method | network | size | wall | processor | load |\n|%s" % ("---|" * 6), flush=True)
    for row in rows:
        print("| %s | %s | %dx%d | %.3f s | %.3f s | %.1f |" % (row["method"], row["network"], row["width"], row["height"], row["wall seconds"],
                                                             row["processor seconds"], row["load before"]), flush=True)
        yield row


# Program ------------------------------------------------------------------------------------------------------------------------

def render(names, folder):
    if names:
        subprocess.run([sys.executable, os.path.abspath(render_mitsuba.__file__), *names, "--out", folder], check=True)


def score_all(lacuna, scenes, peers, networks, out):
    rows, skipped = [], []
    for scene in scenes:
        if not scene.samples():
            skipped.append(scene.name)
            continue
        print("%s, %s" % (scene.name, scene.group), flush=True)
        with tempfile.TemporaryDirectory(dir=out) as pictures:
            rows += score(lacuna, scene, peers, pictures)
    if skipped:
        print("skipped: %d scenes without pictures: %s" % (len(skipped), " ".join(skipped)))
    return [{**row, "network": networks.get(row["method"], "")} for row in rows]


def main(peers=None):
    """peers: in place of Open Image Denoise, for tests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lacuna", help="the program")
    parser.add_argument("--mitsuba", default="mitsuba", metavar="DIR", help="a folder of render_mitsuba.py (%(default)s)")
    parser.add_argument("--render", action="store_true", help="make those of its pictures that aren't there")
    parser.add_argument("--cycles", default="cycles", metavar="DIR", help="a folder of cycles.py (%(default)s)")
    parser.add_argument("--shared", default="../shared/data", metavar="DIR", help="a folder with renders/still_ref.exr (%(default)s)")
    parser.add_argument("--scenes", nargs="+", metavar="SCENE", help="default: all")
    parser.add_argument("--times", action="store_true", help="measure times, not quality")
    parser.add_argument("--runs", type=int, default=3, help="of each time; the least counts (%(default)s)")
    parser.add_argument("--csv", metavar="FILE", help="also write the rows")
    parser.add_argument("--table", metavar="FILE", help="only print the table of such a file")
    arguments = parser.parse_args()
    if arguments.table:
        rows = read_table(arguments.table)
        print("%s\n\n%s" % (table(rows), "\n".join(text_of_duels(rows, other) for other in ("oidn-guided-high", "oidn-prefiltered-high"))))
        return 0
    if not arguments.lacuna:
        parser.error("--lacuna PROGRAM is needed")
    lacuna = os.path.abspath(arguments.lacuna)
    if peers is None:
        import oidn
        peers = [oidn.Oidn(len(os.sched_getaffinity(0)))]
    networks = {method: network for peer in peers for method, network in peer.networks().items()}
    comment = machine(lacuna, peers)
    print(comment, flush=True)
    if arguments.times:
        rows = list(print_times(times(lacuna, peers, networks, SIZES, arguments.runs)))
    else:
        with tempfile.TemporaryDirectory(prefix="lacuna-peers-") as out:
            scenes = all_scenes(arguments.mitsuba, arguments.cycles, arguments.shared, out)
            wrong = set(arguments.scenes or ()) - {scene.name for scene in scenes}
            if wrong:
                parser.error("no scene '%s'; there are %s" % (min(wrong), ", ".join(scene.name for scene in scenes)))
            scenes = [scene for scene in scenes if not arguments.scenes or scene.name in arguments.scenes]
            if arguments.render:
                render([scene.name for scene in scenes if scene.name in render_mitsuba.SCENES], arguments.mitsuba)
            rows = score_all(lacuna, scenes, peers, networks, out)
        if rows:
            print("\n%s" % table(rows))
    if arguments.csv and rows:
        write_table(arguments.csv, rows, comment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
