"""Lacuna denoises photographs and Monte Carlo renders, and runs filters that you write, on Vulkan.

    clean = lacuna.denoise(noisy)                 help(lacuna.denoise): pictures, renders, strength
    denoiser = lacuna.Denoiser()                  sequences
    graph = lacuna.Graph(); graph.add("eaw")      graphs of filters, from code, text or files
    soft = lacuna.stencil("soft", glsl, radius=2) a filter of your own
    lacuna.read, write, compare                   files, and how pictures differ
    bundle = lacuna.Bundle("eaw.lacuna")          graphs of `lacuna export`, without a compiler
    lacuna.describe("eaw")                        what a module does, and its parameters
    lacuna.Device("cpu"), lacuna.devices()        where it runs

Images are arrays, height x width x channels. Mistakes are lacuna.Error, whose `diagnostics` list them."""
from . import _core
from .bundle import Bundle
from .metrics import compare
from .denoising import Denoiser, denoise
from .device import Device, devices
from .errors import Diagnostic, Error
from .files import Picture, read, write
from .filters import Filter, stencil
from .graph import Connector, Graph, Module, Node, describe, modules
from .progress import show_progress

__version__ = _core.version()
__all__ = ["Bundle", "Connector", "Denoiser", "Device", "Diagnostic", "Error", "Filter", "Graph", "Module", "Node", "Picture", "compare",
           "denoise", "describe", "devices", "modules", "read", "show_progress", "stencil", "write"]
