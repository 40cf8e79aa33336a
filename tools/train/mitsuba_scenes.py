"""Eight scenes for render_mitsuba.py, as dictionaries of Mitsuba 3. z points up, colours are linear Rec. 709, lengths are about metres.

A scene is a function, which returns its objects and a Camera; render_mitsuba.py adds sensor and integrator. Random numbers have fixed seeds."""

import math
import random
from dataclasses import dataclass

import mitsuba as mi
import numpy

T = mi.ScalarTransform4f


@dataclass
class Camera:
    eye: tuple
    target: tuple
    degrees: float  # across the width
    aperture: float = 0  # radius
    focus: float = 0  # distance


def rgb(r, g, b):
    return {"type": "rgb", "value": [r, g, b]}


def matt(r, g, b):
    return {"type": "twosided", "material": {"type": "diffuse", "reflectance": rgb(r, g, b)}}


def painted(texture):
    return {"type": "twosided", "material": {"type": "diffuse", "reflectance": texture}}


def varnished(colour, roughness):
    return {"type": "roughplastic", "diffuse_reflectance": colour, "alpha": roughness}


def metal(name, roughness):
    return {"type": "roughconductor", "material": name, "alpha": roughness} if roughness else {"type": "conductor", "material": name}


def lamp(r, g, b):
    return {"type": "area", "radiance": rgb(r, g, b)}


def checks(dark, light, count):
    return {"type": "checkerboard", "color0": rgb(*dark), "color1": rgb(*light), "to_uv": T().scale([count, count, 1])}


def picture(values, count=1):
    """A texture of an array with values from 0 to 1, repeated `count` times."""
    values = numpy.ascontiguousarray(values, "f4")
    return {"type": "bitmap", "bitmap": mi.Bitmap(values if values.ndim == 3 else values[..., None]), "raw": values.ndim == 2, "to_uv": T().scale([count, count, 1])}


def ball(place, radius, material):
    return {"type": "sphere", "center": list(place), "radius": radius, "bsdf": material}


def bulb(place, radius, r, g, b):
    return {"type": "sphere", "center": list(place), "radius": radius, "emitter": lamp(r, g, b)}


def box(place, size, material, turn=0):
    to_world = T().translate(list(place)).rotate([0, 0, 1], turn).scale([side / 2 for side in size])
    return {"type": "cube", "to_world": to_world, "bsdf": material}


def rod(first, last, radius, material):
    return {"type": "cylinder", "p0": list(first), "p1": list(last), "radius": radius, "bsdf": material}


def sheet(place, normal, size, material, up=(0, 1, 0)):
    """A rectangle with these sides."""
    target = [a + b for a, b in zip(place, normal)]
    return {"type": "rectangle", "to_world": T().look_at(origin=list(place), target=target, up=list(up)).scale([size[0] / 2, size[1] / 2, 1]), "bsdf": material}


def panel(place, normal, size, r, g, b, up=(0, 1, 0)):
    made = sheet(place, normal, size, matt(.1, .1, .1), up)
    return {**made, "emitter": lamp(r, g, b)}


def room(floor, ceiling, back, left, right, half=3.0, height=5.0):
    """The camera is within, and looks to +y."""
    middle, side = height / 2, 2 * half
    return {"floor": sheet((0, 0, 0), (0, 0, 1), (side, side), floor), "ceiling": sheet((0, 0, height), (0, 0, -1), (side, side), ceiling),
            "back": sheet((0, half, middle), (0, -1, 0), (side, height), back, (0, 0, 1)), "front": sheet((0, -half, middle), (0, 1, 0), (side, height), ceiling, (0, 0, 1)),
            "left": sheet((-half, 0, middle), (1, 0, 0), (side, height), left, (0, 0, 1)), "right": sheet((half, 0, middle), (-1, 0, 0), (side, height), right, (0, 0, 1))}


def mesh(corners, faces, material, uv=None):
    properties = mi.Properties()
    properties["material"] = mi.load_dict(material)
    made = mi.Mesh("mesh", len(corners), len(faces), has_vertex_texcoords=uv is not None, props=properties)
    values = mi.traverse(made)
    values["vertex_positions"] = numpy.ravel(numpy.asarray(corners, "f4"))
    values["faces"] = numpy.ravel(numpy.asarray(faces, "u4"))
    if uv is not None:
        values["vertex_texcoords"] = numpy.ravel(numpy.asarray(uv, "f4"))
    values.update()
    return made


