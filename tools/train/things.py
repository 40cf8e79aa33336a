"""What stands in a scene: solids, and things with parts as thin as a pixel."""

import materials

SOLIDS = ["cube", "sphere", "torus", "teapot", "head", "cylinder", "cone"]
CLOSED = ["cube", "sphere", "torus", "cylinder"]
LOWEST = {"torus": 0.3, "teapot": 0.75}  # below the middle, of size 1; others: 1
MESHES = {"basket": 0.0, "glass": 0.0, "grass": 0.0}  # files of examples/scenes; height of the lowest point


def solid(scene, draw, palette, at, size):
    """On the ground at `at`."""
    shape = draw.pick(SOLIDS)
    material = scene.material(materials.any_material(draw, palette, shape in CLOSED))
    lift = LOWEST.get(shape, 1.0) * size
    turns = [("0 1 0", draw.between(0, 360))]
    if draw.chance(0.2):  # lies about
        turns.insert(0, ("1 0 0", draw.between(0, 180)))
        lift = size
    stretched = (size, size * draw.between(0.6, 1.0), size) if shape in ("cube", "cylinder", "cone") else size
    scene.place(shape, material, (at[0], at[1] + lift, at[2]), stretched, turns)


def poles(scene, draw, palette, at, size):
    """A row of rods."""
    material = scene.material(materials.any_material(draw, palette, True))
    radius, count = draw.evenly(0.006, 0.03), draw.whole(3, 9)
    along = draw.chance(0.5)
    for k in range(count):
        shift = (k - count / 2) * 0.3 * size
        x, z = (at[0] + shift, at[2]) if along else (at[0], at[2] + shift)
        scene.place("cylinder", material, (x, at[1] + size, z), (radius, size, radius))


def slats(scene, draw, palette, at, size):
    """A stack of thin boards, as of a blind or shelves."""
    material = scene.material(materials.any_material(draw, palette, False))
    turn, count = draw.between(0, 360), draw.whole(3, 8)
    for k in range(count):
        height = at[1] + (0.2 + 1.6 * k / count) * size
        scene.place("cube", material, (at[0], height, at[2]), (size, 0.012 * size, 0.3 * size), [("0 1 0", turn)])


def mesh(scene, draw, palette, at, size):
    name = draw.pick(sorted(MESHES))
    if name == "glass":
        text = materials.glass(draw) if draw.chance(0.8) else materials.glossy(draw, palette)
    else:
        text = materials.any_material(draw, palette, False)
    material = scene.material(text)
    height = 2 * size
    scene.place("mesh " + name, material, (at[0], at[1] + 0.003 - MESHES[name] * height, at[2]), height,
                [("0 1 0", draw.between(0, 360))])


def any_thing(scene, draw, palette, at, size):
    kind = draw.between(0, 1)
    make = solid if kind < 0.72 else mesh if kind < 0.86 else poles if kind < 0.93 else slats
    make(scene, draw, palette, at, size)
