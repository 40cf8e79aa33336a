"""Graphs of filters: from text, from a file, or built here."""
from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from . import _core
from .arrays import as_image, check_out
from .device import Device, device_or_shared
from .errors import Diagnostic, Error, mistake, path_of, text_of, warn

_COMPONENTS = {"y": 1, "depth": 1, "any1": 1, "mv": 2, "any2": 2, "rgb": 3, "normal": 3, "rgba": 4, "any4": 4}
made: dict[str, str] = {}  # by the name of a filter that stencil() made: the folder to look for it in


class Module:
    """What a module says of itself: summary, connectors, parameters. print() shows it."""

    def __init__(self, text: str, data: dict):
        self._text, self.data = text, data
        self.name, self.summary = data["name"], data["summary"]
        self.connectors = {each["name"]: each for each in data["connectors"]}
        self.parameters = {each["name"]: each for each in data["parameters"]}

    def __repr__(self) -> str:
        return self._text


def _folders(folders) -> list[str]:
    """Also of a single one."""
    several = not isinstance(folders, (str, os.PathLike)) and isinstance(folders, Iterable)
    names = [path_of(each, "modules") for each in (folders if several else [folders])]
    for name in names:
        if not os.path.isdir(name):
            raise mistake(f"modules: {name!r} is not a folder")
    return names


def describe(name: str, modules: Iterable[str] = ()) -> Module:
    """A module's description, as `lacuna describe` prints it. `modules`: folders to look in before the usual ones."""
    text, data = _core.describe(text_of(name, "module", "a module's name", "lacuna.modules() lists them"), [*_folders(modules), *made.values()])
    return Module(text, json.loads(data))


def modules(folders: Iterable[str] = ()) -> list[str]:
    """Names of all modules that are found."""
    return _core.module_names([*_folders(folders), *made.values()])


class Connector:
    """An input or output of a node of a graph."""

    def __init__(self, node: Node, name: str, direction: str):
        self.node, self.name, self.direction = node, name, direction

    def __str__(self) -> str:
        return f"{self.node}:{self.name}"

    def __repr__(self) -> str:
        return f"<{self.direction} {self}>"


class Node:
    """A module in a graph. Its connectors and parameters are attributes: `node.input = other.output`, `node.levels = 4`."""

    def __init__(self, graph: Graph, module: Module, name: str):
        self.__dict__.update(_graph=graph, _module=module, _name=name, _values={}, _inputs={}, __doc__=repr(module))

    def __str__(self) -> str:
        return f"{self._module.name}:{self._name}"

    def __repr__(self) -> str:
        return f"<{self}: {self._module.summary}>"

    def __dir__(self) -> list[str]:
        return [*self._module.connectors, *self._module.parameters]

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._module.connectors:
            return Connector(self, name, self._module.connectors[name]["direction"])
        if name in self._module.parameters:
            default = self._module.parameters[name]["default"]
            return self._values.get(name, default[0] if isinstance(default, list) and len(default) == 1 else default)
        raise AttributeError(f"{self} has no connector or parameter '{name}'; it has {', '.join(dir(self))}")

    def __setattr__(self, name: str, value) -> None:
        self._graph._change(self, {name: value})

    def _lines(self) -> list[str]:
        return ([f"module:{self}"] + [f"param:{self}:{name}:{_words(value)}" for name, value in self._values.items()]
                + [f"{kind}:{output}:{self}:{name}" for name, (kind, output) in self._inputs.items()])


