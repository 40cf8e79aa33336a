"""Denoising of arrays: what `lacuna denoise` does for files."""
from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import _core
from .arrays import as_colour, as_image, check_out, check_size, doubts, is_grey
from .device import Device, device_or_shared, on_close
from .errors import mistake, warn
from .files import Picture
from .graph import _image_type

_GUIDES = {"albedo": ((3,), "rgb"), "normal": ((3,), "normal"), "depth": ((1,), "depth"), "motion": ((2,), "mv")}
_METHODS = {"wiener": "wiener", "eaw": "eaw", "guided": "guided", "svgf": "svgf", "rhf": "rhf", "cnn-unet": "unet"}


class _Task(NamedTuple):
    """A picture and what is to be done with it."""
    text: str
    images: dict[str, np.ndarray]
    types: dict[str, _core.ImageType]
    key: tuple


def _checked(image, guides: dict) -> dict[str, np.ndarray]:
    images = {"input": as_image(image, "image", (1, 3, 4))}
    for name, value in guides.items():
        if value is None:
            continue
        guide = as_image(value, name, _GUIDES[name][0])
        if guide.dtype.kind != "f" and name != "albedo":
            raise mistake(f"{name}: the numbers are {guide.dtype}; expected float16 or float32",
                          {"normal": "components from -1 to 1: normal / 127.5 - 1", "depth": "distances", "motion": "pixels"}[name])
        check_size(guide, name, images["input"])
        images[name] = guide
    return images


def _check(strength, method, fast) -> None:
    if not isinstance(strength, (int, float, np.number)) or not 0 <= strength <= 4:
        raise mistake(f"strength: {strength!r}; expected 0 (nothing changes) to 4 (the most); 1 is the default")
    if method not in ("auto", *_METHODS):
        raise mistake(f"method: {method!r}; expected auto, {', '.join(_METHODS)}")
    if fast not in (None, True, False):
        raise mistake(f"fast: {fast!r}; expected True, False, or None, which is True on a CPU device")


def _fit(planes: _core.Planes, fast: bool | None, auto: bool, pixels: int, device: Device | None) -> _core.Method:
    """On a CPU device wiener is fast, or, of large pictures, left out."""
    is_cpu = device_or_shared(device).handle.description()["kind"] == "cpu"
    planes.fast = is_cpu if fast is None else fast
    if not (auto and is_cpu and _core.is_slow_on_cpu(pixels, planes.fast)):
        return _core.Method.wiener
    warn(["image: wiener would take over a minute on a CPU, so eaw runs alone; method=\"wiener\" runs it"])
    return _core.Method.eaw


def _task(image, guides: dict, strength: float, method: str, fast: bool | None, device: Device | None, sequence: bool) -> _Task:
    _check(strength, method, fast)
    if isinstance(image, Picture):
        guides = {name: getattr(image, name) if value is None else value for name, value in guides.items()}
        image = image.image
    images = _checked(image, guides)
    picture = images["input"]
    planes = _core.Planes()
    planes.scene_linear = picture.dtype.kind == "f"
    planes.sequence = sequence
    has_alpha = planes.scene_linear and picture.ndim == 3 and picture.shape[2] == 4
    planes.alpha = has_alpha and (sequence or bool((picture[..., 3] != 1).any()))  # another graph would begin a sequence anew
    for name in _GUIDES:
        setattr(planes, name, name in images)
    chosen = _core.choose_method(planes) if method == "auto" else getattr(_core.Method, _METHODS[method])
    if chosen == _core.Method.wiener and strength > 0:
        chosen = _fit(planes, fast, method == "auto", picture.shape[0] * picture.shape[1], device)
    elif fast is not None:
        raise mistake(f"fast: {fast!r}; only method wiener has this choice")
    if lacking := _core.what_lacks(chosen, planes):
        raise mistake(f"method {method}: the image has no {lacking}", "pass it: denoise(image, normal=..., depth=...)")
    encoding = {"uint8": _core.Encoding.srgb8, "uint16": _core.Encoding.srgb16}.get(picture.dtype.name, _core.Encoding.linear)
    text = _core.denoise_text(chosen, planes, float(strength), encoding)
    taken = {name: each for name, each in images.items() if f"module:i-memory:{name}\n" in text}
    types = {f"i-memory:{name}": _image_type(each, "rgba" if name == "input" else _GUIDES[name][1]) for name, each in taken.items()}
    key = (text, *((name, each.shape[:2], each.dtype.name) for name, each in taken.items()))
    return _Task(text, taken, types, key)


