"""Random materials: what a thing in a room may be made of."""

from scene_text import numbers


def colour_of(draw, textures, textured):
    """albedo, checker or image; without textures always the first"""
    if not textures or not draw.chance(textured):
        return "albedo " + numbers(*(draw.colour(0.03, 0.95) if draw.chance(0.7) else draw.grey()))
    scale = "scale " + numbers(draw.evenly(1, 8))
    if draw.chance(0.25):
        return "checker %s  %s  %s" % (numbers(*draw.colour()), numbers(*draw.grey()), scale)
    return 'image "%s" %s' % (draw.pick(textures), scale)


def diffuse(draw, textures, textured=0.4):
    return "diffuse " + colour_of(draw, textures, textured)


def glossy(draw, textures, textured=0.3):
    return "glossy %s  roughness %s" % (colour_of(draw, textures, textured), numbers(draw.evenly(0.05, 0.6)))


def mirror(draw):
    return "mirror albedo " + numbers(*draw.grey(0.6, 0.95))


def glass(draw):
    tint = draw.colour(0.9, 1.0) if draw.chance(0.2) else (1, 1, 1)
    return "glass albedo %s  ior %s" % (numbers(*tint), numbers(draw.between(1.3, 1.7)))


def any_material(draw, textures, closed):
    """closed: the shape bounds a volume, as glass needs."""
    kind = draw.between(0, 1)
    if kind < 0.5:
        return diffuse(draw, textures)
    if kind < 0.84:
        return glossy(draw, textures)
    if kind < 0.91 or not closed:
        return mirror(draw)
    return glass(draw)


def emissive(draw, brightness):
    warm = draw.between(0, 1)
    return "emissive radiance " + numbers(brightness, brightness * (1 - 0.3 * warm), brightness * (1 - 0.6 * warm))
