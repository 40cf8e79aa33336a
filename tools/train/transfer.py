"""From planes of a render to the network's input, and from its output to colours. README.md has the formulas; all is float32, and planes are
(..., channels, height, width)."""

import math

import torch
import torch.nn.functional as F

LUMINANCE = (0.2126, 0.7152, 0.0722)


def clean(x, most):
    """NaN and negative values become 0, infinity the largest value."""
    return torch.nan_to_num(x.float(), nan=0.0, posinf=most, neginf=0.0).clamp(0, most)


def exposure(colour, settings):
    """Factor of a whole picture (3, h, w), from the logarithmic average of the luminance in blocks."""
    if settings["kind"] == "none":
        return 1.0
    weights = torch.tensor(LUMINANCE, device=colour.device).view(3, 1, 1)
    luminance = (clean(colour, 65504.0) * weights).sum(0)[None, None]
    means = F.avg_pool2d(luminance, settings["block"], ceil_mode=True, count_include_pad=False).double()
    lit = means[means > settings["least"]]
    return settings["key"] / math.exp(lit.log().mean().item()) if lit.numel() else 1.0


def depth_feature(depth):
    """(1, h, w) to [0, 1]: d / (d + D), D the harmonic mean. What isn't finite and above 0 is infinitely far: 1."""
    inverse = torch.where(torch.isfinite(depth) & (depth > 0), 1 / depth.float(), torch.zeros_like(depth, dtype=torch.float32))
    mean = inverse.double().mean().float()
    return torch.where(inverse > 0, mean / (mean + inverse), torch.ones_like(inverse))


def encode(x, settings):
    scale = settings["scale"]
    return torch.log1p(scale * x.clamp(0, settings["maximum"])) / math.log1p(scale)


def decode(y, settings):
    scale = settings["scale"]
    most = math.log1p(scale * settings["maximum"]) / math.log1p(scale)
    return torch.expm1(y.clamp(0, most) * math.log1p(scale)) / scale


def divisor(albedo, description):
    """What colours are divided by before the network and multiplied by after it; None: nothing."""
    settings = description["demodulate"]
    return None if settings is None else albedo.clamp(min=settings["least"])


def doubts(moments, factor):
    """Of an accumulated colour: how far off its mean luminance may be, relative to it, from 0 to 1; and 1 / frames."""
    mean, deviation, frames = moments.split(1, -3)
    least = frames.clamp(min=1)
    relative = (deviation * factor / least.sqrt() / (mean.clamp(min=0) * factor + 1e-3) / 4).clamp(0, 1)
    return torch.cat([torch.where(frames < 2, torch.ones_like(relative), relative), 1 / least], -3)


def mixed(y, planes, factor, description):
    """The network's colours mixed with those that the description names, on the curve. What has no history isn't taken from it."""
    settings, others, past = description["transfer"], dict(planes), planes.get("warped")
    if past is not None:
        others.update(warped=past[..., :3, :, :], relit=past[..., 3:6, :, :])
    logits, colours = [torch.zeros_like(y[..., :1, :, :])], [y[..., :3, :, :]]
    for k, name in enumerate(description["mix"]):
        logit = y[..., 3 + k:4 + k, :, :]
        logits.append(torch.where(past[..., 6:, :, :] > 0, logit, torch.full_like(logit, -1e4)) if name in ("warped", "relit") else logit)
        colours.append(encode(clean(others[name], 65504.0) * factor, settings))
    shares = torch.cat(logits, -3).softmax(-3)
    return sum(shares[..., k:k + 1, :, :] * colour for k, colour in enumerate(colours))


def network_input(planes, factor, description):
    """planes: colour, and by name what the description asks for: albedo, normal, depth (as depth_feature has it); accumulated (colour, then mean,
    deviation and number of frames of its luminance), warped (the last output, the same relit, and 1 where there is history), filtered."""
    settings = description["transfer"]
    colour = clean(planes["colour"], 65504.0) * factor
    ready = dict(planes)
    if "albedo" in planes:
        ready["albedo"] = clean(planes["albedo"], 1.0)
    if "normal" in planes:
        ready["normal"] = torch.nan_to_num(planes["normal"].float(), nan=0.0, posinf=1.0, neginf=-1.0).clamp(-1, 1)
    below = divisor(ready.get("albedo"), description)
    ready["colour"] = encode(colour if below is None else colour / below, settings)
    if "accumulated" in planes:
        past = planes["accumulated"]
        ready["accumulated"] = torch.cat([encode(past[..., :3, :, :] * factor, settings), doubts(past[..., 3:, :, :], factor)], -3)
    if "warped" in planes:
        past = planes["warped"]
        ready["warped"] = torch.cat([encode(past[..., :6, :, :] * factor, settings), past[..., 6:, :, :]], -3)
    if "filtered" in planes:
        ready["filtered"] = encode(clean(planes["filtered"], 65504.0) * factor, settings)
    return torch.cat([ready[entry["plane"]].float() for entry in description["input"]], -3)


def network_output(y, planes, description, factor=1.0):
    """Exposed colours: the caller divides by the exposure. factor: of the planes, as for network_input; it matters where they are mixed in."""
    if "mix" in description:
        y = mixed(y, planes, factor, description)
    colour = decode(y, description["transfer"])
    below = divisor(clean(planes["albedo"], 1.0) if "albedo" in planes else None, description)
    return colour if below is None else colour * below
