"""What earlier frames tell of a frame, as modules/svgf defines it (its README, 2. to 5., without gradients and ids): the pixels of the last
frame that show the same surface, and the mean over them of all frames before. Planes are (channels, height, width), float32."""

import contextlib

import torch
import torch.nn.functional as F

import transfer

FARTHEST = 1e10
NEIGHBOURS = [0, 1, 2, 3, 5, 6, 7, 8]  # of the middle of 3x3
TAPS = ((0, 0), (0, 1), (1, 0), (1, 1))  # rows and columns from the base


def luminance(colour):
    return (colour * torch.tensor(transfer.LUMINANCE, device=colour.device).view(3, 1, 1)).sum(-3, keepdim=True)


def divisor(albedo):
    """Of colours: what isn't light."""
    albedo = transfer.clean(albedo, 1.0)
    return torch.where(albedo.amax(-3, keepdim=True) < 1 / 1024, torch.ones_like(albedo), albedo.clamp(min=0.02))


def without_fireflies(light, most):
    """At most `most` times as bright as the brightest neighbour; 0: unchanged."""
    if most == 0:
        return light
    own = luminance(light)
    height, width = own.shape[-2:]
    around = F.unfold(F.pad(own[None], (1, 1, 1, 1), value=-1e30), 3).view(9, height, width)[NEIGHBOURS].amax(0)[None]
    limit = most * around.clamp(min=0)
    return torch.where((around > -1e30) & (own > limit), light * (limit / own.clamp(min=1e-30)), light)


def slope(depth):
    """The length of depth's gradient, of the smaller differences to neighbours."""
    def smaller(axis):
        steps = depth.diff(dim=axis).abs()
        missing = torch.full_like(depth.narrow(axis, 0, 1), float("inf"))
        least = torch.minimum(torch.cat([steps, missing], axis), torch.cat([missing, steps], axis))
        return torch.where(torch.isinf(least), torch.zeros_like(least), least)

    length = (smaller(-1) ** 2 + smaller(-2) ** 2).sqrt()
    return torch.minimum(torch.maximum(length, 0.0005 * depth.abs()), 0.25 * depth.abs())


def surface(albedo, normal, depth):
    """(unit normal, depth), with the normals of what emits turned around."""
    albedo, normal = transfer.clean(albedo, 1.0), normal.float()
    size = normal.norm(dim=0, keepdim=True)
    unit = torch.where(size > 1e-20, normal / size.clamp(min=1e-20), torch.tensor([0.0, 0.0, 1.0], device=normal.device).view(3, 1, 1))
    unit = torch.nan_to_num(unit)
    emits = (albedo.amax(0, keepdim=True) < 1 / 1024) | (albedo.amin(0, keepdim=True) > 0.98)
    unit = torch.where(emits & (size > 1e-20), -unit, unit)
    return unit, torch.nan_to_num(depth.float(), nan=FARTHEST, posinf=FARTHEST, neginf=-FARTHEST).clamp(-FARTHEST, FARTHEST)


def reproject(now, last, counts, motion, settings):
    """now, last: surfaces; counts: which pixels of the last frame have a history. (base, weights): the upper left pixel of 2x2, (2, h, w) rows
    and columns, and the four weights, which add up to 1, or are all 0."""
    (normal, depth), (last_normal, last_depth) = now, last
    height, width = depth.shape[-2:]
    rows, columns = torch.meshgrid(torch.arange(height, device=depth.device), torch.arange(width, device=depth.device), indexing="ij")
    x, y = columns + motion[0], rows + motion[1]
    near = (x > -1) & (x < width) & (y > -1) & (y < height)
    x, y = torch.where(near, x, torch.zeros_like(x)), torch.where(near, y, torch.zeros_like(y))
    base = torch.stack([y.floor(), x.floor()]).long()
    fy, fx = y - y.floor(), x - x.floor()
    allowed = settings["depth_tolerance"] * depth[0].abs() + 2 * slope(depth)[0]
    weights = []
    for dy, dx in TAPS:
        r, c = base[0] + dy, base[1] + dx
        inside = near & (r >= 0) & (r < height) & (c >= 0) & (c < width)
        r, c = r.clamp(0, height - 1), c.clamp(0, width - 1)
        same = ((last_depth[0, r, c] - depth[0]).abs() <= allowed) & ((last_normal[:, r, c] * normal).sum(0) >= settings["normal_tolerance"])
        weights.append((fy if dy else 1 - fy) * (fx if dx else 1 - fx) * (inside & same & counts[0, r, c]))
    weights = torch.stack(weights)
    total = weights.sum(0, keepdim=True)
    return base, torch.where(total > 0.01, weights / total.clamp(min=0.01), torch.zeros_like(weights))


