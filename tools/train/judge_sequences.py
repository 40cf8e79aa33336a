"""How well a network denoises held-out sequences, beside svgf: each frame with what the frames before it left."""

import json
import math
import os

import torch
import torch.nn.functional as F

import description as describing
import history_measures
import metrics
import network as networks
import sequences
import transfer

LEAD_IN = 4  # frames that aren't judged


@torch.no_grad()
def denoised(network, frames):
    """Colours (frames, 3, h, w) of a sequence as sequences.frames_of has it."""
    settings, colours, last = network.description, [], None
    exposures = sequences.with_history(frames, settings)
    for frame, exposure in zip(frames, exposures):
        height, width = frame["depth"].shape[-2:]
        planes = {name: frame[name][None] for name in ("colour", "normal", "filtered", "accumulated")}
        planes.update(albedo=transfer.clean(frame["albedo"], 1.0)[None], depth=transfer.depth_feature(frame["depth"])[None])
        index = torch.stack([(frame["base"][0] + dy).clamp(0, height - 1) * width + (frame["base"][1] + dx).clamp(0, width - 1)
                             for dy, dx in sequences.history.TAPS]).flatten(1)[None]
        last = last or (planes["colour"], planes["albedo"])

        def results(x):
            is_gpu = x.device.type == "cuda"
            with torch.autocast(x.device.type, torch.float16 if is_gpu else torch.bfloat16, enabled=is_gpu):
                return network(networks.pad(x, describing.multiple(settings)))[..., :height, :width].float()

        _, colour = sequences.denoise(network, planes, exposure, (last, index, frame["weights"][None]), results)
        colours.append(colour.clamp(max=65504.0))
        last = colours[-1], planes["albedo"]
    return torch.cat(colours)


def display(x):
    return (x.clamp(min=0) / (1 + x.clamp(min=0))) ** (1 / 2.2)


def ssim(x, y):
    """Wang et al. 2004, Image Quality Assessment: of the components' mean."""
    steps = torch.arange(-5, 6, device=x.device, dtype=torch.float64)
    kernel = torch.exp(-0.5 * (steps / 1.5) ** 2)
    kernel = kernel / kernel.sum()

    def blurred(z):
        return F.conv2d(F.conv2d(z[None, None], kernel.view(1, 1, -1, 1)), kernel.view(1, 1, 1, -1))[0, 0]

    x, y = x.mean(0), y.mean(0)
    a, b = blurred(x), blurred(y)
    of_x, of_y, both = blurred(x * x) - a * a, blurred(y * y) - b * b, blurred(x * y) - a * b
    return (((2 * a * b + 1e-4) * (2 * both + 9e-4)) / ((a * a + b * b + 1e-4) * (of_x + of_y + 9e-4))).mean().item()


def flicker(made, reference):
    """Mean error of the differences of frames."""
    return (made.diff(dim=0) - reference.diff(dim=0)).abs().mean().item()


def score(made, noisy, reference):
    """How many times relMSE and flicker fell; SSIM; mean colour relative to the reference's."""
    made, noisy, reference = (x.double() for x in (made, noisy, reference))
    shown = [display(x) for x in (made, noisy, reference)]
    return {"relmse": metrics.rel_mse(noisy, reference) / metrics.rel_mse(made, reference),
            "ssim": sum(ssim(a, b) for a, b in zip(shown[0], shown[2])) / len(made),
            "temporal": flicker(shown[1], shown[2]) / flicker(shown[0], shown[2]), "mean": (made.mean() / reference.mean()).item()}


def hidden(made, frames):
    """What history hides: history_measures.py, with one reference. It must have many samples."""
    def array(plane):
        return torch.stack([frame[plane] for frame in frames]).cpu().numpy()

    colours = {name: array(name).transpose(0, 2, 3, 1) for name in ("colour", "reference", "albedo", "normal", "motion")}
    truth = history_measures.Sequence(colours["reference"], colours["reference"], {**colours, "depth": array("depth")[:, 0]})
    return truth.scores(made.cpu().numpy().transpose(0, 2, 3, 1), colours["colour"], max(1, min(LEAD_IN, len(frames) - 2)))


def evaluate(network, folder, device):
    """A row for each held-out sequence; printed with geometric means."""
    with open(os.path.join(folder, "index.json")) as file:
        names = [entry["scene"] for entry in json.load(file)["scenes"] if entry["held_out"]]
    rows = []
    for name in sorted(names):
        frames = sequences.frames_of(os.path.join(folder, name), device)
        whole = {plane: torch.stack([frame[plane] for frame in frames]) for plane in sequences.COLOURS}
        made = denoised(network, frames)
        rows.append({"scene": name, "first": score(made[:2], whole["colour"][:2], whole["reference"][:2])["relmse"]})
        first = min(LEAD_IN, len(made) - 2)
        for method, colours in (("network", made), ("svgf", whole["filtered"])):
            rows[-1][method] = score(*(x[first:] for x in (colours, whole["colour"], whole["reference"])))
        for method, colours in (("network", made), ("svgf", whole["filtered"])):
            rows[-1]["hidden by " + method] = scores = hidden(colours, frames)
            print("%-14s" % name, method, " ".join("%s %.2f" % (key, scores[key]) for key in ("along", "detail", "change", "revealed")),
                  "colour %.1f%%" % (100 * scores["colour"]), flush=True)
        print("%-14s" % name, " | ".join("%s %6.1f %.3f %5.2f %+5.1f%%" % (method, *list(rows[-1][method].values())[:3], 100 * (rows[-1][method]["mean"] - 1))
                                         for method in ("network", "svgf")), "| first two %.1f" % rows[-1]["first"], flush=True)
    for method in ("network", "svgf"):
        means = [math.exp(sum(math.log(row[method][key]) for row in rows) / len(rows)) for key in ("relmse", "ssim", "temporal")]
        print("geometric means of %s: relMSE %.1f times lower, SSIM %.4f, flicker %.2f times lower" % (method, *means), flush=True)
    return rows
