"""Describes dead-leaves pictures at random for leaves.h, which draws them: what photographs of things have without being any.

Sizes follow a power law; among the leaves are hair, text, bars, windows, branches, rings, spokes and stars."""

import ctypes
import os
import subprocess

import numpy as np

LEAF = """shape x y cosine sine width height form bend bound soft first.r first.g first.b second.r second.g second.b
    texture frequency phase duty contrast seed grain grain_frequency grain_gain shade highlight towards_x towards_y highlight_size
    alpha stretch texture_cosine texture_sine""".split()
PICTURE = "blur elongation slope slope_x slope_y clouds cloud_frequency seed tint.r tint.g tint.b".split()
SIZE = 512  # of a picture, pixels
MOST = 2600  # leaves; the last is the ground
CHILDREN = 48  # of a cluster
CLUSTERS = 27
ELLIPSE, RECTANGLE, BLOB, STROKE, RING, POLYGON, GROUND = 0, 1, 2, 3, 4, 5, 9
SHARES = [0.26, 0.22, 0.14, 0.16, 0.05, 0.17]  # of shapes
GRADIENT, NOISE, ZONE_PLATE, CELLS, FABRIC = 1, 5, 7, 11, 16
TEXTURES = np.array([10, 8, 6, 22, 20, 3, 4, 4, 6, 4, 9, 6, 4, 4, 7])  # shares of 2 to 16
HIDDEN = 9.0  # depths above that of the ground, 5
TURN = 2 * np.pi


