"""Our own scenes: rooms with coloured and textured walls, lit by small and large lamps, windows or the sky, and places in
the open; diffuse, glossy, mirroring and glass things, solid and thin."""

from dataclasses import dataclass, replace

import materials
import things
from scene_text import Scene, camera_settings, numbers


@dataclass(frozen=True)
class Kind:
    """Shares of the rooms of a kind, or of their surfaces."""
    bare: float = 0.2  # rooms without any texture
    open: float = 0.3
    glossy: float = 0.25  # of floors, walls and tables
    palette: materials.Palette = materials.Palette()


# Details of fine textures are about as wide as a pixel: a few samples of them are noisy in themselves.
FINE = materials.Palette(plain=0.3, repeats=(2, 32), squares=(6, 100))
KINDS = {"": Kind(), "fine": Kind(bare=0.0, open=0.15, glossy=0.45, palette=FINE)}


class Room:
    def __init__(self, draw, textures, scene, kind, blurred):
        """scene: a Scene without lines of objects"""
        self.draw, self.kind, self.blurred = draw, kind, blurred
        self.palette = replace(kind.palette, textures=() if draw.chance(kind.bare) else textures)
        self.scene = scene
        for name in things.MESHES:
            self.scene.add('mesh %s "%s.obj"' % (name, name))
        self.open = draw.chance(kind.open)
        self.half = (draw.between(2, 4), draw.between(2, 4))  # in x and z, metres
        self.height = draw.between(2.3, 3.5)
        self.bright = draw.evenly(0.3, 10)  # the amount of light: pictures of all exposures
        self.missing = None  # the wall that lets the sky in
        self.ground()
        if not self.open:
            self.walls()
        self.lights()
        self.content()

    def surface(self, textured):
        make = materials.glossy if self.draw.chance(self.kind.glossy) else materials.diffuse
        return self.scene.material(make(self.draw, self.palette, textured))

    def ground(self):
        x, z = (8, 8) if self.open else self.half
        self.scene.rectangle(self.surface(0.6), (-x, 0, -z), (0, 0, 2 * z), (2 * x, 0, 0))

    def walls(self):
        draw, (x, z), h = self.draw, self.half, self.height
        self.missing = draw.whole(0, 3) if draw.chance(0.25) else None
        corners = [(-x, 0, -z), (x, 0, -z), (x, 0, z), (-x, 0, z)]
        plain = self.scene.material("diffuse albedo " + numbers(*draw.grey(0.5, 0.85)))
        for k, corner in enumerate(corners):
            after = corners[(k + 1) % 4]
            if k != self.missing:
                material = plain if draw.chance(0.5 * self.kind.palette.plain) else self.surface(0.35)
                self.scene.rectangle(material, corner, [b - a for a, b in zip(corner, after)], (0, h, 0))
        self.scene.rectangle(plain, (-x, h, -z), (2 * x, 0, 0), (0, 0, 2 * z))

    def lights(self):
        draw, scene = self.draw, self.scene
        sky = self.open or self.missing is not None
        if sky:
            blue = draw.between(0.7, 1.2)
            level = self.bright * draw.evenly(0.1, 1.0)
            scene.add("background " + numbers(level * (2 - blue), level, level * blue))
        else:
            scene.add("background 0")
        for _ in range(draw.whole(0, 2) if sky else draw.whole(1, 4)):
            draw.pick([self.panel, self.panel, self.bulb, self.window])()

    def panel(self):
        draw = self.draw
        height = draw.between(2.5, 4.0) if self.open else self.height
        width, length = draw.evenly(0.2, 2.0), draw.evenly(0.2, 2.0)
        lamp = self.scene.material(materials.emissive(draw, 3 * self.bright * draw.evenly(0.5, 2) / (width * length)))
        corner = [draw.between(-0.8, 0.8) * h - s / 2 for h, s in zip(self.half, (width, length))]
        self.scene.rectangle(lamp, (corner[0], height - 0.01, corner[1]), (width, 0, 0), (0, 0, length))

    def bulb(self):
        draw, radius = self.draw, self.draw.evenly(0.03, 0.2)
        lamp = self.scene.material(materials.emissive(draw, 0.6 * self.bright * draw.evenly(0.5, 2) / radius ** 2))
        at = [draw.between(-0.8, 0.8) * h for h in self.half]
        self.scene.place("sphere", lamp, (at[0], draw.between(0.8, 0.95) * self.height, at[1]), radius)

    def window(self):
        """A bright rectangle that stands just inside the wall at the left."""
        draw, (x, z) = self.draw, self.half
        width, height = draw.between(0.5, 2.0), draw.between(0.5, 1.2)
        lamp = self.scene.material(materials.emissive(draw, 3 * self.bright * draw.evenly(0.5, 2) / (width * height)))
        self.scene.rectangle(lamp, (-x + 0.02, 0.8, draw.between(-0.5, 0.5) * z), (0, height, 0), (0, 0, width))

    def content(self):
        draw, scene = self.draw, self.scene
        spread = [min(0.8 * h, 2.0) for h in self.half]
        ground = 0.0
        if draw.chance(0.35):  # all stands on a table, small
            ground = draw.between(0.6, 0.9)
            scene.place("cube", self.surface(0.6), (0, ground - 0.03, 0), (0.9, 0.03, 0.6))
            spread = [0.75, 0.45]
        self.centre = (0, ground, 0)
        self.spread = max(spread)
        for _ in range(draw.whole(6, 14)):
            at = (draw.between(-1, 1) * spread[0], ground, draw.between(-1, 1) * spread[1])
            size = draw.between(0.06, 0.22) if ground else draw.between(0.12, 0.5)
            things.any_thing(scene, draw, self.palette, at, size)

    def view(self):
        """Eye, target, field of view and lens of a camera inside the room, towards the things."""
        draw = self.draw
        reach = [0.92 * h for h in self.half]
        eye = (reach[0], 1.5, reach[1])
        for _ in range(20):  # until it is neither inside an object nor far off
            eye = (draw.between(-1, 1) * reach[0], self.centre[1] + draw.between(0.25, 1.4), draw.between(-1, 1) * reach[1])
            away = (eye[0] ** 2 + eye[2] ** 2) ** 0.5
            if 1.1 * self.spread < away < 2.5 * self.spread + 0.8:
                break
        target = tuple(c + s for c, s in zip(self.centre, (draw.between(-0.4, 0.4) * self.spread, draw.between(0, 0.5) * self.spread,
                                                           draw.between(-0.4, 0.4) * self.spread)))
        lens = "  aperture %s" % numbers(draw.evenly(0.003, 0.02)) if draw.chance(self.blurred) else ""
        return eye, target, draw.between(30, 65), lens

    def camera(self):
        return camera_settings(*self.view())


def make(draw, views, comment, textures, kind, blurred):
    """(scene, texts of the cameras' settings); kind: a key of KINDS; blurred: share of cameras with a lens, whose albedo and normals are
    noisy"""
    room = Room(draw, tuple(textures), Scene(comment), KINDS[kind], blurred)
    return room.scene, [room.camera() for _ in range(views)]