def _open(task: _Task, device: Device | None) -> _core.Pipeline:
    options = _core.GraphOptions()
    options.images = task.types
    return _core.Pipeline(device_or_shared(device).handle, _core.Origin(task.text, ""), options, _core.PipelineOptions())


def _run(pipeline: _core.Pipeline, task: _Task, out: np.ndarray | None, frame: int, continues: bool,
         left: Callable[[np.ndarray], None] = lambda result: None) -> np.ndarray:
    """left: called with the array of the result if the call ends early; the device may finish the frame all the same."""
    images, shape, dtype = dict(task.images), task.images["input"].shape, task.images["input"].dtype
    grey = is_grey(images["input"])
    if out is not None:
        out = check_out(out, shape, dtype)
    images["input"] = as_colour(images["input"])
    result = out if out is not None and not grey else np.empty(images["input"].shape, dtype)
    try:
        pipeline.run(frame, {f"i-memory:{name}": each for name, each in images.items()}, {"o-memory:out": result}, continues)
    except BaseException:
        left(result)
        raise
    return _as_given(result, shape, out)


def _as_given(result: np.ndarray, shape: tuple, out: np.ndarray | None) -> np.ndarray:
    """The result in the image's shape, grey if that is, and in `out` where there is one."""
    if result.shape != shape:
        mean = result.mean(axis=2, dtype=np.float32).reshape(shape)
        result = (np.rint(mean) if result.dtype.kind == "u" else mean).astype(result.dtype)
    if out is None or out is result:
        return result
    out[...] = result
    return out


_kept: OrderedDict[tuple, _core.Pipeline] = OrderedDict()  # the last ones; threads share each
_opening = threading.RLock()  # reentrant: a signal handler may denoise, too
_MOST = 4


def _kept_pipeline(task: _Task, device: Device | None) -> _core.Pipeline:
    handle = device_or_shared(device).handle
    with _opening:
        pipeline = _kept.pop((handle, task.key), None) or _open(task, device)
        _kept[handle, task.key] = pipeline
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
        return pipeline


def denoise(image, albedo=None, normal=None, depth=None, motion=None, strength: float = 1.0, *, method: str = "auto",
            fast: bool | None = None, device: Device | None = None, out: np.ndarray | None = None) -> np.ndarray:
    """Denoises a picture.

        clean = lacuna.denoise(noisy)
        clean = lacuna.denoise(render, albedo, normal, depth)

    image: height x width x 3 (or 4, with alpha; or height x width: grey), a NumPy array or what offers DLPack in host memory; or what
      lacuna.read() returns, with all its planes.
      uint8 and uint16 are a photograph, encoded as sRGB, as PNG and JPEG files are: its noise is estimated, and filtered by wiener, behind
      eaw.
      float16 and float32 are a render, linear light without a bound, multiplied by alpha: it is filtered by cnn-unet, a trained
      network.
    albedo, normal, depth: of the render's first hits, height x width x 3, x 3 and x 1, so that edges and textures stay.
      albedo from 0 to 1; normal from -1 to 1; depth linear.
    motion: is for sequences, see Denoiser; of a single picture it has no effect.
    strength: 0 changes nothing, 1 is the default, 4 the most.
    method: auto, or as of the command: wiener, eaw, guided, svgf, cnn-unet.
    fast: wiener in an eighth of the time, with slightly more noise; by default on a CPU device. If wiener would take over a minute
      there, eaw runs alone, with a warning, unless method is "wiener".
    device: a lacuna.Device; else the best one.
    out: an array like image for the result.

    Returns an array of image's shape and type. Raises lacuna.Error for what is wrong, and warns of values that are NaN or
    infinite. The first call for a size makes shaders; threads may call it at once; other threads run meanwhile. Ctrl-C ends
    it within a second, but the device finishes the frame, which the next call waits for."""
    task = _task(image, {"albedo": albedo, "normal": normal, "depth": depth, "motion": motion}, strength, method, fast, device, False)
    warn([text for name, each in task.images.items() for text in doubts(each, "image" if name == "input" else name)])
    return _run(_kept_pipeline(task, device), task, out, 0, False)


