"""Graphs that `lacuna export` wrote, without a compiler."""
from __future__ import annotations

import os
import threading
from collections.abc import Mapping

import numpy as np

from . import _core
from .arrays import as_image
from .device import Device, device_or_shared
from .errors import mistake, path_of
from .graph import Frames, _shape_of, _words, check_frame


class Bundle(Frames):
    """A graph of a file that `lacuna export` wrote, for the `sizes`, (width, height), that it was exported for. Nothing is compiled but by
    the driver.

        bundle = lacuna.Bundle("svgf.lacuna")
        for each in frames:
            clean = bundle.run(noisy=each.noisy, albedo=each.albedo, parameters={"svgf:01:history": 8})

    Threads may share a bundle; its frames then run one after the other."""

    def __init__(self, path: str | os.PathLike):
        self._file = path_of(path)
        self.sizes: list[tuple[int, int]] = _core.bundle_sizes(self._file)
        self._key: tuple | None = None
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"lacuna.Bundle({self._file!r})"

    def __reduce__(self):
        raise mistake("a lacuna.Bundle can't be pickled", f"each process opens {self._file!r} itself")

    def run(self, image=None, /, *, frame: int | None = None, out: np.ndarray | None = None, device: Device | None = None,
            parameters: Mapping[str, object] | None = None, **named) -> np.ndarray | dict[str, np.ndarray]:
        """One frame. `albedo=...` is for the source i-memory:albedo; the image of an only source needs no name. Arrays have the numbers and
        channels that the bundle was exported for. `parameters`: new values from this frame on. Otherwise as Graph.run()."""
        if not isinstance(parameters, (Mapping, type(None))):
            raise mistake(f"parameters: expected a dict, got {type(parameters).__name__}", "{'eaw:01:levels': 3}")
        check_frame(frame)
        with self._lock:
            given = {name: as_image(value, name) for name, value in {"image": image, **named}.items() if value is not None}
            pipeline = self._open(given, device_or_shared(device).handle)
            if image is not None:
                if len(names := pipeline.sources()) != 1:
                    raise mistake(f"run: the bundle has several sources: {_listed(names)}", f"run({names[0][9:]}=...)")
                given[names[0][9:]] = given.pop("image")
            self._check(pipeline, given)
            return self._run_frame(pipeline, given, frame, out, 0, [f"{name}={_words(value)}" for name, value in (parameters or {}).items()])

    def _open(self, images: dict[str, np.ndarray], handle: _core.Device) -> _core.Pipeline:
        """The pipeline for images of this size: the last one, if it is."""
        sizes = {image.shape[1::-1] for image in images.values()}
        if len(sizes) > 1:
            raise mistake("run: the images differ in size: " + ", ".join(f"{name} {image.shape[1]}x{image.shape[0]}" for name, image in images.items()))
        width, height = next(iter(sizes), self.sizes[0])
        if (key := (id(handle), width, height)) != self._key:
            self._key = None
            self._pipeline, self._handle = _core.open_bundle(handle, self._file, width, height), handle
            self._key, self._continues = key, False
        return self._pipeline

    def _check(self, pipeline: _core.Pipeline, images: dict[str, np.ndarray]) -> None:
        """All that is wrong: numbers are not converted, because their meaning would change."""
        names, wrong = [name[9:] for name in pipeline.sources()], []
        wrong += [f"{name}: the bundle has no such source; it has {', '.join(names)}" for name in images if name not in names]
        for name in names:
            kind = pipeline.image_type(f"i-memory:{name}")
            shape, image = _shape_of(kind), images.get(name)
            if image is None or image.dtype.name != kind.format.name or _channels(image.shape) not in ((3, 4) if _channels(shape) > 2 else (_channels(shape),)):
                got = "got none" if image is None else f"got {image.dtype} {' x '.join(map(str, image.shape))}"
                wrong.append(f"{name}: expected {kind.format.name} {' x '.join(map(str, shape))} ({kind.channels.name}), {got}")
        if wrong:
            raise mistake("run: " + "\n  ".join(wrong))


def _channels(shape: tuple[int, ...]) -> int:
    return shape[2] if len(shape) == 3 else 1


def _listed(names: list[str]) -> str:
    return ", ".join(name[9:] for name in names)
