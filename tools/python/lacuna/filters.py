"""Filters from strings."""
from __future__ import annotations

import atexit
import json
import math
import os
import re
import shutil
import tempfile
from collections.abc import Sequence

import numpy as np

from . import _core
from .device import Device
from .errors import Diagnostic, Error, mistake, text_of
from .graph import Graph, Module, _image_type, describe, made

_FORMATS = {"float32": "f32", "float16": "f16"}
_SIGNATURE = "float weight(vec4 centre, vec4 tap, Offset o)"
_WEIGHT = r"(?<![.\w])(weight)\s*\("

# Parts that a body may omit if it only weighs its taps: the weighted mean. It follows the body, so that the body's
# lines keep their numbers.
_MEAN = """
struct Centre { vec4 colour; };
struct Acc { vec3 sum; float weight; };
Centre centre(Tap t, Pixel p) { return Centre(t.colour); }
Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = o.weight * weight(c.colour, t.colour, o);
  a.sum = fma(vec3(w), t.colour.rgb, a.sum);
  a.weight += w;
}
State finish(Acc a, Centre c, Pixel p) { return vec4(a.sum / a.weight, c.colour.a); }
"""


class Filter:
    """A filter that stencil() made: call it with an image, or add it to a graph by its name."""

    def __init__(self, name: str):
        self.name = name
        self._kept: tuple[str, Graph] | None = None  # the last one alone: each has memory of the device
        self.__doc__ = repr(self.module)

    @property
    def module(self) -> Module:
        return describe(self.name)

    def __call__(self, image, *, schedule: str = "", device: Device | None = None, **parameters) -> np.ndarray:
        """The filtered image. Threads may call it at once. `schedule`: one of schedules(); they all give the same image, to the last bit."""
        filtered = self._graph(parameters).run(image, schedule=schedule, device=device)
        assert isinstance(filtered, np.ndarray)  # it has one sink
        return filtered

    def schedules(self, image, *, device: Device | None = None, **parameters) -> list[str]:
        """Names of the schedules that can run it for such an image, the one that is taken first. lacuna has made them all from the body."""
        first = self._graph(parameters).filters(image, device=device)[0]
        names = [each["name"] for each in first["candidates"] if each["exact"] and not each["rejected"]]
        return sorted(names, key=lambda name: name != first["schedule"])

    def _graph(self, parameters: dict) -> Graph:
        key = repr(sorted(parameters.items()))
        kept = self._kept  # another thread may replace it meanwhile
        if kept is not None and kept[0] == key:
            return kept[1]
        graph = Graph()
        node = graph.add(self.name, input=graph.add("i-memory", "image").output, **parameters)
        graph.add("o-memory", input=node.output)
        self._kept = (key, graph)  # only the last one, because each takes memory of the device
        return graph


