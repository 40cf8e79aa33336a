"""Quality on held-out scenes, as `lacuna compare` measures it."""

import math

import torch

import description as describing
import network as networks
import scenes
import transfer


def rel_mse(a, b):
    return ((a - b) ** 2 / (b * b + 0.01)).mean().item()


def fireflies(colour, reference):
    """Pixels over 4 times as bright as the brightest of the reference's 5x5 pixels around them."""
    brightest = torch.nn.functional.max_pool2d(reference.amax(0)[None], 5, 1, 2)[0]
    return int((colour.amax(0) > 4 * brightest + 0.1).sum())


def denoise(network, planes, factor):
    """A whole picture: planes (c, h, w) by name, colour without its exposure, depth as returned by transfer.depth_feature."""
    settings = network.description
    x = networks.pad(transfer.network_input(planes, factor, settings)[None], describing.multiple(settings))
    device = x.device.type
    with torch.no_grad(), torch.autocast(device, torch.float16 if device == "cuda" else torch.bfloat16, enabled=device == "cuda"):
        y = network(x)
    height, width = planes["colour"].shape[1:]
    return transfer.network_output(y[0, :, :height, :width].float(), planes, settings, factor) / factor


def held_out_pictures(pictures, samples):
    """The first picture of each view with so many samples: (scene, planes, exposure, reference), radiance in the scene's own scale."""
    seen = set()
    for k in range(len(pictures.colour)):
        view = int(pictures.view[k])
        if view in seen or int(pictures.samples[k]) != samples:
            continue
        seen.add(view)
        factor = pictures.exposure[k].item()
        planes = {name: getattr(pictures, name)[k].float().permute(2, 0, 1) for name in ("colour", "albedo", "normal")}
        planes["colour"] = planes["colour"] / factor
        planes["depth"] = pictures.depth[view].float().permute(2, 0, 1)
        yield pictures.scenes[view], planes, factor, pictures.reference[view].float().permute(2, 0, 1) * pictures.scale[view]


def by_kind(rows, number):
    """The geometric mean of a number of the rows, by kind of scene."""
    kinds = sorted({scenes.kind_of(row["scene"]) for row in rows})
    logs = {kind: [math.log(number(row)) for row in rows if scenes.kind_of(row["scene"]) == kind] for kind in kinds}
    return {kind: math.exp(sum(values) / len(values)) for kind, values in logs.items()}


def evaluate(network, pictures, samples=4):
    """A row a scene, and geometric means of how many times relMSE fell."""
    rows = []
    for scene, planes, factor, reference in held_out_pictures(pictures, samples):
        result = denoise(network, planes, factor)
        before, after = rel_mse(planes["colour"], reference), rel_mse(result, reference)
        rows.append({"scene": scene, "noisy": before, "denoised": after, "ratio": before / after,
                     "mean": (result.mean() / reference.mean()).item(), "fireflies": fireflies(result, reference),
                     "fireflies_noisy": fireflies(planes["colour"], reference)})
    return {"samples": samples, "ratios": by_kind(rows, lambda row: row["ratio"]), "scenes": rows}


def table(result):
    lines = ["%-14s %9s %9s %8s %10s %9s" % ("scene", "noisy", "denoised", "ratio", "mean", "fireflies")]
    for row in result["scenes"]:
        lines.append("%-14s %9.5f %9.5f %8.2f %+9.2f%% %4d %4d" % (row["scene"], row["noisy"], row["denoised"], row["ratio"],
                                                                    100 * (row["mean"] - 1), row["fireflies_noisy"], row["fireflies"]))
    lines += ["geometric mean of the ratios of %s at %d samples: %.2f" % (scenes.title(kind), result["samples"], ratio)
              for kind, ratio in result["ratios"].items()]
    return "\n".join(lines)
