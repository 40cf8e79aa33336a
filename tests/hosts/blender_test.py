"""The add-on in Blender, without a window and in one: pictures as by the program alone, cancelling, mistakes."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LACUNA = os.environ["LACUNA"]
FRAMES = 12
PREFACE = f"""
import bpy, os, sys
sys.path.insert(0, {str(ROOT / 'tests/hosts')!r})
import blender_scene
blender_scene.install(ZIP)
def refused(word, call=None, **options):
    try:
        (call or bpy.ops.lacuna.render)(**options)
    except RuntimeError as problem:
        if word in str(problem):
            print("REFUSED", word)
            return
        raise
    raise SystemExit(f"not refused: {{word}}")
"""
# A program between Blender and Lacuna. Lacuna's first frames are written, then it ends like this.
STOPPED = """#!/bin/sh
"$PROGRAM" "$@" &
until [ -e "$RESULT" ]; do sleep .02; done
kill -TERM $!
wait $!
"""


def lacuna(*words, **options):
    return subprocess.run([LACUNA, *map(str, words)], check=True, text=True, capture_output=True, **options)


def settings(folder):
    return {"BLENDER_USER_CONFIG": f"{folder}/config", "BLENDER_USER_SCRIPTS": f"{folder}/scripts", "LACUNA": LACUNA,
            "HOME": folder}


class InBlender(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="lacuna blender ä ")  # spaces, and more than ASCII
        cls.folder = Path(cls.place.name)
        (cls.folder / "scripts/addons").mkdir(parents=True)
        (cls.folder / "config").mkdir()
        cls.zip = subprocess.run([ROOT / "tools/blender/package", cls.folder / "lacuna.zip"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.strip()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def blender(self, script, code=0, window=False, **environment):
        (self.folder / "script.py").write_text(f"ZIP = {self.zip!r}\nFOLDER = {str(self.folder)!r}\n{PREFACE}\n{script}")
        words = ["blender", "--factory-startup", "--python-exit-code", "1"] + ([] if window else ["-b"])
        words = (["xvfb-run", "-a", "-s", "-screen 0 1200x1900x24"] if window else []) + words
        done = subprocess.run(words + ["--python", str(self.folder / "script.py")], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=900,
                              env={**os.environ, **settings(self.place.name), **environment})
        text = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("Fra:"))
        self.assertEqual(done.returncode, code, text)
        return text

    def names(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir() if path.is_file())

    def info(self, file):
        return json.loads(lacuna("info", "--json", self.folder / file).stdout)[0]


ALL = [f"f_{number:04}.exr" for number in range(1, FRAMES + 1)]


class Pictures(InBlender):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = cls().blender(f"""
scene = blender_scene.make(FOLDER + "/noisy")
bpy.ops.lacuna.render()
scene.cycles.samples, scene.cycles.seed, scene.frame_start = 256, 7, 6
scene.render.filepath = FOLDER + "/reference/f_####"
bpy.ops.render.render(animation=True)
""")

    def runTest(self):
        """For setUpClass."""

    def factor(self, folder):
        compared = lacuna("compare", self.folder / folder / "f_%04d.exr", self.folder / "reference/f_%04d.exr", "--json",
                          "--baseline", self.folder / "noisy/f_%04d.exr", "--frames", f"6-{FRAMES}")
        frames = json.loads(compared.stdout)["frames"]
        return sum(frame["baseline"]["relMSE"] for frame in frames) / sum(frame["relMSE"] for frame in frames)

    def test_frames_are_as_good_as_by_the_program_alone(self):
        self.assertIn("12 of 12 frames are denoised", self.text)
        self.assertEqual(self.names("noisy"), ALL)
        self.assertEqual(self.names("noisy/denoised"), ALL)
        lacuna("denoise", self.folder / "noisy/f_%04d.exr", "-o", self.folder / "alone/f_%04d.exr")
        beside, alone = self.factor("noisy/denoised"), self.factor("alone")
        print(f"\nrelMSE, frames 6 to 12: {beside:.1f} times below the noisy ones beside Blender, {alone:.1f} alone")
        self.assertGreaterEqual(beside, .95 * alone)
        self.assertGreaterEqual(beside, 10)

    def test_a_menu_entry_denoises_earlier_frames(self):
        shutil.copytree(self.folder / "noisy", self.folder / "earlier", ignore=shutil.ignore_patterns("denoised"))
        self.blender('bpy.ops.lacuna.denoise(filepath=FOLDER + "/earlier/f_0003.exr")')
        self.assertEqual(self.names("earlier/denoised"), ALL)
        self.assertGreaterEqual(self.factor("earlier/denoised"), 10)
        text = self.blender('bpy.ops.lacuna.denoise(filepath=FOLDER + "/earlier/f_0003.exr")')  # again: nothing is left to do
        self.assertIn("12 of 12 frames are denoised", text)


class WithoutAWindow(InBlender):
    """On a node that has the add-on, whose preferences never switched it on: by the README's line."""

    def test_the_line_of_the_readme(self):
        line, = re.findall(r"^blender -b shot\.blend --addons .*", (ROOT / "tools/blender/README.md").read_text(), re.M)
        prepares, = re.findall(r"bpy\.ops\.lacuna\.prepare\(\); ", line)
        shutil.unpack_archive(self.zip, self.folder / "scripts/addons")
        make = "import bpy; s = bpy.context.scene; s.render.engine = 'CYCLES'; s.cycles.samples = 1; s.frame_end = 2; " \
               "s.render.resolution_x = s.render.resolution_y = 64; s.render.filepath = '//node/f_####'; " \
               f"bpy.ops.wm.save_as_mainfile(filepath={str(self.folder / 'shot.blend')!r})"
        environment = {**os.environ, **settings(self.place.name)}
        subprocess.run(["blender", "-b", "--factory-startup", "--python-expr", make], env=environment, check=True,
                       stdout=subprocess.DEVNULL)

        def blender(words):
            done = subprocess.run(words, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, shell=True, check=False)
            return done.returncode, done.stdout

        code, text = blender(line.replace(prepares, ""))
        self.assertEqual(code, 1, text)
        self.assertIn("(bpy.ops.lacuna.prepare() sets it)", text)
        code, text = blender(line)
        self.assertEqual(code, 0, text)
        self.assertEqual(self.names("node/denoised"), ALL[:2])