def stencil(name: str, glsl: str, *, radius: int, levels: int = 1, weights: Sequence[float] | None = None, format: str = "float32",
            summary: str = "", **parameters: float | np.generic) -> Filter:
    """Makes a filter of a GLSL body that says what a pixel takes from its neighbours.

        soft = lacuna.stencil("soft", '''
        float weight(vec4 centre, vec4 tap, Offset o) {
          vec3 d = (tap.rgb - centre.rgb) / param.edge;
          return exp2(-dot(d, d));
        }''', radius=2, levels=3, edge=0.1)
        smooth = soft(image)
        stronger = soft(image, edge=0.2, schedule="tiled")

    The body is weight(), and the filter the weighted mean; or centre(), start(), gather() and finish(), as in modules/README.md.
    radius: taps reach so many pixels to each side. levels: level l has its taps 2^l pixels apart.
    weights: 2 * radius + 1 factors along each axis, the kernel that weight() is multiplied with; else all are equal.
    format: of what a level hands to the next: float32 or float16.
    Other arguments are parameters, with their defaults; the body reads param.NAME, and calls set them.

    A mistake is a lacuna.Error whose diagnostics have the line of the string. A filter of the same name is replaced."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise mistake(f"name: {name!r}; expected letters, digits, - and _")
    if name in _core.module_names([]):
        raise mistake(f"name: there is a module '{name}' already; choose another name")
    text_of(glsl, "glsl", "GLSL as a string", "open(path).read() reads a file")
    for key, number, most in (("radius", radius, 16), ("levels", levels, 12)):
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or not 1 <= number <= most:
            raise mistake(f"{key}: {number!r}; expected a whole number from 1 to {most}")
    if format not in _FORMATS:
        raise mistake(f"format: {format!r}; expected {' or '.join(_FORMATS)}")
    kernel = _kernel(weights, 2 * radius + 1)
    parameters = {key: value.item() if isinstance(value, np.generic) else value for key, value in parameters.items()}
    for key, value in parameters.items():
        if key in ("input", "output", "image", "schedule", "device"):
            raise mistake(f"{key}: the filter's connectors and calls have this name already; choose another one for the parameter")
        if not isinstance(value, (bool, int, float)) or not math.isfinite(value):
            raise mistake(f"{key}: {value!r}; a parameter's default is one finite number, or True or False")
    folder = tempfile.mkdtemp(prefix="lacuna-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.mkdir(os.path.join(folder, name))
    is_whole = re.search(r"\bgather\s*\(", glsl) is not None
    if not is_whole and not re.search(_WEIGHT, glsl):
        raise mistake("glsl: the string defines neither weight() nor gather()",
                      f"{_SIGNATURE} {{ return 1.0; }} weighs all neighbours alike")
    with open(os.path.join(folder, name, "main.glsl"), "w", encoding="utf-8") as file:
        file.write(glsl if is_whole else glsl + "\n" + _MEAN)
    with open(os.path.join(folder, name, "module.toml"), "w", encoding="utf-8") as file:
        file.write(_description(name, radius, levels, kernel, _FORMATS[format],
                                summary or f"a filter made by lacuna.stencil(\"{name}\")", parameters))
    _check(name, folder, glsl)
    made[name] = folder
    return Filter(name)


def _kernel(weights, count: int) -> list[float]:
    if weights is None:
        return [1.0 / count] * count
    try:
        kernel = [float(each) for each in weights]
    except (TypeError, ValueError):
        raise mistake(f"weights: {weights!r}; expected {count} numbers") from None
    if len(kernel) != count or not all(map(math.isfinite, kernel)):
        raise mistake(f"weights: {len(kernel)} numbers; expected 2 * radius + 1, which is {count}, finite ones")
    if not any(kernel):
        raise mistake("weights: all are 0")
    return kernel


def _check(name: str, folder: str, glsl: str) -> None:
    text = (f"lacuna:1\nmodule:i-memory:a\nmodule:{name}:01\nmodule:o-memory:b\nconnect:i-memory:a:output:{name}:01:input\n"
            f"connect:{name}:01:output:o-memory:b:input\n")
    options = _core.GraphOptions()
    options.modules = [folder]
    options.images = {"i-memory:a": _image_type(np.empty((16, 16, 4), np.float32), "rgba")}

    def shown(text: str) -> str:
        for file, called in (("main.glsl", f"{name}.glsl"), ("module.toml", f"{name}.toml")):
            text = text.replace(os.path.join(folder, name, file), called)
        return text

    found = [Diagnostic(*each) for each in _core.mistakes(_core.Origin(text, ""), options, True)]
    found = [each._replace(file=shown(each.file), message=shown(each.message), printed=shown(each.printed)) for each in found]
    weight = re.search(_WEIGHT, glsl)
    if weight and any(each.severity == "error" and each.file == f"{name}.glsl" and each.line > glsl.count("\n") + 1 for each in found):
        # _MEAN, which stands there, calls it.
        line = glsl.count("\n", 0, weight.start(1)) + 1
        text = f"weight() can't be called as it is; expected {_SIGNATURE}"
        found = [Diagnostic("error", f"{name}.glsl", line, 1, text, "", f"{name}.glsl:{line}:1: error: {text}\n")]
    if any(each.severity == "error" for each in found):
        raise Error("\n".join(map(str, found)), "graph", found)


def _description(name, radius, levels, weights, format, summary, parameters) -> str:
    text = f'''name = "{name}"
summary = {json.dumps(str(summary), ensure_ascii=False)}
[[connector]]
name = "input"
direction = "input"
channels = ["rgba"]
[[connector]]
name = "output"
direction = "output"
[[parameter]]
name = "levels"
type = "int"
default = {levels}
range = [1, 12]
structural = true
'''
    for key, value in parameters.items():
        kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
        text += f'[[parameter]]\nname = "{key}"\ntype = "{kind}"\ndefault = {str(value).lower() if kind == "bool" else value}\n'
    return text + f'''[[node]]
name = "taps"
kind = "stencil"
shader = "main.glsl"
inputs = [{{ name = "state", source = "input" }}]
outputs = [{{ name = "output", connector = "output" }}]
[node.stencil]
radius = {radius}
weights = {weights}
levels = "levels"
state = {{ channels = "rgba", format = "{format}" }}
tap = [{{ name = "colour", type = "vec4", from = "state" }}]
'''
