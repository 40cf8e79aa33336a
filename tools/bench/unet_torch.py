#!/usr/bin/env python3
"""The U-Net of Vannson 2023 by PyTorch and cuDNN, by the method of `lacuna bench unet`; beside ours, in one run.

  tools/bench/unet_torch.py                                        # PyTorch alone
  tools/bench/unet_torch.py --lacuna build/release/lacuna          # and ours, with the ratios
  tools/bench/unet_torch.py --size 1024x1024 --runs 5 --lacuna build/release/lacuna -- --schedule matrices

fp16, channels last, the fastest of cuDNN's algorithms, in a CUDA graph: the network alone, without what brings a
picture into its input and back. Needs PyTorch with CUDA. What follows `--` goes to `lacuna bench unet`.
"""

import sys

import torch_graph
from torch_graph import SPAN_MS, spread, torch

MULTIPLE = 32  # sizes are extended to multiples of it
STUDY_PARAMETERS = 861093
# Channels that come in, then those of convolutions 0 to 5; convolutions 6 to 15 follow from them.
CHANNELS = {"study": (7, (32, 43, 57, 76, 101, 101)), "padded": (8, (32, 48, 64, 80, 112, 112))}


def add_options(parser):
    parser.add_argument("--size", action="append", type=torch_graph.sides(2, "WIDTHxHEIGHT, such as 1920x1080"), default=[],
                        help="WIDTHxHEIGHT (may repeat; default: 1024x1024 and 1920x1080)")


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


def print_result(result):
    name = f"{result['width']}x{result['height']}"

    def print_line(title, figures, more=""):
        print(f"{f'{name}, {title}':<44} {figures['ms']:9.5f} {figures['operationsPerSecond'] * 1e-12:8.1f} "
              f"{figures.get('clockMHz') or '-':>6} {spread(figures):6.1f}{more}", flush=True)

    for kind in CHANNELS:
        for turn, measured in zip(("", ", after ours"), result["torch"]):
            print_line(f"PyTorch, {kind}{turn}", measured[kind])
    for row in torch_graph.timed_rows(result.get("lacuna", {"tables": []}), "candidate"):
        ratios = result["ratios"][row["candidate"]]
        print_line(f"ours, {row['candidate']}", row, "".join(f" {ratios[kind]:8.2f}" for kind in CHANNELS))


def print_head(arguments):
    print(f"{torch_graph.device_name()}, cuDNN {torch.backends.cudnn.version()}")
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
        return {kind: Inference(kind, width, height).measure(
            arguments, operations(made(kind), extended(width), extended(height)), 1e-2,
            f"{width}x{height}: PyTorch's fp16 picture") for kind in CHANNELS}

    result, is_wrong = torch_graph.between(arguments, ["unet", "--size", f"{width}x{height}"], run_torch)
    result |= {"width": width, "height": height}
    if arguments.lacuna:
        best = {kind: min(measured[kind]["ms"] for measured in result["torch"]) for kind in CHANNELS}
        result["ratios"] = {row["candidate"]: {kind: best[kind] / row["ms"] for kind in CHANNELS}
                            for row in torch_graph.timed_rows(result["lacuna"], "candidate")}
    print_result(result)
    return result, is_wrong


def main():
    arguments = torch_graph.read_arguments(__doc__, add_options)
    parameters = sum(each.numel() for each in made("study").parameters())
    if parameters != STUDY_PARAMETERS:
        sys.exit(f"unet_torch.py: the study's network has {parameters} parameters, expected {STUDY_PARAMETERS}")
    torch.backends.cudnn.benchmark = True
    print_head(arguments)
    measured = [measure(arguments, *size) for size in arguments.size or [(1024, 1024), (1920, 1080)]]
    torch_graph.finish(arguments, [result for result, _ in measured], any(is_wrong for _, is_wrong in measured))


if __name__ == "__main__":
    main()
