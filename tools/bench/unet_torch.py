#!/usr/bin/env python3
"""U-Nets by PyTorch: cuDNN, and torch.compile; by the method of `lacuna bench unet`; beside ours, in one run.

  tools/bench/unet_torch.py                                        # the network of Vannson 2023, PyTorch alone
  tools/bench/unet_torch.py --lacuna build/release/lacuna          # and ours, with the ratios
  tools/bench/unet_torch.py --network oidn-base --network oidn-small --lacuna build/release/lacuna -- --schedule fused
  tools/bench/unet_torch.py --size 1024x1024 --runs 5 --kind cuDNN   # without torch.compile, which takes minutes

fp16, channels last, in a CUDA graph: the network alone, without what brings a picture into its input and back. cuDNN:
its fastest algorithms. compiled: torch.compile, mode max-autotune. Needs PyTorch with CUDA. What follows `--` goes to
`lacuna bench unet --network NAME`.
"""

import copy
import sys

import torch_graph
from torch_graph import SPAN_MS, spread, torch

# The layers of tools/bench/unet/networks.cpp and modules/cnn-unet/network/oidn.cpp: name, channels, what it reads: /2 pooled, *2
# upsampled. Of Open Image Denoise's two networks: channels of the base, and of the small one.
STUDY = """
convolution0 32 input
convolution1 43 convolution0/2
convolution2 57 convolution1/2
convolution3 76 convolution2/2
convolution4 101 convolution3/2
convolution5 101 convolution4/2
convolution6 101 convolution5*2 convolution4
convolution7 101 convolution6
convolution8 76 convolution7*2 convolution3
convolution9 76 convolution8
convolution10 57 convolution9*2 convolution2
convolution11 57 convolution10
convolution12 43 convolution11*2 convolution1
convolution13 43 convolution12
convolution14 32 convolution13*2 convolution0
convolution15 3 convolution14
"""
OIDN = """
enc_conv0 32|32 input
enc_conv1 32|32 enc_conv0
enc_conv2 48|32 enc_conv1/2
enc_conv3 64|32 enc_conv2/2
enc_conv4 80|32 enc_conv3/2
enc_conv5a 96|32 enc_conv4/2
enc_conv5b 96|32 enc_conv5a
dec_conv4a 112|64 enc_conv5b*2 enc_conv3/2
dec_conv4b 112|64 dec_conv4a
dec_conv3a 96|64 dec_conv4b*2 enc_conv2/2
dec_conv3b 96|64 dec_conv3a
dec_conv2a 64|64 dec_conv3b*2 enc_conv1/2
dec_conv2b 64|32 dec_conv2a
dec_conv1a 64|32 dec_conv2b*2 input
dec_conv1b 32|32 dec_conv1a
dec_conv0 3|3 dec_conv1b
"""


def table(text, column=0):
    """A list of (name, channels, [(layer, scale)])."""
    layers = []
    for name, counts, *reads in map(str.split, text.strip().splitlines()):
        sources = [(read[:-2], read[-2:]) if read[-2:] in ("/2", "*2") else (read, "") for read in reads]
        layers.append((name, int(counts.split("|")[column]), sources))
    return layers


# Channels of the picture, layers, ReLU behind the last one, and what sizes are extended to multiples of.
NETWORKS = {"study": (7, table(STUDY), False, 32), "oidn-base": (9, table(OIDN), True, 16),
            "oidn-small": (9, table(OIDN, 1), True, 16)}
STUDY_PARAMETERS = 861093
# Whether it is compiled, and what channels are padded to multiples of: those of the picture and of other layers but the last.
KINDS = {"cuDNN": (False, (1, 1)), "cuDNN-padded": (False, (8, 16)),
         "compiled": (True, (1, 1)), "compiled-padded": (True, (8, 16))}


def add_options(parser):
    parser.add_argument("--size", action="append", type=torch_graph.sides(2, "WIDTHxHEIGHT, such as 1920x1080"), default=[],
                        help="WIDTHxHEIGHT (may repeat; default: 1024x1024 and 1920x1080)")
    parser.add_argument("--network", action="append", choices=NETWORKS, default=[],
                        help="may repeat; default: the study's")
    parser.add_argument("--kind", action="append", choices=KINDS, default=[], help="may repeat; default: all")


