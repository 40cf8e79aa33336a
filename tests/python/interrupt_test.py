"""Ctrl-C in programs of their own, as a terminal sends it."""
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import lacuna
from support import INPUTS, ROOT, Test, varied

PATHTRACE = f"""
import lacuna, numpy, sys, threading, time

def traced(samples, sink):
    return lacuna.Graph('lacuna:1\\nmodule:pathtrace:01\\nmodule:' + sink + '\\nconnect:pathtrace:01:output:' + sink.split('\\n')[0] + ':input\\n'
                        'param:pathtrace:01:filename:"{ROOT}/examples/scenes/cornell.scene"\\nparam:pathtrace:01:width:96\\n'
                        'param:pathtrace:01:height:96\\nparam:pathtrace:01:samples:' + str(samples) + '\\n')

def begun():
    print("begun", flush=True)

traced(1, "o-memory:out").run()
long = traced(4096, "o-memory:out")
"""
SOON = "threading.Timer(0.5, begun).start()\n"


class Interrupts(Test):
    def started(self, program, *words):
        """A process that has begun."""
        process = subprocess.Popen([sys.executable, "-c", PATHTRACE + program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "begun\n")
        return process

    def assertEnds(self, program, *words):
        """Within a second, in which a busy machine has three tries; that takes the process away a moment later, long before its frame ends."""
        seconds = []
        while len(seconds) < 3 and min(seconds, default=2) > 1:
            process, begun = self.started(program, *words), time.monotonic()
            process.send_signal(signal.SIGINT)
            self.assertIn("KeyboardInterrupt\n", iter(process.stderr.readline, ""))
            seconds.append(time.monotonic() - begun)
            self.assertEqual(process.wait(10), -signal.SIGINT)
        self.assertLess(min(seconds), 1)

    def test_end_a_frame(self):
        self.assertEnds(SOON + "long.run()")

    def test_end_frames_one_after_the_other(self):
        self.assertEnds(SOON + "for frame in range(1 << 30): traced(16, 'o-memory:out').run(frame=frame)")

    def test_end_a_call_that_waits_for_another_thread(self):
        self.assertEnds(SOON + "threading.Thread(target=long.run, daemon=True).start()\ntime.sleep(0.2)\nlong.run()")

    def test_end_a_sequence_of_files_which_are_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEnds("""
traced(4, f'o-pfm:01\\nparam:o-pfm:01:filename:"{sys.argv[1]}/%06d.pfm"').run_files('0-999999', progress=lambda *now: now[0] == 3 and begun())""",
                            folder)
            written = sorted(Path(folder).glob("*.pfm"))
            self.assertGreaterEqual(len(written), 3)
            for file in written:
                self.assertEqual(lacuna.read(file).image.shape, (96, 96, 3), file)

    def test_that_are_caught_leave_a_program_that_goes_on(self):
        process = self.started(SOON + f"""
try:
    traced(256, "o-memory:out").run()
except KeyboardInterrupt:
    print(lacuna.denoise(lacuna.read("{INPUTS}/photo.png")).shape)""")
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.stderr.read(), process.wait()), ("", 0))
        self.assertIn(", 3)", process.stdout.read())

    def test_leave_the_history_as_if_the_frame_were_given_once(self):
        def frame(number):
            random = np.random.default_rng(number)
            size = (120, 160)
            normal = np.zeros((*size, 3), np.float32)
            normal[..., 2] = 1
            return {"image": random.random((*size, 3), np.float32), "albedo": np.full((*size, 3), .5, np.float32), "normal": normal,
                    "depth": np.full((*size, 1), 5, np.float32), "motion": np.zeros((*size, 2), np.float32)}

        def interrupt(*_):
            raise KeyboardInterrupt

        frames = [frame(number) for number in range(5)]
        whole, interrupted = lacuna.Denoiser(method="svgf"), lacuna.Denoiser(method="svgf")
        expected = [whole(**each) for each in frames]
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        caught = 0
        for number, each in enumerate(frames):
            for delay in (1e-6, .003) if number in (2, 3) else ():
                try:
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    result = interrupted(**each)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                    break
                except KeyboardInterrupt:
                    caught += 1
            else:
                result = interrupted(**each)
            np.testing.assert_array_equal(result, expected[number], f"frame {number}")
        self.assertGreater(caught, 0)

    def test_threads_of_daemons_end_with_the_program(self):
        for ends in ("", "raise SystemExit(0)"):
            done = subprocess.run([sys.executable, "-c", PATHTRACE + f"""
def work():
    while True:
        traced(16, "o-memory:out").run()
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
{ends}"""], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class Caught(Test):
    """Interrupts of a program that goes on."""

    def setUp(self):
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def test_no_more_files_of_a_sequence_appear(self):
        total = 5000
        with tempfile.TemporaryDirectory() as folder:
            lacuna.write(f"{folder}/in.pfm", np.zeros((4, 5, 3), np.float32))
            graph = lacuna.Graph(f'lacuna:1\nframes:{total}\nmodule:i-pfm:01\nmodule:exposure:01\nmodule:o-pfm:01\n'
                                 'connect:i-pfm:01:output:exposure:01:input\nconnect:exposure:01:output:o-pfm:01:input\n'
                                 f'param:i-pfm:01:filename:"{folder}/in.pfm"\nparam:i-pfm:01:still:true\n'
                                 f'param:o-pfm:01:filename:"{folder}/%06d.pfm"\n')
            with self.assertRaises(KeyboardInterrupt):
                graph.run_files(progress=lambda done, *_: done == 3 and signal.raise_signal(signal.SIGINT))
            counts = [-1, 0]
            while counts[-1] != counts[-2]:
                time.sleep(.3)
                counts.append(len(list(Path(folder).glob("0*.pfm"))))
            self.assertTrue(3 <= counts[-1] < total, counts)

    def test_the_next_frame_may_lie_in_the_arrays_of_the_interrupted_one(self):
        def frame(seed, albedo, tilt, depth, motion):
            normal = np.array([np.sin(tilt), 0, np.cos(tilt)])
            surface = {"albedo": albedo, "normal": normal, "depth": depth, "motion": motion}
            planes = {name: np.full((12, 16, {"depth": 1, "motion": 2}.get(name, 3)), value, np.float32) for name, value in surface.items()}
            return {"image": varied(12, 16, seed=seed), **planes}

        frames = [frame(0, .5, 0, 5, 0), frame(1, .5, 0, 5, 0), frame(2, .6, .05, 5.01, .25)]
        planes = list(frames[0])
        denoiser = lacuna.Denoiser(method="svgf")
        denoiser(**frames[0])
        kind, run = type(denoiser._pipeline), type(denoiser._pipeline).run

        def finished(*words):
            run(*words)
            raise KeyboardInterrupt

        cases = [(finished, ()), *((finished, (name,)) for name in planes), (mock.Mock(side_effect=KeyboardInterrupt), tuple(planes))]
        for interrupted, changed in cases:
            with self.subTest(changed=changed):
                second = {name: frames[2 if name in changed else 1][name] for name in planes}
                denoiser.restart()
                counted = [frames[0], *([frames[1]] if interrupted is finished and changed else []), second]
                expected = [denoiser(**each) for each in counted][-1]
                denoiser.restart()
                denoiser(**frames[0])
                given = {name: each.copy() for name, each in frames[1].items()}
                with mock.patch.object(kind, "run", interrupted), self.assertRaises(KeyboardInterrupt):
                    denoiser(**given)
                for name in changed:
                    given[name][...] = second[name]
                self.assertSame(denoiser(**given), expected)
        with self.subTest("another number"):
            denoiser.restart()
            expected = [denoiser(**frames[which], frame=number) for number, which in enumerate((0, 1, 1))][-1]
            denoiser.restart()
            denoiser(**frames[0], frame=0)
            with mock.patch.object(kind, "run", finished), self.assertRaises(KeyboardInterrupt):
                denoiser(**frames[1], frame=1)
            self.assertSame(denoiser(**frames[1], frame=2), expected)
        with self.subTest("restarted"):
            denoiser.restart()
            expected = denoiser(**frames[1])
            denoiser.restart()
            denoiser(**frames[0])
            with mock.patch.object(kind, "run", finished), self.assertRaises(KeyboardInterrupt):
                denoiser(**frames[1])
            denoiser.restart()
            self.assertSame(denoiser(**frames[1]), expected)


if __name__ == "__main__":
    unittest.main()
