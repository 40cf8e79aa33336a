#!/usr/bin/env python3
"""How well weights denoise the held-out scenes of a folder: evaluate.py WEIGHTS.safetensors --data DIR [--pictures DIR]"""

import argparse

import torch

import dataset
import description as describing
import judge_sequences
import metrics
import network as networks
import pictures


def evaluate(path, data, device, picture_folder=None):
    """A result for each existing number of samples, printed."""
    network = networks.load(path).to(device).eval()
    if describing.is_temporal(network.description):
        return judge_sequences.evaluate(network, data, device)
    held_out = dataset.load(data, True, network.description["exposure"], device)
    results = [metrics.evaluate(network, held_out, samples) for samples in sorted(set(held_out.samples.tolist()))]
    for result in results:
        print(metrics.table(result), flush=True)
    if picture_folder:
        pictures.write(network, held_out, picture_folder, network.description["name"])
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights")
    parser.add_argument("--data", required=True, help="a folder that render.py has filled")
    parser.add_argument("--pictures", metavar="DIR", help="held-out scenes as PNG: noisy, denoised, reference")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    evaluate(arguments.weights, arguments.data, torch.device(arguments.device), arguments.pictures)
