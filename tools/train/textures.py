"""Textures as PNG files: noise, wood, bricks, stripes, dots, script. The same every time."""

import os
import struct
import zlib

import numpy

from draw import Draw

SIZE = 256


def write_png(path, pixels):
    """(height, width, 3) of bytes."""
    height, width, _ = pixels.shape
    rows = numpy.concatenate([numpy.zeros((height, 1), numpy.uint8), pixels.reshape(height, -1)], 1).tobytes()

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def value_noise(draw, cells):
    """(SIZE, SIZE) in [0, 1] that repeats, with so many cells to a side."""
    values = numpy.array([[draw.between(0, 1) for _ in range(cells)] for _ in range(cells)])
    at = numpy.arange(SIZE) * cells / SIZE
    cell = at.astype(int)
    t = at - cell
    t = t * t * (3 - 2 * t)
    rows = values[cell] * (1 - t[:, None]) + values[(cell + 1) % cells] * t[:, None]
    return rows[:, cell] * (1 - t) + rows[:, (cell + 1) % cells] * t


def clouds(draw):
    layers = [(value_noise(draw, 4 << k), 0.5 ** k) for k in range(5)]
    return sum(noise * weight for noise, weight in layers) / sum(weight for _, weight in layers)


def wood(draw):
    across = numpy.arange(SIZE)[:, None] / SIZE
    rings = numpy.sin(2 * numpy.pi * (draw.whole(4, 12) * across + 1.5 * value_noise(draw, 4)))
    return 0.5 + 0.3 * rings + 0.4 * (value_noise(draw, 64) - 0.5)


def bricks(draw):
    rows, columns = 2 * draw.whole(3, 8), draw.whole(3, 6)
    y, x = numpy.mgrid[0:SIZE, 0:SIZE] / SIZE
    row = (y * rows).astype(int)
    along = (x * columns + 0.5 * (row % 2)) % columns
    tone = numpy.array([[draw.between(0.5, 1) for _ in range(columns)] for _ in range(rows)])[row, along.astype(int)]
    joint = (numpy.minimum((y * rows) % 1, 1 - (y * rows) % 1) < 0.06) | (numpy.minimum(along % 1, 1 - along % 1) < 0.03)
    return numpy.where(joint, 0.1, tone) + 0.15 * (value_noise(draw, 64) - 0.5)


def stripes(draw):
    y, x = numpy.mgrid[0:SIZE, 0:SIZE] / SIZE
    phase = x * draw.whole(0, 12) + y * draw.whole(3, 24)
    return (phase % 1 < draw.between(0.2, 0.8)).astype(float)


def dots(draw):
    count, radius = draw.whole(4, 16), draw.between(0.2, 0.45)
    y, x = (numpy.mgrid[0:SIZE, 0:SIZE] / SIZE * count) % 1 - 0.5
    return (x * x + y * y < radius * radius).astype(float)


def script(draw):
    """Lines of strokes, as fine and sharp as print."""
    page = numpy.ones((SIZE, SIZE))
    for line in range(8, SIZE - 16, 20):
        x = 8
        while x < SIZE - 24:
            for _ in range(draw.whole(1, 4)):
                top, left = line + draw.whole(0, 8), x + draw.whole(0, 6)
                if draw.chance(0.5):
                    page[top:top + draw.whole(2, 3), left:left + draw.whole(4, 10)] = 0
                else:
                    page[line:line + draw.whole(8, 14), left:left + draw.whole(1, 3)] = 0
            x += draw.whole(8, 16)
    return page


PATTERNS = [clouds, wood, bricks, stripes, dots, script]


def write_textures(folder, count, seed):
    """texture-0.png and so on; returns their names."""
    draw = Draw("textures %d" % seed)
    names = []
    for number in range(count):
        mix = numpy.clip(PATTERNS[number % len(PATTERNS)](draw), 0, 1)[..., None]
        first, second = (numpy.array(draw.colour(0.02, 0.95)) for _ in range(2))
        linear = first * mix + second * (1 - mix)
        names.append("texture-%d.png" % number)
        write_png(os.path.join(folder, names[-1]), (255 * linear ** (1 / 2.2) + 0.5).astype(numpy.uint8))
    return names