@on_close.append
def _forget(handle: _core.Device) -> None:
    with _opening:
        for key in [key for key in _kept if key[0] is handle]:
            del _kept[key]


class _Left(NamedTuple):
    """A call that was interrupted."""
    key: tuple
    images: dict[str, np.ndarray]
    frame: int | None
    result: np.ndarray
    before: int  # frames that the pipeline had run


class Denoiser:
    """Denoises frames of a sequence one after the other, each with what is known of those before.

        denoiser = lacuna.Denoiser()
        for frame in frames:
            clean = denoiser(frame.image, frame.albedo, frame.normal, frame.depth, frame.motion)

    Arguments are those of lacuna.denoise(). motion: height x width x 2, where each pixel was in the frame before: previous =
    current + motion, in pixels, x to the right and y down. frame: the frame's number; without it frames follow each other. After a
    gap, and where size, type or planes change, history begins again, with a warning. A frame that Ctrl-C has interrupted may be given
    again: the result is as if it had not been. Renders with all of them go through a network that knows earlier frames (cnn-unet), others with motion through svgf. Threads may share one; their frames run one after the other."""

    def __init__(self, strength: float = 1.0, *, method: str = "auto", fast: bool | None = None, device: Device | None = None):
        _check(strength, method, fast)
        self.strength, self.method, self.fast, self._device = strength, method, fast, device
        self._lock = threading.RLock()
        self._key: tuple | None = None
        self._pipeline: _core.Pipeline | None = None
        self._count = 0  # frames since the history's beginning
        self._last: int | None = None
        self._left: _Left | None = None

    def __reduce__(self):
        raise mistake("a lacuna.Denoiser can't be pickled", "each process makes its own")

    def restart(self) -> None:
        """The next frame is the first of a sequence; so is one of another size or type."""
        with self._lock:
            self._count, self._last, self._left = 0, None, None

    def _advance(self, frame: int | None) -> None:
        self._count += 1
        self._last = int(frame) if frame is not None else 0 if self._last is None else self._last + 1

    def _finished(self, task: _Task, frame: int | None) -> np.ndarray | None:
        """The result of the call before, if that was interrupted and is repeated. The device has finished its frame, which history
        must not count twice."""
        left, self._left = self._left, None
        if left is None or self._pipeline is None or self._pipeline.frames_run() == left.before:
            return None
        self._advance(left.frame)
        same = left.key == task.key and left.frame == frame and left.images.keys() == task.images.keys()
        same = same and all(np.array_equal(each, task.images[name], equal_nan=True) for name, each in left.images.items())
        return left.result if same else None

    def _cut(self, frame: int | None, key: tuple) -> str:
        """Why the frame can't continue the one before; empty if it does, or is the first."""
        if self._last is None:
            return ""
        if frame is not None and frame != self._last + 1:
            return f"frame {frame} doesn't follow frame {self._last}: history begins again"
        if self._key is not None and key[1] != self._key[1]:
            return "size, type or planes differ from those of the frame before: history begins again"
        return ""

    def __call__(self, image, albedo=None, normal=None, depth=None, motion=None, *, frame: int | None = None,
                 out: np.ndarray | None = None) -> np.ndarray:
        if frame is not None and (not isinstance(frame, (int, np.integer)) or isinstance(frame, bool)):
            raise mistake(f"frame: {frame!r}; expected a whole number")
        task = _task(image, {"albedo": albedo, "normal": normal, "depth": depth, "motion": motion}, self.strength, self.method, self.fast, self._device, True)
        warn([text for name, each in task.images.items() for text in doubts(each, "image" if name == "input" else name)])
        with self._lock:
            handle = device_or_shared(self._device).handle
            key = (handle, task.key)
            if (finished := self._finished(task, frame)) is not None:
                shape = task.images["input"].shape
                return _as_given(finished, shape, None if out is None else check_out(out, shape, finished.dtype))
            if cut := self._cut(frame, key):
                warn([cut])
                self._count = 0
            if self._pipeline is None or self._key != key:
                self._pipeline = self._key = None
                self._pipeline, self._key, self._count = _open(task, self._device), key, 0
            before = self._pipeline.frames_run()

            def left(result: np.ndarray) -> None:
                self._left = _Left(task.key, {name: each.copy() for name, each in task.images.items()}, frame, result, before)

            result = _run(self._pipeline, task, out, self._count, self._count > 0, left)
            self._advance(frame)
            return result