def extended(count, multiple):
    return -(-count // multiple) * multiple


class Unet(torch_graph.Module):
    """A network by its table."""

    def __init__(self, name, multiples=(1, 1)):
        super().__init__()
        inputs, self.layers, self.ends_with_relu, _ = NETWORKS[name]
        self.inputs = extended(inputs, multiples[0])
        channels, self.convolutions = {"input": self.inputs}, torch.nn.ModuleList()
        for layer, count, sources in self.layers:
            channels[layer] = count if layer == self.layers[-1][0] else extended(count, multiples[1])
            self.convolutions.append(
                torch.nn.Conv2d(sum(channels[source] for source, _ in sources), channels[layer], 3, padding=1))

    def forward(self, x):
        made = {"input": x}

        def read(source, scale):
            if scale == "/2":
                return torch.nn.functional.max_pool2d(made[source], 2)
            if scale == "*2":
                return torch.nn.functional.interpolate(made[source], scale_factor=2, mode="nearest")
            return made[source]

        for (layer, _, sources), convolution in zip(self.layers, self.convolutions):
            x = [read(*source) for source in sources]
            x = convolution(x[0] if len(x) == 1 else torch.cat(x, 1))
            made[layer] = x = torch.relu(x) if layer != self.layers[-1][0] or self.ends_with_relu else x
        return x


def made(name, multiples=(1, 1)):
    """The network, on the CPU in float32; the same weights each time."""
    torch.manual_seed(1)
    network = Unet(name, multiples).eval()
    for weights in network.parameters():
        if weights.dim() == 4:
            torch.nn.init.kaiming_normal_(weights, nonlinearity="relu")
    return network


def operations(network, multiple, width, height):
    """A multiply-add counts as two."""
    counts = []
    hooks = [module.register_forward_hook(
        lambda module, _, out: counts.append(2 * 9 * module.in_channels * out.shape[1] * out.shape[2] * out.shape[3]))
        for module in network.convolutions]
    with torch.no_grad():
        network(torch.zeros(1, network.inputs, multiple, multiple))
    for hook in hooks:
        hook.remove()
    return sum(counts) * (extended(width, multiple) / multiple) * (extended(height, multiple) / multiple)


class Inference(torch_graph.TimedGraph):
    """One picture through the network, many times."""

    def __init__(self, name, kind, width, height):
        is_compiled, multiples = KINDS[kind]
        multiple = NETWORKS[name][3]
        self.network = self.run_network = made(name, multiples).cuda().half().to(memory_format=torch.channels_last)
        if is_compiled:
            torch.compiler.reset()  # a size is no reason for a network of all sizes
            # The kernels of max-autotune; the CUDA graph is this program's own, as for the others.
            self.run_network = torch.compile(self.network, mode="max-autotune-no-cudagraphs", dynamic=False)
        x = torch.rand(1, self.network.inputs, extended(height, multiple), extended(width, multiple), device="cuda").half()
        self.x = x.to(memory_format=torch.channels_last)
        super().__init__()

    def work(self):
        with torch.no_grad():
            self.y = self.run_network(self.x)

    def error(self):
        """Relative to float32 (Frobenius)."""
        with torch.no_grad():
            expected = copy.deepcopy(self.network).float()(self.x.float())
        return float((self.y.float() - expected).norm() / expected.norm())


def fastest(runs, prefix):
    """The least milliseconds of kinds whose names begin so; None where none was measured."""
    return min((figures["ms"] for measured in runs for kind, figures in measured.items() if kind.startswith(prefix)), default=None)


def print_result(result):
    name = f"{result['width']}x{result['height']}, {result['network']}"

    def print_line(title, figures, more=""):
        print(f"{f'{name}, {title}':<60} {figures['ms']:9.5f} {figures['operationsPerSecond'] * 1e-12:8.1f} "
              f"{figures.get('clockMHz') or '-':>6} {spread(figures):6.1f}{more}", flush=True)

    for turn, measured in zip(("", ", after ours"), result["torch"]):
        for kind, figures in measured.items():
            print_line(f"PyTorch, {kind}{turn}", figures)
    for row in torch_graph.timed_rows(result.get("lacuna", {"tables": []}), "candidate"):
        ratios = result["ratios"][row["candidate"]]
        more = "".join(f" {ratio:10.2f}" if ratio else f" {'-':>10}" for ratio in ratios.values())
        print_line(f"ours, {row['candidate']}", row, more)


def print_head(arguments):
    print(f"{torch_graph.device_name()}, cuDNN {torch.backends.cudnn.version()}")
    print(f"PyTorch: fp16, channels last, in a CUDA graph, the network alone; median of {arguments.runs} runs, each of at "
          f"least {SPAN_MS:.0f} ms")
    print("compiled: torch.compile, max-autotune; padded: channels in multiples of 16, of 8 those that come in")
    print("Ours: pictures in and out included")
    print("TFLOP/s: 2 operations a multiply-add of each one's channels; MHz: as nvidia-smi has it, under load")
    if arguments.lacuna:
        print("x cuDNN, x compiled: how many times as fast ours is as the fastest run of these")
    print(f"\n{'':<60} {'ms':>9} {'TFLOP/s':>8} {'MHz':>6} {'+-%':>6}" +
          ("    x cuDNN x compiled" if arguments.lacuna else ""), flush=True)


def check_layers(name, report):
    """Ends the program where `lacuna bench` has other layers than PyTorch."""
    network = made(name)
    wanted = [(layer, convolution.in_channels, convolution.out_channels)
              for (layer, _, _), convolution in zip(network.layers, network.convolutions)]
    for measured in report["tables"]:
        found = [(layer["name"], layer["inputs"], layer["outputs"]) for layer in measured.get("layers", [])]
        if found and found != wanted:
            sys.exit(f"unet_torch.py: {name}: ours has the layers {found}, expected {wanted}")


def measure(arguments, name, width, height):
    """Figures of a network and a size, and whether some of ours were wrong."""
    def run_torch():
        return {kind: Inference(name, kind, width, height).measure(
            arguments, operations(made(name, KINDS[kind][1]), NETWORKS[name][3], width, height), 1e-2,
            f"{width}x{height}, {name}: PyTorch's fp16 picture, {kind},") for kind in arguments.kind or KINDS}

    words = ["unet", "--network", name, "--size", f"{width}x{height}"]
    result, is_wrong = torch_graph.between(arguments, words, run_torch)
    result |= {"network": name, "width": width, "height": height}
    if arguments.lacuna:
        check_layers(name, result["lacuna"])
        best = {peer: fastest(result["torch"], peer) for peer in ("cuDNN", "compiled")}
        result["ratios"] = {row["candidate"]: {peer: ms and ms / row["ms"] for peer, ms in best.items()}
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
    measured = [measure(arguments, name, *size) for name in arguments.network or ["study"]
                for size in arguments.size or [(1024, 1024), (1920, 1080)]]
    torch_graph.finish(arguments, [result for result, _ in measured], any(is_wrong for _, is_wrong in measured))


if __name__ == "__main__":
    main()
