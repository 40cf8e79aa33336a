"""Frames over many machines by tools/farm: tasks and nodes are killed, and the pictures are those of undisturbed tasks."""
import os
import random
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from slurm import Slurm, wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
LACUNA = os.environ["LACUNA"]
FRAMES, TASKS = 200, 5
PLANES = ("albedo", "normal", "depth", "motion", "id")


def graph():
    lines = ["lacuna:1", f"frames:{FRAMES}", "module:pathtrace:01", "module:svgf:01", "module:o-exr:01",
             f'param:pathtrace:01:filename:"{ROOT}/examples/scenes/animated.scene"',
             "param:pathtrace:01:width:48", "param:pathtrace:01:height:32", "param:pathtrace:01:samples:1",
             "param:svgf:01:history:4", "param:svgf:01:taa:false",
             "connect:pathtrace:01:output:svgf:01:input", "connect:svgf:01:output:o-exr:01:input",
             'param:o-exr:01:filename:"out/%04d.exr"']
    lines += [f"connect:pathtrace:01:{plane}:svgf:01:{plane}" for plane in PLANES]
    return "\n".join(lines) + "\n"


class Farm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.calm = tempfile.TemporaryDirectory()
        cls.prepare(cls.calm.name)
        cls.ranges = cls.lacuna("plan", "graph.cfg", "--chunks", str(TASKS), folder=cls.calm.name).split()
        for part in cls.ranges:
            cls.lacuna("run", "graph.cfg", "--frames", part, "-q", folder=cls.calm.name)

    @classmethod
    def tearDownClass(cls):
        cls.calm.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.prepare(self.folder)

    @staticmethod
    def prepare(folder):
        (Path(folder) / "graph.cfg").write_text(graph())

    @staticmethod
    def lacuna(*words, folder):
        return subprocess.run([LACUNA, *words], cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout

    def written(self):
        return sorted(path.name for path in Path(self.folder, "out").glob("*.exr"))

    def tasks(self):
        """Process ids of the tasks that write into this test's folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                runs = (process / "cmdline").read_bytes().split(b"\0")
                if os.readlink(process / "cwd") == self.folder and b"run" in runs and b"--resume" in runs[-3:]:
                    found.append(int(process.name))
            except OSError:
                pass  # it has ended
        return [pid for pid in found if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(LACUNA)]

    def assert_equal_to_undisturbed(self, frames=range(FRAMES)):
        self.assertEqual(self.written(), [f"{frame:04}.exr" for frame in frames])
        for name in self.written():
            self.assertEqual(Path(self.folder, "out", name).read_bytes(), Path(self.calm.name, "out", name).read_bytes(),
                             name)

    def test_ranges_have_all_frames_and_cost_alike(self):
        self.assertEqual(len(self.ranges), TASKS)
        frames = [frame for part in self.ranges for frame in range(int(part.split("-")[0]), int(part.split("-")[1]) + 1)]
        self.assertEqual(frames, list(range(FRAMES)))

    def test_parts_are_the_whole_within_half_a_last_bit(self):
        self.lacuna("run", "graph.cfg", "-q", folder=self.folder)
        limits = subprocess.run([LACUNA, "compare", f"{self.folder}/out/%04d.exr", f"{self.calm.name}/out/%04d.exr",
                                 "--frames", f"0-{FRAMES - 1}", "--max-error", str(2.0 ** -11)], stdout=subprocess.DEVNULL)
        self.assertEqual(limits.returncode, 0)

    def test_a_range_that_is_killed_at_a_hundred_moments(self):
        moments = random.Random(20261125)
        part = self.ranges[1]
        command = [LACUNA, "run", "graph.cfg", "--frames", part, "--resume", "-q"]
        kills = 0
        while kills < 100:
            with subprocess.Popen(command, cwd=self.folder) as run:
                try:
                    self.assertEqual(run.wait(moments.uniform(0.02, 0.6)), 0)
                    shutil.rmtree(Path(self.folder, "out"))  # it ended before it was killed: once more
                except subprocess.TimeoutExpired:
                    run.kill()
                    kills += 1
        subprocess.run(command, cwd=self.folder, check=True)
        first, last = map(int, part.split("-"))
        self.assert_equal_to_undisturbed(range(first, last + 1))

    def test_slurm_with_a_killed_task_and_a_lost_node(self):
        with tempfile.TemporaryDirectory() as folder, Slurm(folder, ["n1", "n2"]) as slurm:
            submitted = slurm.call("sbatch", "--parsable", "--requeue", f"--array=1-{TASKS}", "--chdir", self.folder,
                                   "--output", "task-%a.txt", "--open-mode=append", f"--export=ALL,LACUNA={LACUNA}",
                                   ROOT / "tools/farm/slurm-array", "graph.cfg")
            job = submitted.split()[-1]
            victim = wait_until("a task has written frames", self.writing_task)
            task = self.task_of(victim)
            os.kill(victim, signal.SIGKILL)
            wait_until("thirty frames are written", lambda: len(self.written()) >= 30)
            slurm.lose("n2")
            wait_until("the node is down", lambda: "down" in slurm.call("sinfo", "-h", "-n", "n2", "-o", "%T"))
            slurm.start("n2")
            wait_until(f"task {task} has ended", lambda: not slurm.without_delay(f"{job}_{task}"))
            slurm.call("scontrol", "requeue", f"{job}_{task}")
            wait_until("all tasks have ended", lambda: not slurm.without_delay(job), 400)
            reports = "".join(path.read_text() for path in sorted(Path(self.folder).glob("task-*.txt")))
        self.assert_equal_to_undisturbed()
        self.assertIn("frames already exist", reports)

    def writing_task(self):
        """The process of a task that has written a frame, if there is one."""
        def first_frame(pid):
            return f"{self.ranges[int(self.task_of(pid)) - 1].split('-')[0]:0>4}.exr"
        return next((pid for pid in self.tasks() if first_frame(pid) in self.written()), None)

    @staticmethod
    def task_of(pid):
        settings = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return next(each.split(b"=")[1].decode() for each in settings if each.startswith(b"SLURM_ARRAY_TASK_ID="))

    def parallel(self):
        return subprocess.Popen([ROOT / "tools/farm/parallel", str(TASKS), "graph.cfg"], cwd=self.folder,
                                env={**os.environ, "PARALLEL": "--jobs 2"}, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def test_parallel_stops_at_a_killed_range_and_goes_on(self):
        first = self.parallel()
        wait_until("ten frames are written", lambda: len(self.written()) >= 10)
        os.kill(self.tasks()[0], signal.SIGKILL)
        first.communicate(timeout=120)
        self.assertNotEqual(first.returncode, 0)
        self.assertLess(len(self.written()), FRAMES)
        again = self.parallel()
        report, _ = again.communicate(timeout=400)
        self.assertEqual(again.returncode, 0, report)
        self.assertIn("frames already exist", report)
        self.assert_equal_to_undisturbed()

    def test_ranges_that_run_twice_at_once(self):
        both = [self.parallel(), self.parallel()]
        for each in both:
            report, _ = each.communicate(timeout=400)
            self.assertEqual(each.returncode, 0, report)
        self.assert_equal_to_undisturbed()


class Words(unittest.TestCase):
    """What each range's command gets, by a program that prints its words."""
    def parallel(self, *words, fails=False):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "it's lacuna")
            program.write_text("#!/bin/sh\nif [ $1 = plan ]; then printf '0-1\\n2-3\\n'; else\n"
                               "printf '<%s>' \"$@\"; echo\n" + ("exit 4\n" if fails else "") + "fi\n")
            program.chmod(0o755)
            return subprocess.run([ROOT / "tools/farm/parallel", "2", *words], env={**os.environ, "LACUNA": str(program)},
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)

    def test_are_those_of_the_shell(self):
        words = ["g'{}.cfg", "-i", "{}{.}{/}{#}{1}{%} \"a\" $HOME `x`.png", "\\x", "*", ""]
        done = self.parallel(*words)
        expected = "".join(f"<{word}>" for word in ["run", *words])
        for part in ("0-1", "2-3"):
            self.assertIn(f"frames {part}\t{expected}<--frames><{part}><--resume><--no-progress>\n", done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_damaged_frames_do_not_end_other_ranges(self):
        done = self.parallel("g.cfg", "--skip-damaged", fails=True)
        self.assertEqual((done.returncode, done.stdout.count("<run>")), (4, 2))


if __name__ == "__main__":
    unittest.main()
