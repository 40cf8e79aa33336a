"""Arrays as images: height x width (x channels) of uint8, uint16, float16 or float32."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .errors import mistake

FORMATS = ("uint8", "uint16", "float16", "float32")
_CASTS = {"f": "astype(numpy.float32)", "b": "astype(numpy.float32)", "i": "astype(numpy.uint8), if they are 0 to 255",
          "u": "astype(numpy.uint8), if they are 0 to 255"}
_HOST = (1, 3)  # DLPack's code for memory that the processor reads


def _from_dlpack(value, name: str) -> np.ndarray:
    try:
        kind, number = value.__dlpack_device__()
    except Exception as error:
        raise mistake(f"{name}: {type(value).__name__} does not say where its tensor lies: {error}") from error
    if kind not in _HOST:
        raise mistake(f"{name}: the tensor lies on a device ({getattr(value, 'device', f'type {kind}, number {number}')}), and Lacuna "
                      "takes host memory", "copy it: tensor.cpu()")
    if getattr(value, "requires_grad", False):
        value = value.detach()
    try:
        return np.from_dlpack(value)
    except Exception as error:  # any exception of the other library
        raise mistake(f"{name}: {error}", f"expected {', '.join(FORMATS)}") from error


def as_array(value, name: str) -> np.ndarray:
    """The array, without a copy where that is possible."""
    if isinstance(value, type):
        raise mistake(f"{name}: expected an array, got the class {value.__name__}")
    if isinstance(value, np.ma.MaskedArray):
        raise mistake(f"{name}: a masked array", f"{name}.filled(0) fills what is masked")
    if getattr(value, "mode", None) in ("P", "PA", "LA", "La", "RGBa", "CMYK", "YCbCr", "LAB", "HSV"):
        raise mistake(f"{name}: an image of mode {value.mode}; expected L, RGB or RGBA", f"{name}.convert('RGB')")
    if isinstance(value, np.ndarray):
        array = np.asarray(value)  # of a subclass, too
    elif isinstance(value, (str, bytes)) or hasattr(value, "__fspath__"):
        raise mistake(f"{name}: expected an array, got the name {value!r}", "lacuna.read() reads files")
    elif hasattr(value, "__dlpack__"):
        array = _from_dlpack(value, name)
    elif hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        try:
            array = np.asarray(value)
        except Exception as error:  # any exception of the other library
            raise mistake(f"{name}: {type(value).__name__} gives no array: {error}") from error
    else:
        several = isinstance(value, Iterator) or (isinstance(value, (list, tuple)) and value and hasattr(value[0], "__array__"))
        raise mistake(f"{name}: expected an array, got {type(value).__name__}",
                      f"take one image at a time: for each in {name}" if several else
                      "numpy.asarray() makes one of lists of numbers" if isinstance(value, (list, tuple)) else "")
    if array.dtype.name not in FORMATS or not array.dtype.isnative:
        what = array.dtype.name if array.dtype.isnative else f"{array.dtype.name} of the other byte order"
        cast = _CASTS.get(array.dtype.kind)
        raise mistake(f"{name}: the numbers are {what}; expected {', '.join(FORMATS)}", f"{name}.{cast}" if cast else "")
    return array


def as_image(value, name: str, channels: tuple[int, ...] = (1, 2, 3, 4)) -> np.ndarray:
    """A checked image whose pixels lie as the runtime reads them: other arrays are copied."""
    array = as_array(value, name)
    shape = " x ".join(map(str, array.shape))
    wanted = "height x width" + ("" if channels == (1,) else f" x {' or '.join(map(str, channels))}")
    if array.ndim == 4:
        raise mistake(f"{name}: has the shape {shape}; expected {wanted}", f"take one image at a time: for image in {name}")
    if array.ndim not in (2, 3):
        raise mistake(f"{name}: has the shape {shape or '()'}; expected {wanted}")
    if array.size == 0:
        raise mistake(f"{name}: is empty: its shape is {shape}")
    count = array.shape[2] if array.ndim == 3 else 1
    if count not in channels:
        axes = array.ndim == 3 and array.shape[0] in channels and count > 4
        raise mistake(f"{name}: has {count} channels, its shape is {shape}; expected {wanted}",
                      f"numpy.moveaxis({name}, 0, -1) puts the channels last" if axes else
                      f"{name}[..., :{channels[-1]}] takes the first ones" if count > channels[-1] else "")
    if max(array.shape[:2]) > 65535:
        raise mistake(f"{name}: has the shape {shape}; a side may have 65535 pixels")
    return array if _is_readable(array) else np.ascontiguousarray(array)


def _is_readable(array: np.ndarray) -> bool:
    """Whether strides are those of a view (ImageView in lacuna.h)."""
    item = array.itemsize
    count = array.shape[2] if array.ndim == 3 else 1
    step = array.strides[2] if count > 1 else item
    pixel = abs(step) * count
    return (step in ((item, -item) if count == 3 else (item,)) and array.flags.aligned
            and (array.shape[1] == 1 or array.strides[1] >= pixel)
            and (array.shape[0] == 1 or abs(array.strides[0]) >= (array.shape[1] - 1) * array.strides[1] + pixel))


def check_size(array: np.ndarray, name: str, image: np.ndarray) -> None:
    if array.shape[:2] != image.shape[:2]:
        raise mistake(f"{name}: has {array.shape[1]} x {array.shape[0]} pixels, but image has {image.shape[1]} x {image.shape[0]}")


def check_out(out: np.ndarray, shape: tuple[int, ...], dtype) -> np.ndarray:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise mistake(f"out: expected a numpy array {np.dtype(dtype)} {shape}, got {got}")
    if not out.flags.writeable:
        raise mistake("out: the array is read-only", "numpy.empty_like() makes one that is not")
    if not _is_readable(out):
        raise mistake("out: pixels must lie with their channels side by side, and may not overlap", "numpy.empty() makes such an array")
    return out


def is_grey(image: np.ndarray) -> bool:
    return image.ndim == 2 or image.shape[2] == 1


def as_colour(image: np.ndarray) -> np.ndarray:
    """Grey in three channels; colours as they are."""
    return np.repeat(image.reshape(*image.shape[:2], 1), 3, axis=2) if is_grey(image) else image


def not_finite(image: np.ndarray, name: str) -> list[str]:
    """A warning where values are NaN or infinite."""
    if image.dtype.kind != "f":
        return []
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(image.sum(dtype=np.float32)):
            return []
    bad = ~np.isfinite(image)
    if not bad.any():
        return []
    first = ", ".join(str(each[0]) for each in np.nonzero(bad))
    return [f"{name}: {int(bad.sum())} values are NaN or infinite, the first one at [{first}]: denoise() fills those of images from "
            f"their neighbours, other filters spread them; numpy.nan_to_num({name}) replaces them"]


def doubts(image: np.ndarray, name: str) -> list[str]:
    """Warnings of values that are allowed, but hardly meant."""
    found = not_finite(image, name)
    if image.dtype.kind != "f" or found:
        return found
    if name == "image":
        row = image[image.shape[0] // 2]
        if row.max() > 1 and (row == np.rint(row)).all() and 1 < image.max() <= 255 and (image == np.rint(image)).all():
            found.append(f"image: {image.dtype} with whole numbers up to {image.max():.0f}, as photographs have them; floats are linear light: "
                         "pass the photograph as uint8")
    if name == "normal" and image.min() >= 0 and abs(float(np.median((image.astype(np.float32) ** 2).sum(axis=2))) - 1) > 0.1:
        found.append("normal: no component is negative, and few are of length 1; expected components from -1 to 1: 2 * normal - 1 "
                     "for those from 0 to 1")
    return found
