"""The same network with more channels in each layer, which stay 0: multiples of 8 are what tensor cores take, and the study's 43, 57
and 101 cost twice the time. Weights from and to the channels that are added begin at 0 and have no gradients, so Adam leaves them there."""

import torch

import network as networks


def places(network, wide, entry):
    """Where a layer's inputs lie among those of the wide network's."""
    found, first = [], 0
    for source in entry["sources"]:
        found += range(first, first + network.channels[source["layer"]])
        first += wide.channels[source["layer"]]
    return torch.tensor(found)


def widen(network, multiple=8):
    wide = networks.Network(network.description, multiple).to(next(network.parameters()).dtype)
    for entry in network.description["layers"]:
        convolution, other = network.convolutions[entry["name"]], wide.convolutions[entry["name"]]
        with torch.no_grad():
            other.weight.zero_()
            other.bias.zero_()
            other.weight[:entry["channels"], places(network, wide, entry)] = convolution.weight
            other.bias[:entry["channels"]] = convolution.bias
    return wide


def narrow(wide):
    network = networks.Network(wide.description)
    for entry in network.description["layers"]:
        convolution, other = network.convolutions[entry["name"]], wide.convolutions[entry["name"]]
        with torch.no_grad():
            convolution.weight.copy_(other.weight.detach().cpu()[:entry["channels"], places(network, wide, entry)])
            convolution.bias.copy_(other.bias[:entry["channels"]])
    return network
