"""Frames of a scene, rendered by Blender and denoised by the program beside it."""
import os

import bpy

from . import frames, program, setup


class Job:
    """The program waits for frames itself (--missing wait), so both start together."""

    current = None  # the last one, for the panel

    def __init__(self, words, pattern, numbers, rendered=()):
        self.pattern, self.numbers = pattern, numbers  # of results
        self.rendered = rendered  # files that Blender is to write
        self.message, self.is_error = "", False
        self._aside, self._run = None, None
        self._words = words
        self.rendering = False
        self.stopped = False
        self.lost = ""  # a file that Blender didn't write
        Job.current = self

    def start(self, path, replaced=()):
        self._before = {number: self._stamp(number) for number in self.numbers}
        self._aside = frames.PutAside(replaced)
        try:
            self._run = program.Run(path, self._words)
        except program.ProgramError:
            self._aside.end()
            raise

    def _stamp(self, number):
        try:
            return os.stat(frames.file_of(self.pattern, number)).st_mtime_ns
        except OSError:
            return None

    def done(self):
        return sum(self._stamp(number) not in (None, self._before[number]) for number in self.numbers)

    def cancel(self):
        self.stopped = True
        if self._run:
            self._run.cancel()

    def watch(self):
        """Once rendering has ended, the program must not wait for files that never come."""
        missing = [] if self.rendering or self.stopped or self.lost else self.rendered
        missing = [file for file in missing if not os.path.exists(file)]
        if missing:
            self.lost = missing[0]
            self._run.cancel()

    def is_running(self):
        return self.rendering or self._run is not None and self._run.code() is None

    def wait(self):
        self._run.wait()
        self.end()

    def end(self):
        """Once neither renders nor denoises."""
        if self._aside:
            self._aside.end()
        there = sum(self._stamp(number) is not None for number in self.numbers)
        where = os.path.dirname(frames.file_of(self.pattern, 0))
        self.is_error = self._run.code() != 0
        if self.lost:
            self.message = f"Blender has rendered no file '{self.lost}': {there} of {len(self.numbers)} frames are denoised"
        elif self.stopped:
            self.message = f"Stopped: {there} of {len(self.numbers)} frames are denoised, in {where}; " \
                           "Render > Denoise Frames does the others"
        elif self.is_error:
            self.message = f"{self._run.problem()}\n{there} of {len(self.numbers)} frames are denoised"
        else:
            self.message = f"{there} of {len(self.numbers)} frames are denoised, in {where}"


class Defaults:
    """The preferences of an add-on that --addons switches on: Blender makes none."""
    program = device = ""


def preferences(context):
    addon = context.preferences.addons.get(__package__)
    return addon.preferences if addon else Defaults


def program_of(context):
    """Beside what is chosen in the preferences, LACUNA names it."""
    return program.find(bpy.path.abspath(preferences(context).program) or os.environ.get("LACUNA", ""))


def common_words(context, scene):
    words = ["--layers", "all", "--resume", "--no-progress", "--strength", f"{scene.lacuna.strength:g}"]
    device = preferences(context).device
    return words + (["--device", device] if device else [])


def scene_job(context, scene, still):
    """For frames that will be rendered. Returns it with the files that rendering replaces."""
    pattern = frames.pattern_of(setup.output_path(scene), ".exr")
    numbers = [scene.frame_current] if still else list(range(scene.frame_start, scene.frame_end + 1, scene.frame_step))
    made = scene.render.frame_path(frame=numbers[0])
    if os.path.normpath(frames.file_of(pattern, numbers[0])) != os.path.normpath(bpy.path.abspath(made)):
        raise program.ProgramError(f"Blender would write '{made}', which is not '{frames.file_of(pattern, numbers[0])}': choose "
                                   "another output path")
    out = frames.denoised(pattern)
    words = ["denoise", pattern, "-o", out, "--frames", f"{numbers[0]}-{numbers[-1]}x{scene.frame_step}"]
    words += ["--method", "cnn-unet"] if still or not setup.has_motion(scene) else []
    files = [frames.file_of(pattern, number) for number in numbers]
    job = Job(words + ["--missing", "wait"] + common_words(context, scene), out, numbers, files)
    return job, files if scene.render.use_overwrite or still else []


def files_job(context, scene, path, file):
    """For the frames of an earlier render, of which `file` is one; without it, of the scene."""
    pattern = frames.pattern_of_file(file) if file else frames.pattern_of(setup.output_path(scene), ".exr")
    numbers = frames.numbers_of(pattern)
    if not numbers:
        raise program.ProgramError(f"There are no frames '{pattern}': render them before, or choose a file of others")
    first = frames.file_of(pattern, numbers[0])
    out = frames.denoised(pattern)
    if problem := setup.folder_problem(os.path.dirname(frames.file_of(out, numbers[0]))):
        raise program.ProgramError(problem)
    if len(numbers) == 1:
        words = ["denoise", first, "-o", frames.escaped(frames.file_of(out, numbers[0]))]
    else:
        has_motion = "motion" in program.info(path, first)["planes"]
        words = ["denoise", pattern, "-o", out] + ([] if has_motion else ["--method", "cnn-unet"])
    return Job(words + common_words(context, scene), out, numbers)
