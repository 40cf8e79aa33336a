"""What history hides in denoised sequences. Arrays of frames: colours (n, h, w, 3), motion (n, h, w, 2), depth (n, h, w).

Errors to two references are multiplied: their noise is independent, so the product's mean is that of an exact reference. Scores:
  relmse    factor by which relMSE falls; `still` of the first frame
  flicker   factor by which the error of differences of frames falls, as displayed; `along` of differences along the motion
  detail    where shading moves over surfaces: share of its fine contrast that is kept
  change    there: share of its change along the motion that is kept; less than 1 where it lags
  revealed  relMSE of surfaces that the frame before doesn't show, relative to that of whole frames
  colour    error of the mean colour, of the worst channel in the worst frame"""

import numpy

LUMINANCE = numpy.array([.2126, .7152, .0722])
DARK = .02  # added to light before its logarithm
MOVES = .03  # change of shading along the motion, of its logarithm, from which on it is moving


def blurred(x, sigma):
    """Gaussian along the last two axes."""
    reach = int(3 * sigma + .5)
    kernel = numpy.exp(-.5 * (numpy.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (-2, -1):
        padding = [(0, 0)] * x.ndim
        padding[axis] = (reach, reach)
        padded = numpy.pad(x, padding, mode="edge")
        x = sum(w * numpy.take(padded, numpy.arange(k, k + x.shape[axis]), axis) for k, w in enumerate(kernel))
    return x


def display(x):
    x = numpy.maximum(x, 0)
    return (x / (1 + x)) ** (1 / 2.2)


def sampled(x, at):
    """Bilinear; at: rows and columns, clamped to the picture."""
    rows, columns = (numpy.clip(p, 0, n - 1.001) for p, n in zip(at, x.shape[:2]))
    r, c = rows.astype(int), columns.astype(int)
    fr, fc = rows - r, columns - c
    if x.ndim == 3:
        fr, fc = fr[..., None], fc[..., None]
    r1, c1 = numpy.minimum(r + 1, x.shape[0] - 1), numpy.minimum(c + 1, x.shape[1] - 1)
    return (x[r, c] * (1 - fc) + x[r, c1] * fc) * (1 - fr) + (x[r1, c] * (1 - fc) + x[r1, c1] * fc) * fr


class Sequence:
    """What all methods are compared with: two references, or twice the same one."""
    def __init__(self, a, b, planes):
        self.a, self.b = a.astype("f8"), b.astype("f8")
        self.mean = (self.a + self.b) / 2
        self.albedo = numpy.maximum(planes["albedo"].astype("f8") @ LUMINANCE, .02)
        height, width = self.mean.shape[1:3]
        rows, columns = numpy.mgrid[:height, :width].astype("f8")
        self.places = [(rows + m[..., 1], columns + m[..., 0]) for m in numpy.nan_to_num(planes["motion"].astype("f8"))]
        self.seen = self.shown_before(planes["depth"].astype("f8"), planes["normal"].astype("f8"))
        self.moving = self.moving_shading()

    def shown_before(self, depth, normal):
        """Where the frame before shows the same surface; nowhere in the first frame."""
        seen = [numpy.zeros(depth[0].shape, bool)]
        for k in range(1, len(depth)):
            inside = numpy.logical_and.reduce([(p >= 0) & (p <= n - 1) for p, n in zip(self.places[k], depth[k].shape)])
            at = tuple(numpy.clip(numpy.rint(p).astype(int), 0, n - 1) for p, n in zip(self.places[k], depth[k].shape))
            near = numpy.abs(depth[k - 1][at] - depth[k]) <= .06 * numpy.abs(depth[k])
            alike = ((normal[k - 1][at] * normal[k]).sum(-1) > .8) | (numpy.abs(normal[k]).sum(-1) < .1)
            seen.append(inside & near & alike)
        return seen

    def moving_shading(self):
        found = []
        for p, q, seen in zip(self.changes(self.a), self.changes(self.b), self.seen):
            weight = numpy.maximum(blurred(seen.astype("f8"), 3), .01)
            found.append(seen & (numpy.maximum(blurred(p * q * seen, 3) / weight, 0) ** .5 > MOVES))
        return found

    def shading(self, x):
        """Logarithm of light without textures."""
        return numpy.log(numpy.maximum(x @ LUMINANCE, 0) / self.albedo + DARK)

    def changes(self, x):
        """Of shading, along the motion; zeros in the first frame."""
        s = blurred(self.shading(x), 1)
        return numpy.stack([numpy.zeros_like(s[0])] + [s[k] - sampled(s[k - 1], self.places[k]) for k in range(1, len(s))])

    def details(self, x):
        s = self.shading(x)
        return blurred(s, .7) - blurred(s, 4)

    def rel_mse(self, x, frames, where=None):
        errors = ((x - self.a) * (x - self.b) / (self.mean ** 2 + .01)).mean(-1)
        found = numpy.concatenate([errors[k].ravel() if where is None else errors[k][where[k]] for k in frames])
        return float(found.mean()) if found.size else float("nan")

    def along(self, x, frames):
        """Mean error of differences along the motion, as displayed."""
        shown, truth = display(x), display(self.mean)
        return float(numpy.mean([numpy.abs(shown[k] - sampled(shown[k - 1], self.places[k]) - truth[k] + sampled(truth[k - 1], self.places[k]))[self.seen[k]].mean()
                                 for k in frames]))

    def kept(self, found, of, frames):
        """Of what both references show where shading moves, the share that `found` has. Noise, which they don't share, doesn't count."""
        top = sum((found[k] * (of[0][k] + of[1][k]) / 2)[self.moving[k]].sum() for k in frames)
        bottom = sum((of[0][k] * of[1][k])[self.moving[k]].sum() for k in frames)
        return float(top / bottom) if bottom > 0 else float("nan")

    def scores(self, x, noisy, first):
        """Of the frames from `first`, which is above 0; `still` is of frame 0, and `colour` of all."""
        x, noisy, frames = x.astype("f8"), noisy.astype("f8"), range(first, len(x))
        both, revealed = (self.a, self.b), [~seen for seen in self.seen]
        colours = [float(numpy.abs(x[k].mean((0, 1)) / self.mean[k].mean((0, 1)) - 1).max()) for k in range(len(x))]
        flicker = [numpy.abs(numpy.diff(display(y), axis=0) - numpy.diff(display(self.mean), axis=0))[first - 1:].mean() for y in (noisy, x)]
        error = self.rel_mse(x, frames)
        with numpy.errstate(divide="ignore"):  # infinite where nothing is wrong
            along = float(numpy.float64(self.along(noisy, frames)) / self.along(x, frames))
        return {"relmse": self.rel_mse(noisy, frames) / error, "still": self.rel_mse(noisy, [0]) / self.rel_mse(x, [0]), "flicker": float(flicker[0] / flicker[1]),
                "along": along, "detail": self.kept(self.details(x), [self.details(y) for y in both], frames),
                "change": self.kept(self.changes(x), [self.changes(y) for y in both], frames),
                "revealed": self.rel_mse(x, frames, revealed) / error, "colour": max(colours), "colours": colours}