def grid(surface, columns, rows, material):
    """A mesh of the points surface(u, v), u and v from 0 to 1."""
    v, u = numpy.mgrid[0:rows + 1, 0:columns + 1].reshape(2, -1) / numpy.array([[rows], [columns]])
    first = (numpy.arange(rows)[:, None] * (columns + 1) + numpy.arange(columns)).reshape(-1, 1)
    quads = first + numpy.array([0, 1, columns + 2, columns + 1])
    return mesh(numpy.stack(surface(u, v), -1), numpy.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]), material, numpy.stack([u, v], -1))


def torus(place, ring, tube, material):
    def surface(u, v):
        a, b = 2 * math.pi * u, 2 * math.pi * v
        across = ring + tube * numpy.cos(b)
        return place[0] + across * numpy.cos(a), place[1] + across * numpy.sin(a), place[2] + tube * numpy.sin(b)
    return grid(surface, 96, 32, material)


def noise(size, seed, octaves=5):
    """Smooth noise from 0 to 1 that repeats without a seam."""
    draw, total = numpy.random.Generator(numpy.random.PCG64(seed)), numpy.zeros((size, size))
    for octave in range(octaves):
        cells = 4 << octave
        values, at = draw.random((cells, cells)), numpy.arange(size) * cells / size
        low, share = at.astype(int), at % 1
        share, high = share * share * (3 - 2 * share), (low + 1) % cells
        across = values[:, low] * (1 - share) + values[:, high] * share
        total += (across[low] * (1 - share)[:, None] + across[high] * share[:, None]) / 2 ** octave
    return (total - total.min()) / (total.max() - total.min())


def mixed(share, dark, light):
    return numpy.array(dark) + share[..., None] * (numpy.array(light) - numpy.array(dark))


def frosted():
    """Rough glass before plain walls, below a lamp of middle size."""
    glass = [{"type": "roughdielectric", "alpha": alpha, "int_ior": ior, "specular_transmittance": rgb(*tint)}
             for alpha, ior, tint in ((.12, 1.5, (1, 1, 1)), (.3, 1.45, (.75, .9, 1)), (.05, 1.6, (1, .8, .6)))]
    return {**room(matt(.55, .5, .45), matt(.75, .75, .75), checks((.15, .2, .3), (.7, .7, .65), 6), matt(.6, .2, .12), matt(.2, .42, .3)),
            "lamp": panel((.5, -.3, 4.95), (0, 0, -1), (1.3, 1.3), 20, 18, 15),
            "ball": ball((-1, .1, .9), .9, glass[0]), "block": box((1.1, .9, .8), (1.1, 1.1, 1.6), glass[1], 25), "small": ball((.45, -1, .42), .42, glass[2]),
            "ring": torus((-.2, 1.6, .35), .8, .3, metal("Au", .12)), "pane": sheet((1.9, -.5, 1), (-1, -.4, 0), (1.2, 2), {"type": "thindielectric"}, (0, 0, 1)),
            "stone": ball((1.9, -1.2, .35), .35, matt(.1, .15, .5))}, Camera((0, -2.9, 2), (0, 1, .95), 68)


