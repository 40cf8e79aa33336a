"""Random materials: what a thing in a room may be made of."""

from dataclasses import dataclass
from typing import Tuple

from scene_text import numbers


@dataclass(frozen=True)
class Palette:
    """What materials are chosen from."""
    textures: Tuple[str, ...] = ()  # files; without them all is plain
    plain: float = 1.0  # share of the materials without a texture that stay plain
    repeats: Tuple[float, float] = (1, 8)  # of a picture along a surface, least and most
    squares: Tuple[float, float] = (1, 8)  # of a checker


def between(limits, position):
    """Evenly on a logarithmic scale."""
    return limits[0] * (limits[1] / limits[0]) ** position


def colour_of(draw, palette, textured):
    """albedo, checker or image; without textures always the first"""
    if not palette.textures or not draw.chance(1 - palette.plain * (1 - textured)):
        return "albedo " + numbers(*(draw.colour(0.03, 0.95) if draw.chance(0.7) else draw.grey()))
    position = draw.between(0, 1)  # between least and most
    if draw.chance(0.25):
        return "checker %s  %s  scale %s" % (numbers(*draw.colour()), numbers(*draw.grey()), numbers(between(palette.squares, position)))
    return 'image "%s" scale %s' % (draw.pick(palette.textures), numbers(between(palette.repeats, position)))


def diffuse(draw, palette, textured=0.4):
    return "diffuse " + colour_of(draw, palette, textured)


def glossy(draw, palette, textured=0.3):
    return "glossy %s  roughness %s" % (colour_of(draw, palette, textured), numbers(draw.evenly(0.05, 0.6)))


def mirror(draw):
    return "mirror albedo " + numbers(*draw.grey(0.6, 0.95))


def glass(draw):
    tint = draw.colour(0.9, 1.0) if draw.chance(0.2) else (1, 1, 1)
    return "glass albedo %s  ior %s" % (numbers(*tint), numbers(draw.between(1.3, 1.7)))


def any_material(draw, palette, closed):
    """closed: the shape bounds a volume, as glass needs."""
    kind = draw.between(0, 1)
    if kind < 0.5:
        return diffuse(draw, palette)
    if kind < 0.84:
        return glossy(draw, palette)
    if kind < 0.91 or not closed:
        return mirror(draw)
    return glass(draw)


def emissive(draw, brightness):
    warm = draw.between(0, 1)
    return "emissive radiance " + numbers(brightness, brightness * (1 - 0.3 * warm), brightness * (1 - 0.6 * warm))