def _words(value) -> str:
    """A value as a graph file has it."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ":".join(map(_words, value))
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value) if isinstance(value, str) else path_of(value)
        return text if re.fullmatch(r"[A-Za-z0-9_.-]+", text) else '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
    if not isinstance(value, (int, float)):
        raise mistake(f"a parameter is a {type(value).__name__}; expected numbers, a string, True or False")
    return str(value)


def check_frame(frame) -> None:
    if not isinstance(frame, (int, np.integer, type(None))) or (frame is not None and not 0 <= frame < 1 << 31):
        raise mistake(f"frame: {frame!r}; expected a whole number, from 0")


class Frames:
    """What runs frame by frame, each continuing the one before."""
    _continues, _frame = False, 0
    run: Callable

    def restart(self) -> None:
        """The next frame continues none."""
        self._continues = False

    def frames(self, images: Iterable, **options) -> Iterator:
        """run() of each: an array, or a dict of arrays by name. The first continues none."""
        if isinstance(images, np.ndarray) and (images.ndim < 3 or (images.ndim == 3 and images.shape[2] <= 4)):
            raise mistake(f"frames: expected several images, got one of the shape {images.shape}", f"{type(self).__name__.lower()}.frames([image])")
        self.restart()
        for each in images:
            yield self.run(**each, **options) if isinstance(each, Mapping) else self.run(each, **options)

    def _run_frame(self, pipeline: _core.Pipeline, images: dict[str, np.ndarray], frame: int | None, out: np.ndarray | None, first: int,
                   parameters: Iterable[str] = ()) -> np.ndarray | dict[str, np.ndarray]:
        keep = 3 if images and all(image.ndim == 3 and image.shape[2] == 3 for image in images.values()) else 4
        results = {}
        for name in pipeline.sinks():
            kind = pipeline.image_type(name)
            shape = _shape_of(kind, keep)
            results[name] = np.empty(shape, kind.format.name) if out is None else check_out(out, shape, kind.format.name)
        if out is not None and len(results) != 1:
            raise mistake(f"out: there are {len(results)} sinks o-memory; expected one")
        if not self._continues:
            self._frame = first
        self._frame = self._frame if frame is None else int(frame)
        sources = {name: images[name[9:]] for name in pipeline.sources() if name[9:] in images}
        pipeline.run(self._frame, sources, results, self._continues, list(parameters))
        self._continues, self._frame = True, self._frame + 1
        return next(iter(results.values())) if len(results) == 1 else {name[9:]: image for name, image in results.items()}


class Graph(Frames):
    """A graph. `text`: as in a graph file; without it, add() builds one.

        g = lacuna.Graph()
        source = g.add("i-memory", "noisy")
        filtered = g.add("eaw", input=source.output, levels=4)
        g.add("o-memory", input=filtered.output)
        clean = g.run(noisy)

    `parameters`: values in place of the graph's own, as {"eaw:01:levels": 3}. `modules`: folders to look for modules in.
    Threads may share a graph; its frames then run one after the other."""

    def __init__(self, text: str = "", *, parameters: Mapping[str, object] | None = None, modules: Iterable[str] = ()):
        if not isinstance(text, str):
            raise mistake(f"text: expected a graph, got {type(text).__name__}", "lacuna.Graph.from_file(path) reads files")
        text_of(text, "text")
        if text.endswith(".cfg") and "\n" not in text:
            raise mistake(f"text: expected a graph, got the name {text!r}", f"lacuna.Graph.from_file({text!r}) reads files")
        self._text, self._file = text.rstrip("\n") or "lacuna:1", ""
        if not isinstance(parameters, (Mapping, type(None))):
            raise mistake(f"parameters: expected a dict, got {type(parameters).__name__}", "{'eaw:01:levels': 3}")
        self._parameters = dict(parameters or {})
        self._modules = _folders(modules)
        self._nodes: list[Node] = []
        self._pipeline: _core.Pipeline | None = None
        self._key: tuple | None = None
        self._lock = threading.RLock()

    def __reduce__(self):
        raise mistake("a lacuna.Graph can't be pickled", "pass graph.text(), and make a lacuna.Graph of it there")

    @classmethod
    def from_file(cls, path: str | os.PathLike, **options) -> Graph:
        """A graph file; names of files in it start in its folder."""
        graph = cls(**options)
        graph._file = path_of(path)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                graph._text = file.read()
        except OSError as error:
            raise mistake(f"{graph._file}: {error.strerror}") from error
        if not re.search(r"^\s*lacuna:\d", graph._text, re.M):
            raise mistake(f"{graph._file}: holds no graph, which begins with lacuna:1", "lacuna.read() reads images")
        return graph

    # ---- building ----

    def add(self, module: str, name: str | None = None, /, **values) -> Node:
        """A node of a module; `values` are its inputs, as outputs of other nodes, and its parameters. They are checked at once."""
        if self._file:
            raise mistake(f"{self._file}: a graph of a file can't be added to", "lacuna.Graph(open(path).read()) can")
        found, name = describe(module, self._modules), str(name or self._free_name(module))
        if not re.fullmatch(r"[\w-]+", name, re.A):
            raise mistake(f"add: the node's name is {name!r}; expected letters, digits, - and _")
        if re.search(rf"^\s*module:{re.escape(module)}:{name}\s*(#|$)", self.text(), re.M):
            raise mistake(f"add: the graph already has a {module}:{name}", "without a name it gets a free one")
        node = Node(self, found, name)
        with self._lock:
            self._nodes.append(node)
            try:
                self._change(node, values)
            except Exception:
                self._nodes.remove(node)
                raise
        return node

    def feedback(self, output: Connector, to: Connector) -> None:
        """`to` gets what `output` was in the last frame; zeros in the first."""
        if not isinstance(to, Connector):
            raise mistake(f"feedback: expected an input of a node, got {to!r}", "graph.feedback(filtered.output, source.input)")
        if not isinstance(output, Connector):
            raise mistake(f"feedback: expected an output of a node, got {output!r}", "graph.feedback(filtered.output, source.input)")
        self._change(to.node, {to.name: output}, "feedback")

    def text(self) -> str:
        """The graph as a file has it."""
        return "\n".join([self._text] + [line for node in self._nodes for line in node._lines()]) + "\n"

    def save(self, path: str | os.PathLike, *, overwrite: bool = False) -> None:
        """Writes a graph file. `overwrite`: a graph that is there is replaced; other files never are."""
        path = path_of(path)
        try:
            if os.path.lexists(path):
                with open(path, "rb") as file:
                    if not re.search(rb"^\s*lacuna:\d", file.read(1 << 16), re.M):
                        raise mistake(f"{path}: exists and holds no graph, so it is not replaced; choose another name, or remove it")
                if not overwrite:
                    raise mistake(f"{path}: already exists, and holds a graph", "overwrite=True replaces it")
            with open(path + ".lacuna-part", "w", encoding="utf-8") as file:
                file.write(self.text())
            os.replace(path + ".lacuna-part", path)
        except OSError as error:
            raise mistake(f"{path}: {error.strerror}") from error

    def set(self, parameter: str, value) -> None:
        """A parameter by its name in the graph, "eaw:01:levels"."""
        with self._lock:
            before = dict(self._parameters)
            self._parameters[parameter] = value
            blamed = f"{parameter}={_words(value)}"
            self._refuse(lambda each: each.file == f"-p {blamed}" or f"(from parameter {blamed}" in each.message, lambda: setattr(self, "_parameters", before))

    def _free_name(self, module: str) -> str:
        taken = set(re.findall(rf"^module:{re.escape(module)}:([\w-]+)", self.text(), re.M))
        return next(name for name in (f"{i:02}" for i in range(1, 1 << 30)) if name not in taken)

    def _change(self, node: Node, values: dict, kind: str = "connect") -> None:
        """Refuses what is wrong with the new values, which then are not taken."""
        with self._lock:
            before = dict(node._values), dict(node._inputs)
            for name, value in values.items():
                if isinstance(value, Node):
                    raise mistake(f"{name}: expected an output of {value}, not the node", f"{name}=node.output")
                if isinstance(value, np.ndarray) and value.ndim > 1:
                    raise mistake(f"{name}: expected an output of a node, got an array",
                                  "the graph gets arrays when it runs, through a node 'i-memory': graph.run(array)")
                if isinstance(value, Connector):
                    if value.node._graph is not self:
                        raise mistake(f"{name}: {value} belongs to another graph")
                    node._inputs[name] = (kind, str(value))
                elif value is not None:
                    node._values[name] = value
            text = self.text().split("\n")
            changed = tuple(f"param:{node}:{name}:" for name in values) + tuple(
                f"{word}:{output}:{node}:{name}" for name, (word, output) in node._inputs.items() if name in values)
            lines = {number for number, line in enumerate(text, 1) if line.startswith(changed)}

            def undo():
                node.__dict__.update(_values=before[0], _inputs=before[1])

            self._refuse(lambda each: each.line in lines, undo)

    def _refuse(self, concerns: Callable[[Diagnostic], bool], undo: Callable[[], None]) -> None:
        found = [each for each in self.check(shaders=False) if each.severity == "error" and concerns(each)]
        if found:
            undo()
            raise Error("\n".join(map(str, found)), "graph", found)

    # ---- looking ----

    def check(self, shaders: bool = True) -> list[Diagnostic]:
        """Everything that is wrong with the graph, its files and its shaders; nothing is raised, nothing runs."""
        return [Diagnostic(*each) for each in _core.mistakes(self._origin(), self._options({}), shaders)]

    def filters(self, *images, device: Device | None = None, **named) -> list[dict]:
        """What each filter runs as, and its other schedules, for images such as these."""
        with self._lock:
            return self._open(self._named(images, named), device, []).filters()

    def _origin(self) -> _core.Origin:
        return _core.Origin(self.text(), self._file)

    def _options(self, images: dict, frames: str = "", overwrite: bool = False) -> _core.GraphOptions:
        options = _core.GraphOptions()
        options.modules = [*self._modules, *made.values()]
        options.parameters = [f"{name}={_words(value)}" for name, value in self._parameters.items()]
        options.images = images
        options.frames = frames
        options.overwrite_input = overwrite
        return options

    # ---- running ----

    def run(self, *images, frame: int | None = None, out: np.ndarray | None = None, device: Device | None = None,
            schedule: str | Iterable[str] = (), **named) -> np.ndarray | dict[str, np.ndarray]:
        """One frame. Images of sources `i-memory` come by position, in the graph's order, or by name: `albedo=...` is for
        i-memory:albedo. Returns the image of the sink `o-memory`, or of several a dict. It continues the frame before, whose
        values feedback is, as long as sizes and formats stay: restart() begins anew."""
        check_frame(frame)
        with self._lock:
            if not isinstance(schedule, Iterable):
                raise mistake(f"schedule: {schedule!r}; expected a name", "graph.filters(image) lists them")
            given = self._named(images, named)
            pipeline = self._open(given, device, [schedule] if isinstance(schedule, str) else list(schedule))
            return self._run_frame(pipeline, given, frame, out, (pipeline.frames() or [0])[0])

    def run_files(self, frames: str = "", *, overwrite: bool = False, progress: Callable | None = None, device: Device | None = None) -> int:
        """Runs a graph whose sources and sinks are files; several frames at a time. `frames`: "7", "0-99", "all"; empty: as the
        graph says. `overwrite`: outputs may replace inputs that no later frame reads. `progress(done, total, frame, seconds)` is called after each; lacuna.show_progress() makes one. Returns how many
        were written."""
        if progress is not None and not callable(progress):
            raise mistake(f"progress: expected a function, got {progress!r}", "lacuna.show_progress() makes one")
        with self._lock:
            options = self._options({}, text_of(frames, "frames", "text", "'0-99', '7' or 'all'"), overwrite)
            pipeline = _core.Pipeline(device_or_shared(device).handle, self._origin(), options, _core.PipelineOptions())
            result = pipeline.run_files(progress)
        warn([*(Diagnostic(*each) for each in pipeline.warnings()), *result["warnings"]])
        return result["done"]

    def _sources(self) -> list[str]:
        return re.findall(r"^\s*module:i-memory:([\w-]+)", self.text(), re.M)

    def _named(self, images, named: dict) -> dict[str, np.ndarray]:
        names = self._sources()
        if len(images) > len(names):
            raise mistake(f"run: {len(images)} images, but the graph has {len(names)} sources i-memory{': ' if names else ''}{', '.join(names)}")
        if twice := set(names[:len(images)]) & set(named):
            raise mistake(f"run: {min(twice)} is given twice, by its place and by its name")
        given = {**dict(zip(names, images)), **named}
        unknown = [name for name in given if name not in names and f"i-memory:{name}" not in self._text and "include:" not in self._text]
        if unknown:
            raise mistake(f"run: the graph has no source i-memory:{unknown[0]}; it has {', '.join(names) or 'none'}")
        return {name: as_image(value, name) for name, value in given.items() if value is not None}

    def _channels(self, name: str, count: int) -> str:
        """What the components of a source are: as the first connector takes them that it leads to."""
        default = {1: "y", 2: "mv", 3: "rgba", 4: "rgba"}[count]
        found = re.search(rf"^\s*(?:connect|feedback):i-memory:{re.escape(name)}:output:([\w-]+):[\w-]+:([\w-]+)", self.text(), re.M)
        connector = describe(found[1], self._modules).connectors.get(found[2]) if found else None
        takes = connector["channels"] if connector else []
        fitting = [each for each in takes if _COMPONENTS[each] == count or (count == 3 and each == "rgba")]
        return default if default in takes or not fitting else fitting[0]

    def _open(self, images: dict[str, np.ndarray], device: Device | None, schedules: list[str]) -> _core.Pipeline:
        """The pipeline for such images: the last one, if it is."""
        handle = device_or_shared(device).handle
        shapes = {name: (image.shape, image.dtype.name) for name, image in images.items()}
        text = self.text()
        folders = [folder for name, folder in list(made.items()) if f"module:{name}:" in text]  # stencil() of another thread may add one
        key = (id(handle), text, repr(sorted(self._parameters.items())), repr(sorted(shapes.items())), *schedules, *folders)
        if self._pipeline is None or key != self._key:
            types = {f"i-memory:{name}": _image_type(image, self._channels(name, image.shape[2] if image.ndim == 3 else 1))
                     for name, image in images.items()}
            options = _core.PipelineOptions()
            options.schedules = [word for word in schedules if word]
            self._pipeline = self._key = None
            self._pipeline = _core.Pipeline(handle, self._origin(), self._options(types), options)
            self._key, self._continues, self._frame, self._handle = key, False, 0, handle
            warn([Diagnostic(*each) for each in self._pipeline.warnings()], 5)
        return self._pipeline


def _shape_of(kind: _core.ImageType, most: int = 4) -> tuple[int, ...]:
    """Of an array for such an image, of which `most` channels are taken."""
    count = _COMPONENTS[kind.channels.name]
    return (kind.height, kind.width, min(count, most)) if count > 1 else (kind.height, kind.width)


def _image_type(image: np.ndarray, channels: str, colour: str = "rec709") -> _core.ImageType:
    colour = colour if channels in ("rgb", "rgba", "y") else "data"
    return _core.ImageType(image.shape[1], image.shape[0], getattr(_core.Channels, channels),
                           getattr(_core.Format, image.dtype.name), getattr(_core.Colour, colour))
