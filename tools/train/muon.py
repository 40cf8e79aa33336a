"""Adam for a U-Net's first and last layer and its biases, Muon for all layers between (Jordan et al. 2024, Muon: an optimizer for hidden layers; Liu et
al. 2025, Muon is scalable for LLM training): their steps are the nearest matrices whose singular values are alike, so no channel is left behind.

Where we differ: such weights stay within the norm that they would begin with by He et al. 2015. Unbounded, layers that a network can do without grow
until halves can't hold what they return."""

import torch

import learning

RATE = 0.6  # of a step's root mean square, in units of Adam's rate
MOMENTUM = 0.95
TURNS = 5  # of Newton and Schulz's iteration, with the polynomial of Jordan et al.


def orthogonal(x):
    """(count, rows, columns), no more rows than columns: singular values from .7 to 1.2."""
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(TURNS):
        squares = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.7750 * squares + 2.0315 * squares @ squares) @ x
    return x


class Muon:
    """As torch.optim.Optimizer, as far as learning.py needs it."""

    def __init__(self, network, rate):
        layers = list(network.convolutions.values())
        shapes = {}
        for layer in layers[1:-1]:
            shapes.setdefault(layer.weight.shape, []).append(layer.weight)
        self.alike = list(shapes.values())  # they take their steps together
        self.momenta = [torch.zeros(len(weights), len(weights[0]), weights[0][0].numel(), device=weights[0].device) for weights in self.alike]
        inner = {id(weight) for weights in self.alike for weight in weights}
        self.adam = learning.adam([own for own in network.parameters() if id(own) not in inner], rate, layers[0].weight.device)

    @property
    def param_groups(self):
        """With the rate of both."""
        return self.adam.param_groups

    @torch.no_grad()
    def step(self):
        self.adam.step()
        for weights, momentum in zip(self.alike, self.momenta):
            gradients = torch.stack([weight.grad.flatten(1) for weight in weights])
            momentum.lerp_(gradients, 1 - MOMENTUM)
            wanted = torch.lerp(gradients, momentum, MOMENTUM)
            steps = orthogonal(wanted.bfloat16() if wanted.is_cuda else wanted).float() * (self.param_groups[0]["lr"] * RATE * wanted.shape[2] ** 0.5)
            most = (2 * wanted.shape[1]) ** 0.5  # the norm of weights with the variance 2 / columns
            for weight, step in zip(weights, steps):
                weight.sub_(step.view_as(weight))
                weight.mul_((most / weight.norm()).clamp(max=1))

    def state_dict(self):
        return {"momenta": self.momenta, "adam": self.adam.state_dict()}

    def load_state_dict(self, state):
        self.adam.load_state_dict(state["adam"])
        for own, kept in zip(self.momenta, state["momenta"]):
            own.copy_(kept)
