"""Image files, by i-file and o-file."""
from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import dataclass, field

import numpy as np

from . import _core
from .arrays import as_colour, as_image, check_size, not_finite
from .device import Device, device_or_shared
from .errors import Diagnostic, mistake, path_of, warn
from .graph import _image_type, _shape_of, _words

_PLANES = {"albedo": "rgb", "normal": "normal", "depth": "depth", "motion": "mv"}


@dataclass
class Picture:
    """An image file. lacuna.denoise() takes it in place of an array, with all that it has. Notebooks show it: lacuna.Picture(array)."""
    image: np.ndarray                    # height x width x channels; 8 and 16 bits as in the file, encoded; else linear
    albedo: np.ndarray | None = None     # of OpenEXR files, like the others
    normal: np.ndarray | None = None
    depth: np.ndarray | None = None
    motion: np.ndarray | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    colour: str = ""                     # "sRGB", "scene-linear Rec. 709", the name of a profile
    path: str = ""

    def __array__(self, dtype=None) -> np.ndarray:
        return np.asarray(self.image, dtype)

    def _repr_png_(self) -> bytes:
        """What notebooks show."""
        with tempfile.TemporaryDirectory() as folder:
            write(os.path.join(folder, "shown.png"), self.image)
            with open(os.path.join(folder, "shown.png"), "rb") as file:
                return file.read()


def _info(path) -> dict:
    return json.loads(_core.describe_file(path_of(path), []))


def read(path: str | os.PathLike, *, device: Device | None = None) -> Picture:
    """Reads a PNG, JPEG, OpenEXR, PFM, Netpbm or NumPy file.

    Whole numbers come as they are, upright, in the file's own encoding and colours; floats as linear light, with the planes albedo,
    normal, depth and motion of OpenEXR files. write(..., like=picture) keeps metadata and colour profile."""
    path = path_of(path)
    if re.search(r"%\d*d|##|[*?[]", path) and not os.path.lexists(path):
        raise mistake(f"path: there is no {path!r}; expected one file",
                      "glob.glob(path) lists those that a pattern fits; Graph.run_files() reads and writes sequences")
    info = _info(path)
    if info["holds"] == "mosaic":
        raise mistake(f"{path}: a raw photograph, whose pixels have one colour each",
                      "the command `lacuna denoise` develops it into an EXR file, say")
    planes = [name for name in _PLANES if name in info["planes"]]
    text = f"lacuna:1\nmodule:i-file:in\nparam:i-file:in:filename:{_name_in_graph(path)}\n"
    if info["holds"] in ("encoded", "opaque"):
        text += f"param:i-file:in:encoding:linear\nparam:i-file:in:precision:u{16 if info['bits'] > 8 else 8}\n"
    for name in ["output", *planes]:
        text += f"module:o-memory:{name}\nconnect:i-file:in:{name}:o-memory:{name}:input\n"
    pipeline = _core.Pipeline(device_or_shared(device).handle, _core.Origin(text, ""), _core.GraphOptions(), _core.PipelineOptions())
    arrays = {}
    for name in pipeline.sinks():
        kind = pipeline.image_type(name)
        arrays[name] = np.empty(_shape_of(kind), kind.format.name)
    pipeline.run(0, {}, arrays, False)
    warn([Diagnostic(*each) for each in pipeline.warnings()])
    image = arrays.pop("o-memory:output")
    if image.ndim == 3 and image.shape[2] == 4 and _is_opaque(image, info):
        image = np.ascontiguousarray(image[..., 0 if info["pixels"].startswith("grey") else slice(3)])
    return Picture(image, **{name[9:]: array for name, array in arrays.items()}, path=os.path.abspath(path), colour=info["colour"],
                   metadata={each["name"]: each["value"] for each in info["metadata"]})


def _name_in_graph(path: str) -> str:
    """A graph's own % and # stand for a frame's number."""
    return _words(re.sub("[%#]", r"%\g<0>", os.path.abspath(path)))


def _is_opaque(image: np.ndarray, info: dict) -> bool:
    if info["holds"] == "numbers" or "alpha" in info["pixels"]:
        return False
    return bool((image[..., 3] == (1 if image.dtype.kind == "f" else np.iinfo(image.dtype).max)).all())


def write(path: str | os.PathLike, image, *, like: Picture | str | os.PathLike | None = None, overwrite: bool = False,
          quality: int | None = None, albedo=None, normal=None, depth=None, motion=None, device: Device | None = None) -> None:
    """Writes an image file of the format that its name ends with; it appears whole, or not at all.

    image: as denoise() takes it: whole numbers are encoded as sRGB, floats are linear light; NumPy files hold it as it is.
    like: the picture, or its file, that the image comes from: metadata, and its colour profile, are kept.
    quality: of JPEG files, 1 to 100. albedo, normal, depth, motion: written beside it in OpenEXR files.
    overwrite: like's own file may be replaced."""
    path, array = path_of(path), as_image(image, "image", (1, 3, 4))
    kind = os.path.splitext(path)[1].lower()
    if kind == ".npy":  # the numbers as they are
        images = {"input": (array, {1: "y", 3: "rgb", 4: "rgba"}[1 if array.ndim == 2 else array.shape[2]])}
    else:
        images = {"input": (as_colour(array), "rgba")}
    for name, value in {"albedo": albedo, "normal": normal, "depth": depth, "motion": motion}.items():
        if value is not None:
            images[name] = (as_image(value, name, {"depth": (1,), "motion": (2,)}.get(name, (3,))), _PLANES[name])
            check_size(images[name][0], name, array)
    colours = {"image": array, **{name: each for name, (each, _) in images.items() if name in ("albedo", "normal")}}
    warn([text for name, each in colours.items() for text in not_finite(each, name)])
    text = f"lacuna:1\nmodule:o-file:out\nparam:o-file:out:filename:{_name_in_graph(path)}\n"
    for name in images:
        text += f"module:i-memory:{name}\nconnect:i-memory:{name}:output:o-file:out:{name}\n"
    if quality is not None:
        text += f"param:o-file:out:quality:{quality}\n"
    if array.dtype.kind == "u" and kind != ".npy":
        text += "param:i-memory:input:encoding:srgb\nparam:i-memory:input:precision:f32\n"
        if kind in (".png", ".jpg", ".jpeg", ".ppm", ".pgm", ".pnm", ".pam"):
            text += "param:o-file:out:gamma:0\n"
        if kind == ".png":
            text += f"param:o-file:out:bits:{8 * array.itemsize}\n"
    types = {f"i-memory:{name}": _image_type(each, channels) for name, (each, channels) in images.items()}
    if like is not None:
        file = like.path if isinstance(like, Picture) else os.path.abspath(path_of(like, "like"))
        if not file:
            raise mistake("like: the picture comes from no file")
        colour = _info(file)["colour"]
        tag = "rec2020" if "Rec. 2020" in colour else "own" if "kept as" in colour and array.dtype.kind == "u" else "rec709"
        text += f"param:i-memory:input:filename:{_name_in_graph(file)}\n"
        types["i-memory:input"] = _image_type(*images["input"], tag)
    options = _core.GraphOptions()
    options.images, options.overwrite_input = types, overwrite
    pipeline = _core.Pipeline(device_or_shared(device).handle, _core.Origin(text, ""), options, _core.PipelineOptions())
    pipeline.run(0, {f"i-memory:{name}": each for name, (each, _) in images.items()}, {}, False)
    warn([Diagnostic(*each) for each in pipeline.warnings()])
