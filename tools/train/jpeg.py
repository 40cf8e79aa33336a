"""What JPEG leaves of pictures, on the device: colours at half size or not, quantised blocks of 8x8 (ITU-T T.81, annex K)."""

import functools
import math

import torch
import torch.nn.functional as F

BRIGHTNESS = (16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
              18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99)
COLOUR = (17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66) + (99,) * 38
TO_YCC = ((0.299, 0.587, 0.114), (-0.168736, -0.331264, 0.5), (0.5, -0.418688, -0.081312))
TO_RGB = ((1.0, 0.0, 1.402), (1.0, -0.344136, -0.714136), (1.0, 1.772, 0.0))


@functools.lru_cache
def constant(values, device):
    """Moved once."""
    return torch.tensor(values, dtype=torch.float32, device=device)


def table(values, quality):
    """(B, 1, 1, 1, 64); quality: (B, 1, 1, 1)"""
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)[..., None]
    return ((constant(values, quality.device) * scale + 50) / 100).floor().clamp(1, 255)


@functools.lru_cache
def cosines(device):
    """(64, 64): a block's coefficients from its values; both row by row."""
    k, n = torch.arange(8.0)[:, None], torch.arange(8.0)
    rows = 0.5 * torch.cos((2 * n + 1) * k * math.pi / 16)
    rows = rows * torch.where(k == 0, math.sqrt(0.5), 1.0)
    return torch.kron(rows, rows).to(device)


def quantised(x, steps):
    """(B, C, H, W), sizes multiples of 8, 0 in the middle."""
    n, c, h, w = x.shape
    basis = cosines(x.device)
    blocks = x.view(n, c, h // 8, 8, w // 8, 8).transpose(3, 4).reshape(n, c, h // 8, w // 8, 64)
    blocks = ((blocks @ basis.T) / steps).round() * steps @ basis
    return blocks.view(n, c, h // 8, w // 8, 8, 8).transpose(3, 4).reshape(n, c, h, w)


def mixed(x, matrix):
    return torch.einsum("dc,nchw->ndhw", constant(matrix, x.device), x)


def rolled(x, shift):
    """torch.roll() by numbers on the device."""
    for k in (0, 1):
        size = x.shape[2 + k]
        x = x.index_select(2 + k, (torch.arange(size, device=x.device) - shift[k]) % size)
    return x


def compressed(x, least, greatest):
    """(B, 3, H, W) from 0 to 1, sizes multiples of 16, with a quality for each picture. Half of them get colours of half size."""
    if not len(x):
        return x
    quality = (torch.rand(len(x), 1, 1, 1, device=x.device) * (greatest - least) + least).round()
    shift = torch.randint(8, (2,), device=x.device)  # where blocks begin
    x = rolled(x, shift)
    y, colour = mixed((x * 255).round(), TO_YCC).split([1, 2], 1)
    y = quantised(y - 128, table(BRIGHTNESS, quality)) + 128
    half, steps = len(x) // 2, table(COLOUR, quality)
    small = quantised(F.avg_pool2d(colour[:half], 2), steps[:half])
    colour = torch.cat([F.interpolate(small, scale_factor=2, mode="bilinear", align_corners=False), quantised(colour[half:], steps[half:])])
    back = mixed(torch.cat([y, colour], 1), TO_RGB).round().clamp(0, 255) / 255
    return rolled(back, -shift)
