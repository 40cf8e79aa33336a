"""Lines of a scene file (modules/pathtrace/scene/README.md), and what all our scenes are put together from."""

import math


def numbers(*values):
    return " ".join("%.5g" % value for value in values)


class Scene:
    def __init__(self, comment):
        self.lines = ["# " + comment, "scene:1"]
        self.count = 0

    def add(self, line):
        self.lines.append(line)

    def name(self, kind):
        self.count += 1
        return "%s-%d" % (kind, self.count)

    def material(self, text):
        name = self.name("material")
        self.add("material %s %s" % (name, text))
        return name

    def object(self, shape, material, settings):
        self.add("object %s %s material %s  %s" % (self.name("object"), shape, material, settings))

    def rectangle(self, material, corner, first, second):
        """Its front is where the edges turn counter-clockwise."""
        self.object("rectangle", material, "corner %s  edges %s" % (numbers(*corner), numbers(*first, *second)))

    def place(self, shape, material, at, size, turns=()):
        """size: a number or three; turns: (axis, degrees)"""
        rotations = "".join("rotate %s %s  " % (axis, numbers(degrees)) for axis, degrees in turns)
        sizes = numbers(*size) if isinstance(size, tuple) else numbers(size)
        self.object(shape, material, "translate %s  %sscale %s" % (numbers(*at), rotations, sizes))

    def text(self, camera_lines):
        return "\n".join(self.lines + camera_lines) + "\n"


def around(centre, distance, degrees, height):
    angle = math.radians(degrees)
    return (centre[0] + distance * math.cos(angle), height, centre[2] + distance * math.sin(angle))


def camera_settings(eye, target, fov, lens=""):
    return "eye %s  target %s  fov %s%s" % (numbers(*eye), numbers(*target), numbers(fov), lens)


def camera_lines(views, repeats):
    """A camera that shows each view for so many frames and then jumps to the next. views: texts of camera_settings."""
    lines = ["camera " + views[0]]
    for frame in range(len(views) * repeats):
        lines.append("  at %d %s" % (frame, views[frame // repeats]))
    return lines
