#!/usr/bin/env python3
"""The U-Net of Vannson 2023 by PyTorch and cuDNN, by the method of `lacuna bench unet`; beside ours, in one run.

  tools/bench/unet_torch.py                                        # PyTorch alone
  tools/bench/unet_torch.py --lacuna build/release/lacuna          # and ours, with the ratios
  tools/bench/unet_torch.py --size 1024x1024 --runs 5 --lacuna build/release/lacuna -- --schedule matrices

fp16, channels last, the fastest of cuDNN's algorithms, in a CUDA graph: the network alone, without what brings a
picture into its input and back. Needs PyTorch with CUDA. What follows `--` goes to `lacuna bench unet`.
"""

import argparse
import json
import statistics
import subprocess
import sys

import torch_graph
from torch_graph import SPAN_MS, torch

WRONG = 1  # exit code of `lacuna bench unet`: some candidates compute another picture, and were not timed
MULTIPLE = 32  # sizes are extended to multiples of it
STUDY_PARAMETERS = 861093
# Channels that come in, then those of convolutions 0 to 5; convolutions 6 to 15 follow from them.
CHANNELS = {"study": (7, (32, 43, 57, 76, 101, 101)), "padded": (8, (32, 48, 64, 80, 112, 112))}


def size(word):
    try:
        found = tuple(int(side) for side in word.split("x"))
    except ValueError:
        found = ()
    if len(found) != 2 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"'{word}': expected WIDTHxHEIGHT, such as 1920x1080")
    return found


def read_arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", action="append", type=size, default=[], help="WIDTHxHEIGHT (may repeat; default: "
                        "1024x1024 and 1920x1080)")
    parser.add_argument("--runs", type=int, default=20, help="timed runs, of which the median counts (default: 20)")
    parser.add_argument("--preheat", type=float, default=200.0, help="milliseconds of work before, at least (200)")
    parser.add_argument("--lacuna", metavar="PROGRAM", help="measure `PROGRAM bench unet` between two runs of PyTorch")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.lacuna_options = words[at + 1:]
    if arguments.runs < 1 or arguments.preheat < 0:
        parser.error("--runs and --preheat: expected positive numbers")
    if arguments.lacuna_options and not arguments.lacuna:
        parser.error("options after -- are for --lacuna, which is not given")
    arguments.sizes = arguments.size or [(1024, 1024), (1920, 1080)]
    return arguments


class Unet(torch.nn.Module):
    """The study's figure 2, with ReLU behind all layers but the last."""

    def __init__(self, inputs, channels):
        super().__init__()
        self.encoder, self.decoder = torch.nn.ModuleList(), torch.nn.ModuleList()
        before = inputs
        for outputs in channels:
            self.encoder.append(torch.nn.Conv2d(before, outputs, 3, padding=1))
            before = outputs
        for skip in reversed(channels[:-1]):
            self.decoder.append(torch.nn.Conv2d(before + skip, skip, 3, padding=1))
            before = skip if skip != channels[0] else 3
            self.decoder.append(torch.nn.Conv2d(skip, before, 3, padding=1))

    def forward(self, x):
        skips = []
        for i, convolution in enumerate(self.encoder):
            if i > 0:
                skips.append(x)
                x = torch.nn.functional.max_pool2d(x, 2)
            x = torch.relu(convolution(x))
        for i, convolution in enumerate(self.decoder):
            if i % 2 == 0:
                x = torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")
                x = torch.cat([x, skips.pop()], 1)
            x = convolution(x)
            if i + 1 < len(self.decoder):
                x = torch.relu(x)
        return x


def made(kind):
    """The network, on the CPU in float32; the same weights each time."""
    torch.manual_seed(1)
    network = Unet(*CHANNELS[kind]).eval()
    for weights in network.parameters():
        if weights.dim() == 4:
            torch.nn.init.kaiming_normal_(weights, nonlinearity="relu")
    return network


def operations(network, width, height):
    """A multiply-add counts as two."""
    counts = []
    hooks = [module.register_forward_hook(
        lambda module, _, out: counts.append(2 * 9 * module.in_channels * out.shape[1] * out.shape[2] * out.shape[3]))
        for module in network.modules() if isinstance(module, torch.nn.Conv2d)]
    with torch.no_grad():
        network(torch.zeros(1, network.encoder[0].in_channels, MULTIPLE, MULTIPLE))
    for hook in hooks:
        hook.remove()
    return sum(counts) * (width / MULTIPLE) * (height / MULTIPLE)