class Cancelling(InBlender):
    def test_whole_files_remain_and_a_second_run_goes_on(self):
        stopped = self.folder / "stopped"
        stopped.write_text(STOPPED)
        stopped.chmod(0o755)
        script = f'scene = blender_scene.make(FOLDER + "/cut", frames={FRAMES})\n'
        script += "scene.render.use_overwrite = False\n"
        text = self.blender(script + "refused('frames are denoised')\n", LACUNA=str(stopped), PROGRAM=LACUNA,
                            RESULT=str(self.folder / "cut/denoised/f_0002.exr"))
        self.assertIn("REFUSED", text)
        written = self.names("cut/denoised")
        self.assertIn("f_0002.exr", written)
        self.assertLess(len(written), FRAMES)
        for name in written:
            lacuna("compare", self.folder / "cut/denoised" / name, self.folder / "cut/denoised" / name)  # reads all of it
        before = {name: (self.folder / "cut/denoised" / name).stat().st_mtime_ns for name in written}
        rendered = {name: (self.folder / "cut" / name).stat().st_mtime_ns for name in self.names("cut")}
        self.assertEqual(list(rendered), ALL)
        self.assertIn("12 of 12 frames are denoised", self.blender(script + "bpy.ops.lacuna.render()\n"))
        self.assertEqual(self.names("cut/denoised"), ALL)
        for name in written:
            self.assertEqual((self.folder / "cut/denoised" / name).stat().st_mtime_ns, before[name], name)
        self.assertEqual({name: (self.folder / "cut" / name).stat().st_mtime_ns for name in self.names("cut")}, rendered)