class Draws:
    """Random numbers of one stream."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)

    def uniform(self, low, high, *shape):
        return self.random.uniform(low, high, shape or None)

    def spread(self, low, high, *shape):
        """Uniform in the logarithm."""
        return np.exp(self.uniform(np.log(low), np.log(high), *shape))

    def normal(self, deviation, *shape):
        return self.random.normal(0, deviation, shape or None)

    def whole(self, low, high, *shape):
        return self.random.randint(low, high, shape or None)

    def chance(self, share, *shape):
        return self.random.random_sample(shape or None) < share


def colours(draws, *shape):
    hue, saturation = draws.uniform(0, 1, *shape), draws.random.beta(1.1, 2.6, shape or None)
    saturation = np.where(draws.chance(0.06, *shape), draws.uniform(0.85, 1, *shape), saturation)
    pure = np.clip(np.abs((np.asarray(hue)[..., None] * 6 + np.array([0.0, 4.0, 2.0])) % 6 - 3) - 1, 0, 1)
    saturation = np.asarray(saturation)[..., None]
    return np.asarray(draws.spread(0.015, 1.1, *shape))[..., None] * (1 - saturation + saturation * pure)


def picture_of(draws):
    """All but the leaves: lens, light."""
    angle = draws.uniform(0, TURN)
    return {
        "blur": draws.uniform(0.3, 0.55) if draws.chance(0.75) else draws.uniform(0.5, 1.1),
        "elongation": draws.uniform(1, 2.5) if draws.chance(0.1) else 1.0,
        "slope": draws.uniform(0, 1.2) * draws.chance(0.7), "slope_x": np.cos(angle), "slope_y": np.sin(angle),
        "clouds": draws.uniform(0, 0.6) * draws.chance(0.5), "cloud_frequency": draws.spread(1, 8), "seed": draws.whole(0, 10000),
        **dict(zip(("tint.r", "tint.g", "tint.b"), draws.normal(0.25, 3) * draws.chance(0.4)))}


def paint(draws, n):
    """Two colours of each leaf, from one palette."""
    palette = colours(draws, 7)
    if draws.chance(0.2):
        mean = palette.mean(-1, keepdims=True)
        palette = mean + 0.15 * (palette - mean)

    def picked():
        some = palette[draws.whole(0, 7, n)] * np.exp(draws.normal(0.45, n, 1)) * np.exp(draws.normal(0.12, n, 3))
        return np.where(draws.chance(0.08, n, 1), colours(draws, n), some)

    first, which = picked(), draws.uniform(0, 1, n, 1)
    near = first * np.exp(draws.normal(0.9, n, 1)) * np.exp(draws.normal(0.08, n, 3))
    return first, np.where(which < 0.68, near, np.where(which < 0.88, picked(), colours(draws, n)))


def shapes(draws, leaf, n):
    smallest, largest = draws.spread(1, 40), draws.uniform(60, 260)
    u = draws.uniform(0, 1, n)
    size = 1 / np.sqrt(u / smallest ** 2 + (1 - u) / largest ** 2)  # its density falls with the third power
    if draws.chance(0.5):
        few = draws.whole(0, 60)
        size[:few] = draws.uniform(25, 200, few)
    kind = draws.random.choice(len(SHARES), n, p=SHARES)
    leaf["shape"], leaf["width"], leaf["height"] = kind, size, size * draws.uniform(0.2, 1, n)
    thin = (kind == STROKE) | (kind == RING)
    leaf["height"] = np.where(thin, np.minimum(draws.spread(0.35, 14, n), size * 0.4 + 0.3), leaf["height"])
    leaf["x"], leaf["y"] = draws.uniform(-20, SIZE + 20, n), draws.uniform(-20, SIZE + 20, n)
    right = draws.whole(0, 4, n) * TURN / 4 + draws.normal(0.03, n)
    leaf["angle"] = np.where(draws.chance(0.25, n), right, draws.uniform(0, TURN, n))
    leaf["form"] = np.select(
        [kind == RECTANGLE, kind == BLOB, kind == STROKE, kind == RING],
        [draws.uniform(0, 1, n) * draws.chance(0.5, n), draws.uniform(0.05, 0.35, n), draws.normal(0.25, n), draws.uniform(-1, 1, n)],
        draws.whole(3, 6, n))
    leaf["bend"] = np.select([kind == BLOB, kind == STROKE], [draws.whole(2, 6, n), draws.uniform(0, 1, n)], draws.uniform(0.3, 3, n))
    leaf["soft"] = np.minimum(np.where(draws.chance(0.8, n), 0, draws.spread(0.5, 25, n)), size * 0.8)
    leaf["depth"] = np.where(np.arange(n) < int(draws.spread(15, 2200)), draws.uniform(0, 1, n), HIDDEN)


def surfaces(draws, leaf, n):
    """Textures within leaves, grain, shading and highlights."""
    plain = np.where(draws.chance(0.5, n), GRADIENT, 0)
    of_some = draws.random.choice(np.arange(2, 2 + len(TEXTURES)), n, p=TEXTURES / TEXTURES.sum())
    texture = np.where(draws.chance(draws.uniform(0.1, 0.8), n), plain, of_some)
    period = np.where(draws.chance(0.5, n), draws.spread(2, 10, n), draws.spread(6, 60, n))
    period = np.select([texture == GRADIENT, texture == CELLS, texture == ZONE_PLATE, texture == FABRIC],
                       [2 * leaf["width"], draws.spread(0.8, 5, n), draws.spread(5, 25, n), draws.spread(1.5, 8, n)], period)
    angle = draws.uniform(0, TURN, n)
    leaf.update({
        "texture": texture, "frequency": 1 / period, "phase": draws.uniform(0, 1, n), "duty": draws.uniform(0.1, 0.9, n),
        "contrast": np.where(draws.chance(0.5, n), draws.uniform(0.3, 1, n), draws.spread(0.03, 0.5, n)),
        "seed": draws.whole(0, 100000, n), "stretch": draws.spread(0.3, 3, n), "texture_cosine": np.cos(angle), "texture_sine": np.sin(angle),
        "grain": np.where(draws.chance(0.45, n), draws.spread(0.02, 0.6, n), 0), "grain_frequency": 1 / draws.spread(3, 60, n),
        "grain_gain": draws.uniform(0.4, 0.85, n), "shade": draws.uniform(0, 0.8, n) * draws.chance(0.6, n),
        "highlight": np.where(draws.chance(0.08, n), draws.spread(0.1, 3, n), 0), "highlight_size": draws.uniform(0.05, 0.5, n),
        "alpha": np.where(draws.chance(0.92, n), 1, draws.uniform(0.2, 0.9, n))})
    towards = draws.uniform(0, TURN) + draws.normal(0.5, n) - leaf["angle"]
    leaf["towards_x"], leaf["towards_y"] = np.cos(towards), np.sin(towards)


# Clusters: children of one kind around a point. Each returns x, y, width, height, angle, form, bend, and how much brightness varies.


def hair(draws, m, i, radius, thin):
    return (draws.normal(0.5, m) * radius, draws.normal(0.5, m) * radius, draws.spread(4, 35, m), thin * 0.6 * draws.spread(0.7, 1.4, m),
            draws.normal(0.2, m), draws.normal(0.12, m), draws.uniform(0, 1, m), 0.35)


def text(draws, m, i, radius, thin):
    """Two lines of eight glyphs of three strokes."""
    size, upright = draws.spread(5, 26), draws.chance(0.5, m)
    x = (i // 3 % 8 - 3.5) * size * 0.8 + draws.whole(-1, 2, m) * 0.15 * size
    y = (i // 24 - 0.5) * size * 1.5 + draws.whole(-2, 3, m) * 0.22 * size
    return (x, y, np.where(upright, 0.4, 0.22) * size, np.full(m, max(0.06 * size, 0.3)),
            np.where(upright, TURN / 4, draws.random.choice([0.0, 0.6, -0.6], m)), draws.chance(0.3, m) * draws.normal(0.6, m), 0, 0.0)


def bars(draws, m, i, radius, thin):
    pitch = draws.spread(2.5, 18)
    return 0, (i - m / 2) * pitch, np.full(m, radius), np.full(m, pitch * draws.uniform(0.15, 0.6)), 0, 0, 0, 0.03


def windows(draws, m, i, radius, thin):
    pitch = draws.spread(2.5, 18)
    return ((i % 7 - 3) * pitch * 1.6, (i // 7 - 3) * pitch * 2.0, np.full(m, pitch * 0.55), np.full(m, pitch * 0.7), 0, draws.uniform(0, 1), 0, 0.3)


def branches(draws, m, i, radius, thin):
    return (draws.normal(0.5, m) * radius, draws.normal(0.5, m) * radius, draws.spread(8, 120, m), thin * draws.spread(0.5, 1.5, m),
            draws.uniform(0, TURN, m), draws.normal(0.15, m), draws.uniform(0, 0.9, m), 0.2)


def rings(draws, m, i, radius, thin):
    pitch = draws.spread(2.5, 18)
    return 0, 0, (i + 1) * pitch * 0.6, np.full(m, pitch * 0.15), 0, draws.uniform(-1.2, 1), 0, 0.05


def spokes(draws, m, i, radius, thin):
    angle = i * TURN / m
    return np.cos(angle) * radius / 2, np.sin(angle) * radius / 2, np.full(m, radius / 2), np.full(m, thin / 2), angle, 0, 0, 0.05


KINDS = [(hair, STROKE), (text, STROKE), (bars, RECTANGLE), (windows, RECTANGLE), (branches, STROKE), (rings, RING), (spokes, STROKE)]


def add_clusters(draws, leaf):
    """In place of the last leaves before the ground."""
    most, usual = min(int(draws.spread(0.6, CLUSTERS + 1)), CLUSTERS), draws.whole(0, len(KINDS))
    m, i = CHILDREN, np.arange(CHILDREN)
    for k in range(most):
        here = slice(MOST - 1 - (k + 1) * m, MOST - 1 - k * m)
        make, shape = KINDS[usual if draws.chance(0.7) else draws.whole(0, len(KINDS))]
        turn = draws.whole(0, 4) * TURN / 4 if draws.chance(0.4) else draws.uniform(0, TURN)
        x, y, width, height, angle, form, bend, varied = make(draws, m, i, draws.spread(15, 130), draws.spread(0.35, 2.5))
        first = leaf["first"][here.start] * np.exp(draws.normal(1, m) * varied)[:, None]
        leaf["first"][here], leaf["second"][here] = first, first * 0.6
        values = {
            "shape": shape, "x": draws.uniform(0, SIZE) + np.cos(turn) * x - np.sin(turn) * y, "y": draws.uniform(0, SIZE) + np.sin(turn) * x + np.cos(turn) * y,
            "width": np.maximum(width, 0.5), "height": np.maximum(height, 0.2), "angle": turn + angle, "form": form, "bend": bend, "soft": 0,
            "depth": draws.uniform(0, 0.9) + i * 1e-6, "texture": 0, "grain": 0, "shade": 0, "highlight": 0, "alpha": 1}
        for name, value in values.items():
            leaf[name][here] = value


def make_stars(draws, leaf, n):
    """A night sky in place of everything."""
    radius = 1 / np.sqrt(draws.uniform(0, 1, n) / 0.6 ** 2 + 1e-4)
    leaf["first"] = colours(draws, n) * draws.spread(0.03, 1.5, n, 1)
    leaf["first"][-1] = colours(draws) * 0.02
    leaf["second"] = leaf["first"] * 0.5
    leaf["second"][-1] = leaf["first"][-1] * 2
    leaf.update({"shape": np.full(n, ELLIPSE), "width": radius, "height": radius * draws.uniform(0.35, 1, n), "soft": radius * 1.6,
                 "texture": np.zeros(n), "grain": np.zeros(n), "highlight": np.zeros(n), "alpha": draws.uniform(0.2, 1, n),
                 "x": draws.uniform(0, SIZE, n), "y": draws.uniform(0, SIZE, n),
                 "depth": np.where(np.arange(n) < draws.spread(200, 2500), draws.uniform(0, 1, n), HIDDEN)})
    leaf["texture"][-1], leaf["contrast"][-1] = NOISE, 1


def lay_ground(leaf):
    values = {"shape": GROUND, "x": SIZE / 2, "y": SIZE / 2, "width": SIZE / 2, "bound": 1e4, "depth": 5.0, "soft": 0, "alpha": 1, "highlight": 0}
    for name, value in values.items():
        leaf[name][-1] = value


def bounds(leaf):
    """Radii of circles around the shapes."""
    width, height = leaf["width"], leaf["height"]
    return np.choose(np.minimum(leaf["shape"], POLYGON).astype(int), [
        np.maximum(width, height), np.hypot(width, height), width * 1.05, width * (1 + 0.6 * np.abs(leaf["form"])) + height * 2, width + height, width * 2.6])


def describe(seed):
    """(leaves, picture, how many leaves are there): float32 in the order of LEAF and PICTURE, front to back."""
    draws, n, leaf = Draws(seed), MOST, {}
    picture = picture_of(draws)
    leaf["first"], leaf["second"] = paint(draws, n)
    shapes(draws, leaf, n)
    surfaces(draws, leaf, n)
    leaf = {name: np.asarray(value, float) for name, value in leaf.items()}
    add_clusters(draws, leaf)
    if draws.chance(0.05):
        make_stars(draws, leaf, n)
    leaf["bound"] = bounds(leaf)
    lay_ground(leaf)
    leaf["cosine"], leaf["sine"] = np.cos(leaf["angle"]), np.sin(leaf["angle"])
    for name in ("first", "second"):
        for c, suffix in enumerate("rgb"):
            leaf["%s.%s" % (name, suffix)] = leaf[name][:, c]
    order = np.argsort(leaf["depth"], kind="stable")
    leaves = np.stack([leaf[name][order] for name in LEAF], 1).astype(np.float32)
    return leaves, np.array([picture[name] for name in PICTURE], np.float32), int((leaf["depth"] < HIDDEN).sum())


class Renderer:
    """Draws described pictures on PyTorch's device."""

    def __init__(self, device, folder):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "leaves.cu")
        library = os.path.join(folder, "leaves-%s-%d.so" % (device.type, os.getpid()))
        compiler = (["nvcc", "-O3", "--use_fast_math", "-arch=native", "-Xcompiler", "-fPIC"] if device.type == "cuda"
                    else ["g++", "-x", "c++", "-O3", "-march=native", "-ffast-math", "-fPIC"])
        subprocess.run(compiler + ["-shared", "-o", library, source], check=True)
        self.device, self.library = device, ctypes.CDLL(library)
        os.remove(library)

    def draw(self, leaves, pictures, counts, out):
        """leaves: (B, MOST, LEAF), pictures: (B, PICTURE), counts: (B,) int32, all of NumPy; out: (B, 3, SIZE, SIZE), half, contiguous."""
        import torch
        arrays = [torch.from_numpy(array).to(self.device) for array in (leaves, pictures, counts)]
        pointers = [ctypes.c_void_p(tensor.data_ptr()) for tensor in arrays + [out]]
        error = self.library.draw(*pointers[:3], len(leaves), leaves.shape[1], SIZE, pointers[3])
        if error:
            raise RuntimeError("CUDA's error %d while drawing pictures" % error)
