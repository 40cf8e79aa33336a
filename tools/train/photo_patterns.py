"""Fine patterns for the networks of photographs, on the device: gratings, chirps, zone plates, checkers, fabric, up to Nyquist's frequency.

A mosaic shows grey patterns near it as colours. Most of these are grey, so that the network learns which of the two is likelier."""

import math

import torch
import torch.nn.functional as F

from photo_camera import Chances

SAMPLES = 4  # of a pixel, along each axis: a sensor's pixels collect light over an area
TURN = 2 * math.pi


def positions(chances, size):
    """x and y of all samples, from the middle of the picture."""
    way, within = torch.arange(size, device=chances.device), (torch.arange(SAMPLES, device=chances.device) + 0.5) / SAMPLES - 0.5
    aperture = chances.choose(0.75, 1.0, chances.uniform(0.1, 1))
    along = (way[:, None] - (size - 1) / 2 + aperture[..., None] * within).flatten(2)
    return along[:, :, None, :], along[:, :, :, None]


def directions(chances):
    """Half of the patterns lie about along the pixels or their diagonals."""
    quarter = (chances.uniform(0, 8).floor() + 0.1 * chances.normal()) * TURN / 8
    return chances.choose(0.5, quarter, chances.uniform(0, TURN))


def frequencies(chances):
    """Cycles a pixel."""
    return chances.choose(0.75, chances.uniform(0.2, 0.52), chances.spread(0.02, 0.3))


def phases(chances, size):
    """Two fields, across one another: of a fixed frequency, or one that grows from a point (rings, or lines that bend), or along a line."""
    x, y = positions(chances, size)
    angle, begin = directions(chances), chances.uniform(-0.7, 0.7, 2) * size
    cosine, sine = angle.cos(), angle.sin()
    x, y = x - begin[:, :1], y - begin[:, 1:]
    along, across = cosine * x + sine * y, cosine * y - sine * x
    reach = size * chances.uniform(0.9, 2)
    grows = chances.choose(0.5, 1.0)
    rate = grows * chances.choose(0.6, frequencies(chances), 0.1 * chances.normal()) / reach
    bend = chances.choose(0.7, chances.choose(0.8, 1.0), chances.uniform(-1, 1))
    first = frequencies(chances) * (1 - grows * chances.choose(0.6, 1.0))
    length = size * chances.spread(0.1, 1)
    fold = length * chances.choose(0.3, chances.uniform(0, 0.01)) * (across * TURN / length).sin()
    u = first * along + 0.5 * rate * (along.square() + bend * across.square()) + fold + chances.uniform(0, 1)
    v = chances.choose(0.5, first, frequencies(chances)) * across + 0.5 * rate * along * across + chances.uniform(0, 1)
    return u, v


def wave(u, gain, bias):
    """From sines to lines with sharp edges."""
    return (0.5 + gain * ((TURN * u).cos() + bias)).clamp(0, 1)


def shapes(chances, size):
    """From 0 to 1, (B, 1, size, size)"""
    u, v = phases(chances, size)
    gain = chances.choose(0.5, 0.5, chances.spread(0.5, 20))
    bias = torch.where(gain > 0.5, chances.uniform(-0.6, 0.6), 0.0)
    one, other = wave(u, gain, bias), wave(v, gain, bias)
    over = wave(u / 2, 20.0, 0.0)
    over = over + (1 - 2 * over) * wave(v / 2, 20.0, 0.0)  # which of two threads lies above
    depth = chances.uniform(0.1, 1)
    threads = torch.lerp((math.pi * u).sin().abs(), (math.pi * v).sin().abs(), over)
    threads = (1 - depth + depth * threads) * (1 - chances.choose(0.5, chances.uniform(0, 0.9)) * over)
    fabric = chances.choose(0.5, threads, chances.choose(0.5, one * other, one + other - 2 * one * other))  # or dots, or checkers
    return F.avg_pool2d(chances.choose(0.55, one, fabric), SAMPLES)


def laid(light):
    """Patterns in place of the pictures (B, 3, S, S), linear light; a quarter of them over what is there, as prints and meshes are."""
    chances = Chances(len(light), light.device)
    found = shapes(chances, light.shape[-1])
    contrast = chances.choose(0.6, chances.uniform(0.3, 1), chances.spread(0.02, 0.4))
    middle = chances.spread(0.05, 0.6)
    tint = chances.choose(0.3, (0.5 * chances.normal(3)).exp(), 1.0)
    dark, bright = (1 - contrast) * tint, (1 + contrast) * chances.choose(0.25, (0.5 * chances.normal(3)).exp(), tint)
    found = dark + (bright - dark) * found
    return found * chances.choose(0.25, light, middle)