def lacquer():
    """Principled and plastic materials of all kinds, in rows."""
    draw, made = random.Random(3), {}
    for k in range(15):
        x, y = (k % 5 - 2) * 1.05, (k // 5) * 1.15 - .6
        colour = rgb(*(.08 + .8 * draw.random() ** 1.5 for _ in range(3)))
        kinds = [{"type": "principled", "base_color": colour, "roughness": .1 + .5 * draw.random(), "metallic": 1.0},
                 {"type": "principled", "base_color": colour, "roughness": .5, "clearcoat": 1.0, "clearcoat_gloss": .95, "specular": .5},
                 {"type": "principled", "base_color": colour, "roughness": .8, "sheen": 1.0, "sheen_tint": .8},
                 {"type": "plastic", "diffuse_reflectance": colour, "nonlinear": True}, varnished(colour, .05 + .25 * draw.random()),
                 {"type": "principled", "base_color": colour, "roughness": .25, "anisotropic": .9, "metallic": .7, "spec_tint": .4}]
        made["ball%d" % k] = ball((x, y, .48), .48, kinds[(2 * k + k // 5) % 6])
    return {**made, **room(varnished(checks((.05, .05, .06), (.65, .62, .55), 10), .12), matt(.8, .8, .8), matt(.5, .52, .6), matt(.7, .66, .6), matt(.7, .66, .6)),
            "key": panel((-1.6, -1, 4.9), (.2, .2, -1), (.8, .8), 30, 27, 22), "strip": panel((2.95, .5, 2.6), (-1, 0, 0), (2.2, .25), 9, 12, 18, (0, 0, 1)),
            "vase": grid(lambda u, v: [(.35 + .2 * numpy.sin(5 * v)) * numpy.cos(2 * math.pi * u) - 1.9,
                                       (.35 + .2 * numpy.sin(5 * v)) * numpy.sin(2 * math.pi * u) + 2.2, 1.9 * v], 64, 48, varnished(rgb(.6, .05, .05), .08))}, \
        Camera((0, -2.9, 2.5), (0, .9, .5), 58)


def amber():
    """Media that scatter, within dielectrics: light comes out only after many bounces."""
    def filled(r, g, b, density, forward):
        return {"bsdf": {"type": "dielectric", "int_ior": 1.4}, "interior": {"type": "homogeneous", "albedo": rgb(r, g, b), "sigma_t": float(density),
                                                                            "phase": {"type": "hg", "g": float(forward)}}}
    def murky(shape, *medium):
        return {**shape, **filled(*medium)}
    return {**room(matt(.4, .38, .36), matt(.7, .7, .7), matt(.55, .55, .6), matt(.5, .35, .2), matt(.3, .4, .45)),
            "lamp": panel((-.9, .5, 4.9), (.1, 0, -1), (1, 1), 34, 30, 26), "behind": bulb((.5, 2.2, .5), .22, 25, 14, 6),
            "amber": murky(ball((-1, .2, .85), .85, None), .98, .8, .35, 3, .5), "milk": murky(box((1.05, .7, .75), (1, 1, 1.5), None, 20), .97, .97, .95, 5, .2),
            "jade": murky(ball((.25, -.9, .45), .45, None), .6, .95, .7, 4, 0), "stand": box((.25, -.9, .02), (1.1, 1.1, .04), varnished(rgb(.05, .05, .06), .1), 10),
            "gold": ball((1.7, -.7, .4), .4, metal("Au", .15))}, Camera((0, -2.9, 1.9), (0, 1, .85), 66)


def sky():
    """An environment map with a small sun and clouds, over buildings."""
    height, width = 256, 512
    up = numpy.cos(math.pi * (numpy.arange(height) + .5) / height)[:, None]
    around = 2 * math.pi * (numpy.arange(width) + .5) / width
    clouds = numpy.tile(noise(256, 4), (1, 2)) ** 2 * numpy.clip(up * 4, 0, 1)
    light = mixed(clouds, (.25, .45, 1), (1.6, 1.5, 1.4)) * numpy.where(up > 0, .5 + .5 * (1 - up), .12)[..., None]
    sun, level = numpy.array([.55, -.6, .58]), numpy.sqrt(1 - up ** 2)
    towards = (level * numpy.sin(around) * sun[0] - level * numpy.cos(around) * sun[1] + up * sun[2]) / numpy.linalg.norm(sun)
    light = light + (towards > math.cos(.03))[..., None] * numpy.array([2200, 1900, 1500])
    draw, made = random.Random(8), {}
    for k in range(26):
        size = draw.uniform(.4, 1), draw.uniform(.4, 1), draw.uniform(.5, 3)
        grey = draw.uniform(.2, .7)
        material = draw.choice([matt(grey, .9 * grey, .8 * grey), matt(.5 * grey, .3 * grey, .25 * grey), varnished(rgb(.1, .12, .16), .06), metal("Cu", .2)])
        made["house%d" % k] = box(((k % 6 - 2.5) * 1.4 + draw.uniform(-.2, .2), (k // 6) * 1.8 + draw.uniform(-.3, .3), size[2] / 2), size, material, draw.uniform(-12, 12))
    return {**made, "light": {"type": "envmap", "bitmap": mi.Bitmap(numpy.ascontiguousarray(light, "f4")), "to_world": T().rotate([1, 0, 0], 90)},
            "ground": sheet((0, 10, 0), (0, 0, 1), (80, 80), painted(picture(mixed(noise(256, 6), (.12, .14, .1), (.35, .33, .28)), 20))),
            "globe": ball((.3, -1.5, .55), .55, metal("Al", 0)), "dome": ball((-1.5, -1, .1), .8, varnished(rgb(.7, .7, .68), .1))}, Camera((.4, -5.2, 2.3), (0, 2, .8), 55)


def mosaic():
    """Textures finer than a pixel, of colour, roughness and slope, on floors, walls and curved things."""
    draw = numpy.random.Generator(numpy.random.PCG64(11))
    tiles = numpy.kron(draw.random((48, 48, 3)) ** 1.6 * .85 + .03, numpy.ones((4, 4, 1)))
    tiles[::4] = tiles[:, ::4] = .25
    stripes = mixed((numpy.sin(numpy.arange(256) * math.pi / 8) > 0)[None].repeat(256, 0) * 1.0, (.12, .05, .03), (.75, .65, .45))
    marble = mixed(numpy.abs(numpy.sin(14 * noise(512, 2) + 9 * numpy.linspace(0, 2 * math.pi, 512))) ** .4, (.08, .1, .14), (.8, .78, .74))
    glyphs = numpy.kron(draw.random((40, 64)) > .55, numpy.ones((6, 4)))
    glyphs[::6] = glyphs[:, ::4] = 0
    wavy = {"type": "bumpmap", "texture": picture(noise(256, 7), 4), "scale": .25, "material": varnished(rgb(.1, .3, .25), .1)}
    worn = {"type": "principled", "base_color": rgb(.7, .55, .35), "metallic": 1.0, "roughness": picture(.08 + .6 * noise(256, 9), 3)}
    return {**room(painted(picture(tiles, 3)), matt(.75, .75, .75), painted(picture(mixed(glyphs, (.8, .78, .7), (.05, .05, .08)), 2)),
                   painted(picture(stripes, 2)), painted(picture(marble, 1.5))),
            "lamp": panel((.6, 0, 4.95), (0, 0, -1), (1.6, 1.6), 13, 12, 10), "ball": ball((-1, .6, .85), .85, painted(picture(marble, 2))),
            "pond": ball((1.1, .8, .7), .7, wavy), "shield": ball((.1, -.9, .45), .45, worn),
            "crate": box((-1.9, -.6, .5), (.9, .9, 1), painted(checks((.55, .1, .08), (.85, .8, .7), 16)), 30)}, Camera((0, -2.9, 2.1), (0, 1, 1.1), 70)


def blades(draw, count):
    """Bent leaves, less than a pixel wide."""
    corners, faces = [], []
    for _ in range(count):
        y = 9 * draw.random() ** 1.4 - 1.5
        x, turn, height = draw.uniform(-1, 1) * (1.8 + .5 * y), draw.uniform(0, math.pi), draw.uniform(.2, .7)
        bend, width, first = draw.uniform(-.3, .3), draw.uniform(.004, .012), len(corners)
        for step in range(4):
            share = step / 3
            narrow = width * (1 - .9 * share)
            for side in (-1, 1):
                corners.append((x + side * narrow * math.cos(turn) - bend * share ** 2 * math.sin(turn),
                                y + side * narrow * math.sin(turn) + bend * share ** 2 * math.cos(turn), height * share))
        for k in (0, 2, 4):
            faces += [(first + k, first + k + 1, first + k + 3), (first + k, first + k + 3, first + k + 2)]
    return corners, faces


def thicket():
    """Grass, wires and a fence, thinner than a pixel, in front of each other and of the sky."""
    draw, made = random.Random(12), {}
    for k, colour in enumerate(((.1, .3, .05), (.32, .34, .1), (.06, .2, .05))):
        made["grass%d" % k] = mesh(*blades(draw, 5000), matt(*colour))
    for k in range(28):
        x = -3.3 + .24 * k
        made["bar%d" % k] = rod((x, 2.5, 0), (x, 2.5, 1.5), .008, metal("Cr", .2))
    for k in range(7):
        made["wire%d" % k] = rod((-6, 2.5, .3 + .18 * k), (6, 2.5, .3 + .18 * k), .005, metal("Cr", .2))
    for k in range(40):
        foot = draw.uniform(-3, 3), draw.uniform(4, 8)
        top = foot[0] + draw.uniform(-.8, .8), foot[1] + draw.uniform(-.4, .4), draw.uniform(1.5, 3.5)
        made["twig%d" % k] = rod((*foot, 0), top, draw.uniform(.006, .02), matt(.2, .13, .08))
    return {**made, "ground": sheet((0, 10, 0), (0, 0, 1), (60, 60), matt(.11, .08, .05)), "sky": {"type": "constant", "radiance": rgb(.4, .55, .9)},
            "sun": {"type": "directional", "direction": [-.5, .6, -.7], "irradiance": rgb(4, 3.6, 3)},
            "post": box((-1, 2.5, .8), (.14, .14, 1.6), matt(.5, .45, .4)), "berry": ball((.5, 1, .3), .3, varnished(rgb(.6, .03, .04), .15))}, Camera((0, -2.6, 1), (0, 3, .65), 45)


def lanterns():
    """A hall with eighty small coloured lamps."""
    draw, made = random.Random(21), {}
    for k in range(80):
        colour = draw.choice([(1, .5, .15), (.2, .45, 1), (1, .2, .3), (.3, 1, .4), (1, .9, .7)])
        place = draw.uniform(-2.6, 2.6), draw.uniform(-1.6, 2.7), draw.uniform(.3, 4.2)
        made["lantern%d" % k] = bulb(place, draw.uniform(.025, .06), *(60 * value * draw.uniform(.3, 2) for value in colour))
    for k in range(6):
        x, y = (-1.9, 1.9)[k % 2], (k // 2) * 1.6 - .8
        made["pillar%d" % k] = rod((x, y, 0), (x, y, 5), .22, matt(.6, .57, .5))
        made["base%d" % k] = box((x, y, .15), (.7, .7, .3), varnished(rgb(.12, .12, .14), .1))
    return {**made, **room(varnished(checks((.04, .04, .05), (.5, .48, .45), 8), .08), matt(.4, .4, .45), matt(.6, .55, .5), matt(.5, .45, .42), matt(.5, .45, .42)),
            "knot": torus((0, 1.1, .8), .6, .2, metal("Cu", .15)), "table": box((0, 1.1, .3), (1.2, 1.2, .6), matt(.35, .2, .1), 15)}, Camera((0, -2.9, 1.8), (0, 1.5, 1.5), 70)


def bokeh():
    """A wide lens: most of the picture is out of focus, lights become discs, and guides are noisy."""
    draw, made = random.Random(31), {}
    for k in range(30):
        y = .5 * k - 1.2
        made["ball%d" % k] = ball((draw.uniform(-1, 1) * (.5 + .28 * (y + 2)), y, .16), .16, draw.choice(
            [matt(*(draw.uniform(.05, .85) for _ in range(3))), varnished(rgb(*(draw.uniform(.05, .7) for _ in range(3))), .1), metal("Au", .1)]))
    for k in range(36):
        place = draw.uniform(-5, 5), draw.uniform(7, 13), draw.uniform(.2, 4.5)
        made["light%d" % k] = bulb(place, .05, *(draw.uniform(.2, 1) * 45 for _ in range(3)))
    return {**made, "ground": sheet((0, 8, 0), (0, 0, 1), (40, 40), painted(checks((.08, .07, .07), (.5, .45, .4), 80))),
            "wall": sheet((0, 14, 4), (0, -1, 0), (40, 8), matt(.25, .28, .35), (0, 0, 1)), "dusk": {"type": "constant", "radiance": rgb(.05, .07, .12)},
            "lamp": panel((-2, -1, 3.5), (.4, .5, -1), (1, 1), 12, 11, 9)}, Camera((0, -2.8, .75), (0, 2, .3), 42, .07, 2.9)


MEDIA = (amber,)  # need volpath
