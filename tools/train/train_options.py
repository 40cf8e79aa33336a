"""The command line of train.py."""

import argparse

import torch

import description as describing
from presets import PRESETS


def parse(doc):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(PRESETS))
    parser.add_argument("--features", choices=sorted(describing.FEATURES), required=True)
    parser.add_argument("--data", required=True, help="a folder that render.py has filled")
    parser.add_argument("--out", required=True, help="the weights, FILE.safetensors; FILE.checkpoint and FILE.json lie beside it")
    parser.add_argument("--demodulate", type=float, metavar="ALBEDO",
                        help="divide colours by the albedo, by at least this; default: never")
    parser.add_argument("--steps", type=int, help="default: the preset's")
    parser.add_argument("--epochs", type=int, help="of a preset with a fixed number of tiles, in place of --steps")
    parser.add_argument("--minutes", type=float, help="train for so long, in place of --steps")
    parser.add_argument("--stop", type=int, metavar="STEP", help="end there with a checkpoint and no weights; the rate falls as without it")
    parser.add_argument("--resume", metavar="CHECKPOINT")
    parser.add_argument("--begin", metavar="WEIGHTS", help="begin with the weights of a network with the same layers")
    parser.add_argument("--keep", type=float, default=0.0, metavar="SHARE", help="of the weights at the beginning, in those at the end (0)")
    parser.add_argument("--temporal", type=float, default=3.0, help="of sequences: the share of flicker in the loss (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--pictures", metavar="DIR", help="held-out scenes as PNG: noisy, denoised, reference")
    arguments = parser.parse_args()
    preset = PRESETS[arguments.preset]
    if arguments.epochs and not preset.tiles:
        parser.error("--epochs is %d, but preset %s cuts new tiles each step; --steps counts them" % (arguments.epochs, arguments.preset))
    if sum(map(bool, (arguments.epochs, arguments.steps, arguments.minutes))) > 1:
        parser.error("--epochs, --steps and --minutes exclude each other")
    if arguments.epochs:
        arguments.steps = arguments.epochs * -(-preset.tiles // preset.batch)
    arguments.steps = arguments.steps or preset.steps
    if arguments.demodulate is not None and not arguments.demodulate > 0:
        parser.error("--demodulate is %g, but must be above 0; leave it out for never" % arguments.demodulate)
    if arguments.demodulate and "albedo" not in dict(describing.FEATURES[arguments.features]):
        parser.error("--demodulate needs --features with albedo, such as rgb-and")
    if (describing.PAST[0] in describing.FEATURES[arguments.features]) != (preset.frames > 0):
        parser.error("--features is %s, but preset %s has %s" % (arguments.features, arguments.preset, "sequences" if preset.frames else "stills"))
    is_study = arguments.preset == "study"
    layers = describing.study_layers() if is_study else describing.residual_layers()
    arguments.description = describing.describe(arguments.features, arguments.demodulate, layers, not is_study and arguments.demodulate is None)
    return arguments, preset
