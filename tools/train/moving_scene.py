"""Rooms in which the camera, things and lamps move: keyframes for the scenes of room_scene."""

import math

import room_scene
from scene_text import Scene, camera_settings, numbers

FAR = 60.0  # metres below the ground, or above the ceiling, where objects aren't visible and light nothing


class MovingScene(Scene):
    """Adds keyframes to some objects while a room is being built."""

    def __init__(self, comment, draw, frames):
        super().__init__(comment)
        self.draw, self.frames, self.lamps = draw, frames, set()
        self.share = draw.pick([0.0, 0.15, 0.35, 0.6])  # of the things that move

    def material(self, text):
        name = super().material(text)
        if text.startswith("emissive"):
            self.lamps.add(name)
        return name

    def keys(self, settings):
        """Of the last object, by frame."""
        for frame in sorted(settings):
            self.add("  at %d %s" % (frame, settings[frame]))

    def switched(self, there, away):
        """From one frame to the next: off or on, or both."""
        draw, last = self.draw, self.frames - 1
        first = draw.whole(1, last)
        states = draw.pick([(there, away), (away, there)])
        keys = {0: states[0], first - 1: states[0], first: states[1]}
        if draw.chance(0.3) and first < last:
            second = draw.whole(first + 1, last)
            keys.update({second - 1: states[1], second: states[0]})
        self.keys(keys)

    def rectangle(self, material, corner, first, second):
        super().rectangle(material, corner, first, second)
        draw = self.draw
        if material not in self.lamps:
            return
        chosen = draw.between(0, 1)
        if chosen < 0.15:
            self.switched("translate 0 0 0", "translate 0 %g 0" % FAR)
        elif chosen < 0.35:  # along the ceiling, or up the wall
            along = numbers(draw.between(-0.6, 0.6) if corner[1] > 1 else 0, 0, draw.between(-0.6, 0.6))
            self.keys({0: "translate 0 0 0", self.frames - 1: "translate " + along})

    def place(self, shape, material, at, size, turns=()):
        super().place(shape, material, at, size, turns)
        draw, chosen = self.draw, self.draw.between(0, 1)
        if material in self.lamps:
            if chosen < 0.15:
                self.switched("translate " + numbers(*at), "translate " + numbers(at[0], at[1] + FAR, at[2]))
            elif chosen < 0.35:  # brighter or darker: its area changes
                self.keys({0: "scale " + numbers(size), self.frames - 1: "scale " + numbers(size * draw.evenly(0.4, 1.6))})
            elif chosen < 0.6:
                self.move(at, (), draw.evenly(0.02, 1.0))
        elif chosen < 0.04:
            self.switched("translate " + numbers(*at), "translate " + numbers(at[0], at[1] - FAR, at[2]))
        elif chosen < self.share:
            self.move(at, turns, draw.evenly(0.01, 0.8))

    def move(self, at, turns, far):
        """Along a line, or to and fro; it turns around its last axis."""
        draw, last, angle = self.draw, self.frames - 1, self.draw.between(0, 2 * math.pi)
        by = (far * math.cos(angle), draw.between(-0.3, 0.6) * far if draw.chance(0.3) else 0.0, far * math.sin(angle))
        turn = draw.evenly(2, 120) * draw.pick([-1, 1]) if turns and draw.chance(0.8) else 0.0

        def settings(share):
            rotations = "".join("  rotate %s %s" % (axis, numbers(degrees + (share * turn if k + 1 == len(turns) else 0)))
                                for k, (axis, degrees) in enumerate(turns))
            return "translate " + numbers(*(a + share * b for a, b in zip(at, by))) + rotations

        shares = {0: 0, last // 2: 1, last: 0} if draw.chance(0.3) else {0: 0, last // 2: draw.between(0.3, 0.7), last: 1}
        self.keys({frame: settings(share) for frame, share in shares.items()})


def turned(vector, angle):
    x, y, z = vector
    return math.cos(angle) * x - math.sin(angle) * z, y, math.sin(angle) * x + math.cos(angle) * z


def camera_path(draw, room, frames):
    """Eye and target of each frame: around the target or on the spot, nearer or farther, aside, by a shaking hand, or still."""
    eye, target, fov, lens = room.view()
    stands, around = draw.chance(0.15), draw.chance(0.65)
    orbit = math.radians(draw.evenly(0.05, 3.0)) * draw.pick([-1, 1])  # a frame
    dolly = draw.evenly(0.001, 0.03) * draw.pick([-1, 1])  # share of the distance
    pan, rise = [draw.between(-0.03, 0.03) for _ in range(3)], draw.between(-0.02, 0.02)
    shake = draw.evenly(0.002, 0.02) if draw.chance(0.25) else 0.0
    path = []
    for frame in range(0 if stands else frames):
        away = turned([e - t for e, t in zip(eye, target)], orbit * frame)
        e, t = ([t + a for t, a in zip(target, away)], list(target)) if around else (list(eye), [e - a for e, a in zip(eye, away)])
        e = [a + (b - a) * dolly * frame + shake * draw.between(-1, 1) for a, b in zip(e, t)]
        e[1] += rise * frame
        limits = [(-0.95 * room.half[0], 0.95 * room.half[0]), (0.1, room.height - 0.1), (-0.95 * room.half[1], 0.95 * room.half[1])]
        e = [min(max(a, least), most) for a, (least, most) in zip(e, limits)]
        path.append(camera_settings(e, [a + p * frame for a, p in zip(t, pan)], fov, lens))
    return path or [camera_settings(eye, target, fov, lens)] * frames


def make(draw, frames, comment, textures, kind, blurred, cuts):
    """(scene, settings of the camera in each frame); cuts: share of the scenes in which the picture changes to another camera"""
    room = room_scene.Room(draw, tuple(textures), MovingScene(comment, draw, frames), room_scene.KINDS[kind], blurred)
    path = camera_path(draw, room, frames)
    if draw.chance(cuts):
        cut = draw.whole(1, frames - 1)
        path = path[:cut] + camera_path(draw, room, frames)[cut:]
    return room.scene, path