def at_taps(plane, base, weights):
    """The weighted mean of a plane of the last frame."""
    height, width = plane.shape[-2:]
    return sum(plane[:, (base[0] + dy).clamp(0, height - 1), (base[1] + dx).clamp(0, width - 1)] * weights[k] for k, (dy, dx) in enumerate(TAPS))


def is_cut(weights, share):
    """More than so many of every 8th pixel have no history."""
    height, width = weights.shape[-2:]
    rows = (8 * torch.arange(-(-height // 8), device=weights.device) + 4).clamp(max=height - 1)
    columns = (8 * torch.arange(-(-width // 8), device=weights.device) + 4).clamp(max=width - 1)
    return (weights.sum(0)[rows[:, None], columns] == 0).float().mean() > share


class History:
    """Frame after frame."""

    def __init__(self, settings):
        self.settings, self.surface, self.mean, self.moments = settings, None, None, None

    def add(self, colour, albedo, normal, depth, motion):
        """(base, weights, accumulated), the last one as transfer.network_input expects it. motion: None if it is missing"""
        settings, now = self.settings, surface(albedo, normal, depth)
        there = torch.isfinite(colour).all(0, keepdim=True)
        light = without_fireflies(torch.where(there, (torch.nan_to_num(colour) / divisor(albedo)).clamp(-65504, 65504), torch.zeros_like(colour)), settings["firefly"])
        bright = luminance(light)
        if self.surface is None or motion is None:
            base, weights = torch.zeros((2,) + bright.shape[1:], dtype=torch.int64, device=colour.device), torch.zeros((4,) + bright.shape[1:], device=colour.device)
        else:
            base, weights = reproject(now, self.surface, self.moments[2:3] > 0, motion, settings)
            weights = weights * ~is_cut(weights, settings["cut_share"])
        found = weights.sum(0, keepdim=True) > 0
        if self.surface is None:
            mean, frames, average, variance = torch.zeros_like(light), *(torch.zeros_like(bright) for _ in range(3))
        else:
            mean = at_taps(self.mean, base, weights)
            average = at_taps(self.moments[:1], base, weights)
            # From the taps' variances and the differences of their means.
            variance = at_taps(self.moments[1:2] ** 2 + self.moments[:1] ** 2, base, weights) - average ** 2
            frames = (at_taps(self.moments[2:3], base, weights) + 0.513).floor()
        length = torch.where(found, (frames + there).clamp(max=settings["frames"]), there.float())
        share = torch.where(found, there / length.clamp(min=1), torch.ones_like(bright))
        off = bright - average
        mean = mean + share * (light - mean)
        variance = torch.where(found, (1 - share) * (variance.clamp(min=0) + share * off ** 2), torch.zeros_like(bright))
        average = average + share * off
        self.surface, self.mean, self.moments = now, mean, torch.cat([average, variance.sqrt().clamp(max=65504), length])
        return base, weights, torch.cat([mean * divisor(albedo), self.moments])


@contextlib.contextmanager
def any_order():
    """Without PyTorch's deterministic scatter, which sorts."""
    settings = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(settings[0], warn_only=settings[1])


class Warp(torch.autograd.Function):
    """Planes of the last frame at the taps of this one. Gradients are added as whole numbers, whose order doesn't matter: the same sums each time."""

    @staticmethod
    def forward(context, planes, index, weights):
        """planes (n, c, h, w), index (n, 4, h * w), weights (n, 4, h, w)"""
        context.save_for_backward(index, weights)
        n, c, h, w = planes.shape
        flat = planes.flatten(2)
        return sum(flat.gather(2, index[:, k:k + 1].expand(n, c, h * w)).view(n, c, h, w) * weights[:, k:k + 1] for k in range(4))

    @staticmethod
    def backward(context, gradients):
        index, weights = context.saved_tensors
        n, c, h, w = gradients.shape
        scale = 2.0 ** 40 / gradients.abs().amax().clamp(min=1e-30).double()
        sums = torch.zeros((n, c, h * w), dtype=torch.int64, device=gradients.device)
        with any_order():
            for k in range(4):
                sums.scatter_add_(2, index[:, k:k + 1].expand(n, c, h * w), ((gradients * weights[:, k:k + 1]).double() * scale).round().long().flatten(2))
        return (sums.double() / scale).to(gradients.dtype).view(n, c, h, w), None, None