def extended(side):
    return -(-side // MULTIPLE) * MULTIPLE


class Inference(torch_graph.TimedGraph):
    """One picture through the network, many times."""

    def __init__(self, kind, width, height):
        self.network = made(kind).cuda().half().to(memory_format=torch.channels_last)
        inputs = CHANNELS[kind][0]
        x = torch.rand(1, inputs, extended(height), extended(width), device="cuda").half()
        self.x = x.to(memory_format=torch.channels_last)
        super().__init__()

    def work(self):
        with torch.no_grad():
            self.y = self.network(self.x)

    def error(self):
        """Of a corner of the picture, relative to float32 (Frobenius)."""
        corner = self.x[:, :, :256, :256].contiguous(memory_format=torch.channels_last)
        with torch.no_grad():
            found = self.network(corner).float()
            expected = self.network.float()(corner.float())
            self.network.half()
        return float((found - expected).norm() / expected.norm())


def measure_torch(kind, width, height, runs, preheat_ms):
    inference = Inference(kind, width, height)
    inference.long_run()
    torch_graph.preheat(inference.run, preheat_ms)
    times = []
    for _ in range(runs):
        span = inference.long_run()
        times.append(span / inference.times)
    ms, clock = statistics.median(times), torch_graph.clock_under_load(inference)
    error = inference.error()
    if not error <= 1e-2:  # NaN is wrong, too
        sys.exit(f"unet_torch.py: {width}x{height}: PyTorch's fp16 is off by {error:.1e}, expected 1e-2 at most")
    done = operations(made(kind), extended(width), extended(height))
    del inference
    torch.cuda.empty_cache()  # for the other program
    return {"ms": ms, "leastMs": min(times), "mostMs": max(times), "operations": done,
            "operationsPerSecond": done / (ms * 1e-3), "error": error, "clockMHz": clock}


def measure_lacuna(arguments, width, height):
    """Its report, and whether some candidates were wrong."""
    command = [arguments.lacuna, "bench", "unet", "--json", "--size", f"{width}x{height}", "--runs", str(arguments.runs),
               "--preheat", str(arguments.preheat), *arguments.lacuna_options]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    except OSError as error:
        sys.exit(f"unet_torch.py: --lacuna {arguments.lacuna}: {error.strerror}")
    if done.returncode not in (0, WRONG) or not done.stdout:
        sys.exit(f"unet_torch.py: {' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout), done.returncode == WRONG


def rows_of(report):
    return [row for table in report["tables"] for row in table["rows"] if "ms" in row]


def print_result(result):
    name = f"{result['width']}x{result['height']}"
    for kind in CHANNELS:
        figures = [measured[kind] for measured in result["torch"]]
        for turn, each in zip(("", ", after ours"), figures):
            print(f"{name + ', PyTorch, ' + kind + turn:<44} {each['ms']:9.5f} {each['operationsPerSecond'] * 1e-12:8.1f} "
                  f"{each['clockMHz'] or '-':>6} {100 * (each['mostMs'] - each['leastMs']) / each['ms']:6.1f}")
    for row in rows_of(result.get("lacuna", {"tables": []})):
        ratios = " ".join(f"{result['ratios'][row['candidate']][kind]:8.2f}" for kind in CHANNELS)
        print(f"{name + ', ours, ' + row['candidate']:<44} {row['ms']:9.5f} {row['operationsPerSecond'] * 1e-12:8.1f} {'':>6} "
              f"{100 * (row['mostMs'] - row['leastMs']) / row['ms']:6.1f} {ratios}")
    sys.stdout.flush()


def print_head(arguments):
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN "
          f"{torch.backends.cudnn.version()}")
    print(f"PyTorch: fp16, channels last, in a CUDA graph, the network alone; median of {arguments.runs} runs, each of at "
          f"least {SPAN_MS:.0f} ms")
    print("study: its channels; padded: in multiples of 16, 8 come in. Ours: pictures in and out included")
    print("TFLOP/s: 2 operations a multiply-add of each one's channels; MHz: as nvidia-smi has it, under load")
    if arguments.lacuna:
        print("x study, x padded: how many times as fast ours is as the faster of both runs of PyTorch")
    print(f"\n{'':<44} {'ms':>9} {'TFLOP/s':>8} {'MHz':>6} {'+-%':>6}" +
          ("  x study x padded" if arguments.lacuna else ""), flush=True)


def measure(arguments, width, height):
    """Figures of a size, and whether some of ours were wrong."""
    def run_torch():
        return {kind: measure_torch(kind, width, height, arguments.runs, arguments.preheat) for kind in CHANNELS}

    result, is_wrong = {"width": width, "height": height, "torch": [run_torch()]}, False
    if arguments.lacuna:
        result["lacuna"], is_wrong = measure_lacuna(arguments, width, height)
        result["torch"].append(run_torch())
        best = {kind: min(measured[kind]["ms"] for measured in result["torch"]) for kind in CHANNELS}
        result["ratios"] = {row["candidate"]: {kind: best[kind] / row["ms"] for kind in CHANNELS}
                            for row in rows_of(result["lacuna"])}
    return result, is_wrong


def main():
    arguments = read_arguments(sys.argv[1:])
    if not torch.cuda.is_available():
        sys.exit(f"unet_torch.py: PyTorch {torch.__version__} finds no CUDA device here; it measures cuDNN on NVIDIA GPUs")
    parameters = sum(each.numel() for each in made("study").parameters())
    if parameters != STUDY_PARAMETERS:
        sys.exit(f"unet_torch.py: the study's network has {parameters} parameters, expected {STUDY_PARAMETERS}")
    torch_graph.use_f32_sums()
    torch.backends.cudnn.benchmark = True
    print_head(arguments)
    results, some_wrong = [], False
    for width, height in arguments.sizes:
        result, is_wrong = measure(arguments, width, height)
        some_wrong |= is_wrong
        results.append(result)
        print_result(result)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda,
                       "cudnn": torch.backends.cudnn.version(), "runs": arguments.runs, "spanMs": SPAN_MS,
                       "results": results}, file, indent=2)
            file.write("\n")
    sys.exit(1 if some_wrong else 0)


if __name__ == "__main__":
    main()
