"""Held-out scenes to look at: noisy, denoised and reference beside each other."""

import os

import numpy

import metrics
import textures


def on_screen(colour):
    """(3, h, w) linear to (h, w, 3) bytes on the curve of sRGB."""
    x = colour.clamp(0, 1)
    curve = (12.92 * x).where(x <= 0.0031308, 1.055 * x.clamp(min=1e-8) ** (1 / 2.4) - 0.055)
    return (255 * curve + 0.5).permute(1, 2, 0).cpu().numpy().astype(numpy.uint8)


def write(network, held_out, folder, name, samples=4):
    """SCENE-NAME.png for each scene."""
    os.makedirs(folder, exist_ok=True)
    for scene, planes, factor, reference in metrics.held_out_pictures(held_out, samples):
        shown = 0.18 / max(reference.mean().item(), 1e-6)
        row = [on_screen(colour * shown) for colour in (planes["colour"], metrics.denoise(network, planes, factor), reference)]
        textures.write_png(os.path.join(folder, "%s-%s.png" % (scene, name)), numpy.concatenate(row, 1))
