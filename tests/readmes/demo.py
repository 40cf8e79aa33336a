#!/usr/bin/env python3
"""Runs what tools/demo does once the program is built, and compares its figures with README.md's captions: demo.py PROGRAM."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = .1  # dB by which drivers differ

with tempfile.TemporaryDirectory(prefix="lacuna-demo-") as folder:
    done = subprocess.run([ROOT / "tools/demo", Path(sys.argv[1]).resolve(), folder], capture_output=True, text=True)
    missing = [name for name in re.findall(r"^  (/\S+)$", done.stdout, re.M) if not Path(name).is_file()]
shown = [float(figure) for figure in re.findall(r"^PSNR +([\d.]+)", done.stdout, re.M)]
captions = [float(figure) for figure in re.findall(r"PSNR ([\d.]+) dB", (ROOT / "README.md").read_text())]
print(done.stdout, done.stderr)
if done.returncode != 0 or missing:
    sys.exit(f"tools/demo ended with {done.returncode}, without {missing}")
if not shown or any(not any(abs(a - b) <= TOLERANCE for b in some) for one, some in ((shown, captions), (captions, shown)) for a in one):
    sys.exit(f"tools/demo shows PSNR {shown}, README.md has {captions}")