class Files(InBlender):
    """What Blender writes, and what Lacuna takes it for."""

    def test_two_view_layers_are_denoised_in_one_file(self):
        self.blender("""
scene = blender_scene.make(FOLDER + "/two", frames=2)
scene.view_layers.new("Second")
bpy.ops.lacuna.prepare()
bpy.ops.lacuna.render()
""")
        for layer in ("ViewLayer", "Second"):
            compared = lacuna("compare", self.folder / "two/f_0002.exr", self.folder / "two/denoised/f_0002.exr", "--json",
                              "--layer", f"{layer}.Combined")
            self.assertGreater(json.loads(compared.stdout)["relMSE"], 1e-3, f"{layer} is unchanged")
        self.assertEqual(self.info("two/denoised/f_0002.exr")["channels"], self.info("two/f_0002.exr")["channels"])

    def test_stereo(self):
        self.blender("""
scene = blender_scene.make(FOLDER + "/stereo", frames=1)
scene.render.use_multiview = True
scene.render.image_settings.views_format = "MULTIVIEW"
bpy.ops.lacuna.render(animation=False)
""")
        planes = self.info("stereo/f_0001.exr")["planes"]
        for plane in ("output", "albedo", "normal", "depth", "motion"):
            self.assertIn(".left.", planes[plane][0], plane)
        for layer in ("left.ViewLayer.Combined", "right.ViewLayer.Combined"):
            compared = lacuna("compare", self.folder / "stereo/f_0001.exr", self.folder / "stereo/denoised/f_0001.exr", "--json",
                              "--layer", layer)
            self.assertGreater(json.loads(compared.stdout)["relMSE"], 1e-3, f"{layer} is unchanged")

    def test_denoising_data_alone(self):
        self.blender("""
scene = blender_scene.make(FOLDER + "/data", frames=1)
layer = scene.view_layers[0]
layer.use_pass_z = layer.use_pass_vector = layer.use_pass_normal = False
bpy.ops.render.render(animation=True)
""")
        planes = self.info("data/f_0001.exr")["planes"]
        self.assertEqual({name: channels[0] for name, channels in planes.items()}, {
            "output": "ViewLayer.Combined.R", "albedo": "ViewLayer.Denoising Albedo.R", "normal": "ViewLayer.Denoising Normal.X",
            "depth": "ViewLayer.Denoising Depth.Z"})

    def test_motion_blur_transparency_and_depth_of_field(self):
        text = self.blender("""
scene = blender_scene.make(FOLDER + "/blur", frames=2)
scene.render.use_motion_blur = True
scene.render.film_transparent = True
scene.camera.data.dof.use_dof = True
bpy.ops.lacuna.prepare()
from lacuna_denoise import setup
print(setup.remarks(scene))
bpy.ops.lacuna.render()
""")
        self.assertIn("Motion blur", text)
        self.assertIn("Depth of field", text)
        self.assertNotIn("motion", self.info("blur/f_0001.exr")["planes"])
        self.assertEqual(self.names("blur/denoised"), ALL[:2])


