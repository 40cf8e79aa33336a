"""A folder with a graph, and a server for each test."""
import subprocess
import tempfile
import unittest
from pathlib import Path

from client import PROGRAM, Client

ROOT = Path(__file__).resolve().parent.parent.parent
GRAPH = """lacuna:1

# Reads, filters, writes.
module:i-file:in
param:i-file:in:filename:"in.pfm"
module:eaw:01
param:eaw:01:levels:4 # coarse
module:o-file:out
param:o-file:out:filename:"out.pfm"
connect:i-file:in:output:eaw:01:input
connect:eaw:01:output:o-file:out:input
"""
BODY = "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.input * param.gain; }\n"
MODULE = """name = "mine"
summary = "α 𝄞 for tests"

[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]

[[connector]]
name = "output"
direction = "output"
channels = ["rgba"]

[[parameter]]
name = "gain"
type = "float"
default = 1.0
range = [0, 8]
unit = "stops"
doc = "of light"

[[node]]
name = "main"
kind = "pointwise"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }]
outputs = [{ name = "output", connector = "output" }]
"""
PICTURE = b"PF\n2 2\n-1.0\n" + bytes(48)


def described(module):
    return subprocess.run([PROGRAM, "describe", module], check=True, text=True, stdout=subprocess.PIPE).stdout


def entry(module, name):
    """A parameter's lines of `lacuna describe`, or else a connector's, without their columns."""
    lines = described(module).splitlines()
    lines = next((lines[i:] for i, line in enumerate(lines) if line == "parameters" and any(each.startswith(f"  {name} ") for each in lines[i:])), lines)
    at = next(i for i, line in enumerate(lines) if line.startswith(f"  {name} "))
    return [" ".join(line.split()) for line in lines[at:at + 2]]


def lines_of(text):
    return [" ".join(line.split()) for line in text.splitlines()]


class ServerTest(unittest.TestCase):
    words = ("--no-shaders",)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        (self.folder / "in.pfm").write_bytes(PICTURE)
        self.clients = []

    def client(self, *words, **more):
        client = Client(self.folder, *self.words, *words, **more)
        self.clients.append(client)
        return client

    def tearDown(self):
        for client in self.clients:
            if client.process.returncode is None:
                client.process.kill()
                client.close()

    def opened(self, text=GRAPH, name="graph.cfg", **more):
        client = self.client(**more)
        client.open(name, text)
        return client

    def finish(self, client):
        self.assertEqual(client.end(), 0, client.errors)
        self.assertEqual(client.errors, "")
