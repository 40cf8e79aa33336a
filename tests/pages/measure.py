"""How soon the page of `lacuna watch --serve` shows a change of pipelines/photo.cfg at 1024x683, in seconds from the change to the
painted picture. Not a test: it prints times, which depend on the machine.

    tests/pages/measure.py PROGRAM"""
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from page_test import PROGRAM, browser

SOURCES = Path(__file__).resolve().parents[2]
SHOWN = """const [before, isExact, done] = arguments, poll = () => {
  if (about.version > before && about.isRight && !(isExact && about.preview.length) && known.has(keyOf(about.pictures.length - 1))) requestAnimationFrame(() => done(about.preview.length));
  else setTimeout(poll, 5);
};
poll();"""


def prepare(folder):
    """The example's photograph, larger, with noise; an exposure behind the filter; copies of two modules."""
    small = cv2.imread(str(SOURCES / "examples/inputs/photo.png"))
    large = cv2.resize(small, (1024, 683), interpolation=cv2.INTER_CUBIC) + np.random.default_rng(66).normal(0, 12, (683, 1024, 3))
    cv2.imwrite(str(folder / "photo.png"), np.clip(large, 0, 255).astype(np.uint8))
    text = (SOURCES / "pipelines/photo.cfg").read_text().replace("../examples/inputs/", "").replace(
        "connect:wiener:01:output:o-file:out:input", "module:exposure:01\nconnect:wiener:01:output:exposure:01:input\nconnect:exposure:01:output:o-file:out:input")
    (folder / "graph.cfg").write_text(text)
    for module in ("exposure", "wiener", "eaw"):
        shutil.copytree(SOURCES / "modules" / module, folder / "modules" / module)
    shutil.copy(PROGRAM.parent / "modules/wiener/module.so", folder / "modules/wiener")


def main(folder):
    prepare(folder)
    program = subprocess.Popen([PROGRAM, "watch", "graph.cfg", "--modules", "modules", "--serve"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    page = browser()
    page.set_script_timeout(120)

    def edit(name, old, new):
        file = folder / name
        assert old in file.read_text(), name
        file.write_text(file.read_text().replace(old, new))

    def show(name, value):
        page.execute_script("send('set', {parameter: arguments[0], value: arguments[1]})", name, value)
    try:
        page.get(program.stdout.readline().strip())
        while not page.execute_script("return about.pictures.length"):
            assert not page.execute_script("return about.messages"), page.execute_script("return about.messages")
            time.sleep(0.1)
        for what, change in (
                ("a parameter behind the filter", lambda: show("exposure:01:stops", "0.5")), ("the filter's strength", lambda: show("wiener:01:strength", "1.3")),
                ("the pilot's levels", lambda: show("eaw:01:levels", "4")),
                ("a shader behind the filter", lambda: edit("modules/exposure/exposure.glsl", "v * factor", "v * factor * 0.9")),
                ("the pilot's shader", lambda: edit("modules/eaw/stabilised.glsl", "0.70710678", "0.7071")),
                ("the filter's shader", lambda: edit("modules/wiener/spectrum.glsl", "0.92532831", "0.92"))):
            while "written in" not in program.stderr.readline():  # all is quiet
                pass
            time.sleep(1)
            before, began = page.execute_script("return about.version"), time.time()
            change()
            isPreview = page.execute_async_script(SHOWN, before, False)
            seconds = time.time() - began
            text = ""
            if isPreview:
                page.execute_async_script(SHOWN, before, True)
                text = f", the graph's own values after {time.time() - began:.2f} s"
            print(f"{what}: {seconds:.2f} s{text}", flush=True)
    finally:
        program.terminate()
        program.wait()
        page.quit()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name))