class Mistakes(InBlender):
    """Each is refused by a message that names it, and nothing is lost."""

    def test_what_is_wrong_with_the_scene(self):
        text = self.blender("""
scene = blender_scene.make(FOLDER + "/none", frames=2)
layer, render = scene.view_layers[0], scene.render
layer.cycles.denoising_store_passes = False
refused("ViewLayer: Denoising Data")
layer.use_pass_vector = False
refused("ViewLayer: Vector")
layer.use_pass_combined = False
refused("ViewLayer: Combined")
bpy.ops.lacuna.prepare()
render.image_settings.file_format = "PNG"
refused("file format is PNG")
render.image_settings.file_format = "FFMPEG"
refused("file format is FFMPEG")
render.image_settings.file_format = "OPEN_EXR"
refused("file format is OPEN_EXR:")
bpy.ops.lacuna.prepare()
render.use_file_extension = False
refused("File Extensions is off")
bpy.ops.lacuna.prepare()
scene.cycles.use_denoising = True
refused("Cycles denoises the picture itself")
bpy.ops.lacuna.prepare()
render.engine = "BLENDER_EEVEE"
refused("only Cycles writes the planes")
render.engine = "CYCLES"
camera, scene.camera = scene.camera, None
refused("no camera")
scene.camera = camera
layer.use = False
refused("No view layer is used")
layer.use = True
render.filepath = "//out/f_"
refused("isn't saved yet")
render.filepath = ""
refused("output path is empty")
open(FOLDER + "/file", "w").close()
render.filepath = FOLDER + "/file/f_"
refused("is not a folder")
render.filepath = FOLDER + "/unrendered/f_"
refused("There are no frames", bpy.ops.lacuna.denoise)
os.makedirs(FOLDER + "/shut/denoised")
open(FOLDER + "/shut/f_0001.exr", "w").close()
render.filepath = FOLDER + "/shut/f_"
may = os.access
os.access = lambda path, mode: may(path, mode) and not (mode & os.W_OK and path.endswith("denoised"))  # root may do all
refused("/denoised' can't be written")
refused("/denoised' can't be written", bpy.ops.lacuna.denoise)
os.access = may
render.use_multiview = True
render.image_settings.views_format = "INDIVIDUAL"
refused("Multi-View")
""")
        self.assertEqual(text.count("REFUSED"), 18)
        self.assertFalse((self.folder / "none").exists())

    def test_what_is_wrong_with_the_program(self):
        text = self.blender("""
os.environ["LACUNA"], os.environ["PATH"] = "", "/nowhere"
scene = blender_scene.make(FOLDER + "/program", frames=2)
import lacuna_denoise.program
lacuna_denoise.program.PLACES[:] = ["/nowhere"]
refused("neither in PATH nor in")
preferences = bpy.context.preferences.addons["lacuna_denoise"].preferences
preferences.program = FOLDER + "/missing"
refused("there is no program")
open(FOLDER + "/text", "w").close()
preferences.program = FOLDER + "/text"
refused("can't be executed")
refused("can't be executed", bpy.ops.lacuna.find)
os.chmod(FOLDER + "/text", 0o755)
refused("can't be run")
""")
        self.assertEqual(text.count("REFUSED"), 5)
        self.assertFalse((self.folder / "program").exists())
        text = self.blender("""
scene = blender_scene.make(FOLDER + "/device", frames=2)
bpy.context.preferences.addons["lacuna_denoise"].preferences.device = "no such device"
refused("no such device")
""")
        self.assertEqual(self.names("device"), ALL[:2])  # rendered; Denoise Frames does the rest

    def test_a_full_disk_leaves_whole_files(self):
        full = self.folder / "full"
        full.write_text('#!/bin/sh\nulimit -f 60\nexec "$PROGRAM" "$@"\n')  # of 512 bytes
        full.chmod(0o755)
        text = self.blender('blender_scene.make(FOLDER + "/disk", frames=2)\nrefused("0 of 2 frames are denoised")\n',
                            LACUNA=str(full), PROGRAM=LACUNA)
        self.assertIn("REFUSED", text)
        self.assertEqual(self.names("disk"), ALL[:2])
        self.assertFalse((self.folder / "disk/denoised").exists() and self.names("disk/denoised"))

    def test_a_damaged_frame_is_named(self):
        self.blender('blender_scene.make(FOLDER + "/damaged", frames=3)\nbpy.ops.render.render(animation=True)\n')
        frame = self.folder / "damaged/f_0002.exr"
        frame.write_bytes(frame.read_bytes()[:5000])
        text = self.blender('refused("f_0002.exr", bpy.ops.lacuna.denoise, filepath=FOLDER + "/damaged/f_0001.exr")\n')
        self.assertIn("REFUSED", text)

    def test_a_render_that_stops_or_leaves_a_frame_out(self):
        text = self.blender("""
scene = blender_scene.make(FOLDER + "/hole", frames=2)
def lose(*_):
    if os.path.exists(FOLDER + "/hole/f_0002.exr"):
        os.remove(FOLDER + "/hole/f_0002.exr")
bpy.app.handlers.render_write.append(lose)
refused("Blender has rendered no file")
bpy.app.handlers.render_write.clear()
scene.render.filepath = FOLDER + "/stop/f_####"
def stop(*_):  # as Esc does
    for handler in list(bpy.app.handlers.render_cancel):
        handler(scene)
bpy.app.handlers.render_write.append(stop)
assert bpy.ops.lacuna.render() == {"CANCELLED"}
""")
        self.assertIn("REFUSED", text)
        self.assertIn("Stopped: ", text)
        self.assertEqual(self.names("hole"), ALL[:1])

    def test_frames_of_before_return_if_nothing_is_rendered(self):
        folder = self.folder / "kept"
        folder.mkdir()
        (folder / "f_0001.exr").write_text("of an earlier render")
        text = self.blender("""
scene = blender_scene.make(FOLDER + "/kept", frames=1)
from lacuna_denoise import frames
aside = frames.PutAside([FOLDER + "/kept/f_0001.exr"])
assert not os.path.exists(FOLDER + "/kept/f_0001.exr")
aside.end()
""")
        self.assertEqual((folder / "f_0001.exr").read_text(), "of an earlier render", text)


class Window(InBlender):
    def test_the_interface_goes_on_and_shows_progress(self):
        text = self.blender(Path(ROOT / "tests/hosts/blender_window.py").read_text(), window=True)
        self.assertIn("12 of 12 frames are denoised", text)
        self.assertEqual(self.names("window/denoised"), ALL)
        shot = self.folder / "end.png"
        self.assertTrue(shot.exists())
        if "LACUNA_SCREENSHOTS" in os.environ:
            for name in ("middle.png", "end.png"):
                shutil.copy(self.folder / name, os.environ["LACUNA_SCREENSHOTS"])


if __name__ == "__main__":
    unittest.main()
