"""What the tests share."""
import os
import subprocess
import unittest
from pathlib import Path

import numpy as np

import lacuna

ROOT = Path(os.environ["LACUNA_TEST_ROOT"])
INPUTS = ROOT / "examples/inputs"
PLAIN = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # for programs without sanitizers


def varied(height, width, channels=3, dtype=np.float32, seed=0):
    """Numbers that differ from each other, from .1 to .9."""
    values = np.random.default_rng(seed).uniform(0.1, 0.9, (height, width, channels))
    return (values * np.iinfo(dtype).max).astype(dtype) if np.dtype(dtype).kind == "u" else values.astype(dtype)


def around(module, **values):
    """A graph of one module, from one image to another."""
    graph = lacuna.Graph()
    node = graph.add(module, input=graph.add("i-memory", "in").output, **values)
    graph.add("o-memory", "out", input=node.output)
    return graph


def program(*words):
    return subprocess.run([os.environ["LACUNA_PROGRAM"], *map(str, words)], capture_output=True, text=True, check=True).stdout


class Test(unittest.TestCase):
    def assertSame(self, a, b):
        self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype))
        self.assertEqual(a.tobytes(), b.tobytes())

    def error(self, work, *texts):
        """The error that work() raises, which holds the texts."""
        with self.assertRaises(lacuna.Error) as caught:
            work()
        for text in texts:
            self.assertIn(text, str(caught.exception))
        self.assertTrue(caught.exception.diagnostics)
        return caught.exception
