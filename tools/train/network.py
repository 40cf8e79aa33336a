"""A network as its description has it, in PyTorch: 3x3 convolutions with bias and zeros outside, ReLU, 2x2 max pooling, nearest
upsampling, concatenation."""

import json

import numpy
import torch
import torch.nn.functional as F

import description as describing
import weights_file

METADATA = "lacuna.network"
READ = {
    "same": lambda x: x,
    "half": lambda x: F.max_pool2d(x, 2),
    "double": lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
}


class Network(torch.nn.Module):
    def __init__(self, description, multiple=1):
        """multiple: all numbers of channels but the last layer's become multiples of it; see widened.py."""
        super().__init__()
        self.description = description
        entries = description["layers"]
        self.channels = {"input": describing.input_channels(description), **{entry["name"]: entry["channels"] for entry in entries}}
        last = entries[-1]["name"]
        self.channels = {name: count if name == last else -(-count // multiple) * multiple for name, count in self.channels.items()}
        self.convolutions = torch.nn.ModuleDict({
            entry["name"]: torch.nn.Conv2d(sum(self.channels[source["layer"]] for source in entry["sources"]),
                                           self.channels[entry["name"]], 3, padding=1) for entry in entries})

    def initialise(self, seed):
        """He et al. 2015, Delving Deep into Rectifiers; biases 0. The last layer begins near the input's colours, if it reads them, or near
        grey: colours are exponential in what it returns, and those below 0 are cut off."""
        generator = torch.Generator().manual_seed(seed)
        last = self.description["layers"][-1]["name"]
        for name, convolution in self.convolutions.items():
            deviation = (2 / (9 * convolution.in_channels)) ** 0.5 * (0.1 if name == last else 1.0)
            with torch.no_grad():
                convolution.weight.copy_(torch.randn(convolution.weight.shape, generator=generator) * deviation)
                convolution.bias.fill_(0.5 if name == last else 0.0)
        if self.description["layers"][-1]["sources"][-1]["layer"] == "input":
            with torch.no_grad():
                first = convolution.in_channels - self.channels["input"]
                convolution.weight[range(3), range(first, first + 3), 1, 1] += 1.0
                convolution.bias.zero_()

    def begin_with(self, other):
        """Another network's weights, for the same layers; what only this one reads begins at 0."""
        for entry in self.description["layers"]:
            old, own = other.convolutions[entry["name"]], self.convolutions[entry["name"]]
            rows = slice(0, old.out_channels)
            with torch.no_grad():
                own.bias[rows] = old.bias
                own.weight[rows] = 0
                here = there = 0
                for source in entry["sources"]:
                    count = other.channels[source["layer"]]
                    own.weight[rows, here:here + count] = old.weight[:, there:there + count]
                    here, there = here + self.channels[source["layer"]], there + count

    def keep(self, other, share):
        """Moves the weights by this share towards another's (Wortsman et al. 2022, Robust fine-tuning of zero-shot models)."""
        with torch.no_grad():
            for own, old in zip(self.parameters(), other.parameters()):
                own.lerp_(old, share)

    def all_layers(self, x):
        """Outputs by name. The last layer is computed in float32: half's rounding would show in its dark colours."""
        values = {"input": F.pad(x, (0, 0, 0, 0, 0, self.channels["input"] - x.shape[1]))}
        entries = self.description["layers"]
        for entry in entries:
            read = [READ[source["scale"]](values[source["layer"]]) for source in entry["sources"]]
            together = read[0] if len(read) == 1 else torch.cat(read, 1)
            if entry is entries[-1] and torch.is_autocast_enabled():
                with torch.autocast(x.device.type, enabled=False):
                    y = self.convolutions[entry["name"]](together.float())
            else:
                y = self.convolutions[entry["name"]](together)
            values[entry["name"]] = F.relu(y) if entry["activation"] == "relu" else y
        return values

    def forward(self, x):
        """Sizes are multiples of describing.multiple(description)."""
        return self.all_layers(x)[self.description["layers"][-1]["name"]]


def pad(x, multiple):
    """Extends NCHW to the next multiple by reflection at its last row and column, which aren't repeated."""
    def places(size):
        steps = torch.arange(size + -size % multiple, device=x.device) % max(2 * (size - 1), 1)
        return (size - 1) - (size - 1 - steps).abs()

    height, width = x.shape[-2:]
    return x[..., places(height)[:, None], places(width)]


def save(path, network, metadata=None, dtype=numpy.float16):
    tensors = {}
    for name, convolution in network.convolutions.items():
        for kind in ("weight", "bias"):
            tensors["%s.%s" % (name, kind)] = getattr(convolution, kind).detach().cpu().float().numpy().astype(dtype)
    for name, array in tensors.items():
        if not numpy.isfinite(array).all():
            raise ValueError("%s has values that %s can't hold" % (name, numpy.dtype(dtype)))
    weights_file.write(path, tensors, {METADATA: json.dumps(network.description), **(metadata or {})})


def load(path):
    tensors, metadata = weights_file.read(path)
    network = Network(json.loads(metadata[METADATA]))
    for name, convolution in network.convolutions.items():
        for kind in ("weight", "bias"):
            value = torch.from_numpy(tensors["%s.%s" % (name, kind)].astype(numpy.float32))
            with torch.no_grad():
                getattr(convolution, kind).copy_(value)
    return network
