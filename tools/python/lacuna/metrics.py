"""How pictures differ."""
from __future__ import annotations

import numpy as np

from . import _core
from .arrays import as_colour, as_image
from .errors import mistake


def _linear(array: np.ndarray) -> np.ndarray:
    """Three channels of linear light: whole numbers are encoded as sRGB."""
    array = as_colour(array)[..., :3]
    if array.dtype.kind == "f":
        return array
    most = np.iinfo(array.dtype).max
    values = np.arange(most + 1) / most
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)[array]


def compare(image, reference) -> dict[str, float]:
    """How far an image is from a reference, by relMSE, PSNR, SSIM, FLIP and relative errors, as `lacuna compare` prints them.

    Both are height x width (x 3 or 4; alpha is left out). uint8 and uint16 are encoded as sRGB, floats are linear light."""
    first, second = as_image(image, "image", (1, 3, 4)), as_image(reference, "reference", (1, 3, 4))
    if first.shape[:2] != second.shape[:2]:
        raise mistake(f"image has {first.shape[1]} x {first.shape[0]} pixels, but reference has {second.shape[1]} x {second.shape[0]}")
    return _core.compare(_linear(first), _linear(second))
