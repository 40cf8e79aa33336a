"""What trainings of networks share: steps of Adam by a falling rate, averaged weights, checkpoints."""

import copy
import os
import platform
import subprocess
import time

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # before CUDA starts: deterministic products

import torch

EVERY_SECONDS = 20  # checkpoints
WARM_UP, AVERAGE = 500, 0.999  # steps over which the rate rises; share of the averaged weights that stays each step


def versions(device):
    """What the same weights need."""
    found = {"pytorch": torch.__version__, "python": platform.python_version()}
    if device.type == "cuda":
        found.update(gpu=torch.cuda.get_device_name(device), cuda=str(torch.version.cuda), cudnn=str(torch.backends.cudnn.version()))
        try:
            query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
            found["driver"] = subprocess.check_output(query, text=True).split("\n")[0]
        except (OSError, subprocess.CalledProcessError):
            found["driver"] = "unknown"
    return found


def deterministic(seed):
    torch.manual_seed(seed)
    # Only warn: pooling's backward pass adds atomically, but windows of 2x2 don't overlap, so each value gets one
    # addend.
    torch.use_deterministic_algorithms(True, warn_only=True)
    if hasattr(torch.utils, "deterministic"):  # otherwise PyTorch 2.1 fills each new tensor
        torch.utils.deterministic.fill_uninitialized_memory = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True


def grad_scaler(enabled):
    if hasattr(torch.amp, "GradScaler"):  # PyTorch 2.3
        return torch.amp.GradScaler("cuda", enabled=enabled)
    return torch.cuda.amp.GradScaler(enabled=enabled)


def adam(parameters, rate, device):
    # Fused: the GPU decides by itself whether a step counts, without waiting.
    if device.type == "cuda":
        return torch.optim.Adam(parameters, lr=torch.tensor(rate, device=device), fused=True, capturable=True)
    return torch.optim.Adam(parameters, lr=rate)


class Recorded:
    """A function as a CUDA graph: a step launches over a thousand kernels, most of them shorter than it takes to launch one. The
    first calls, in which libraries prepare themselves, are as without it."""

    def __init__(self, function):
        self.function, self.calls, self.graph, self.side = function, 0, None, torch.cuda.Stream()

    def __call__(self):
        self.calls += 1
        if self.calls <= 3:
            self.side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.side):
                result = self.function()
            torch.cuda.current_stream().wait_stream(self.side)
            return result
        if self.graph is None:
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.result = self.function()
        self.graph.replay()
        return self.result


class Learning:
    """All that a checkpoint holds, and a step. Who inherits it has `load_next()`, which prepares on the host what `loss()` reads; `loss()`
    never waits for the device. arguments: description, preset, seed; minutes or steps."""

    half = torch.float16

    def __init__(self, arguments, network, rate, device):
        self.arguments, self.highest_rate, self.device = arguments, rate, device
        self.network = network.to(self.device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = self.optimizer_of(rate)
        # Half's range is small: the loss is scaled up so that gradients don't vanish.
        self.scaler = grad_scaler(self.device.type == "cuda" and self.half is torch.float16)
        self.done, self.seconds = 0, 0.0
        self.keep = torch.zeros((), device=device)  # share of the averaged weights that stays
        self.update = Recorded(self.update_once) if device.type == "cuda" else self.update_once

    def optimizer_of(self, rate):
        return adam(self.network.parameters(), rate, self.device)

    def progress(self):
        if self.arguments.minutes:
            return self.seconds / (60 * self.arguments.minutes)
        return self.done / self.arguments.steps

    def rate(self):
        """Rises over the first steps, then falls to 0 along a cosine."""
        fall = 0.5 + 0.5 * torch.cos(torch.tensor(min(self.progress(), 1.0) * torch.pi)).item()
        return self.highest_rate * min(1.0, (self.done + 1) / WARM_UP) * fall

    def update_once(self):
        with torch.autocast(self.device.type, enabled=False):  # so that weights in half are made once, not for each frame
            value = self.loss()
        self.network.zero_grad(set_to_none=True)
        self.scaler.scale(value).backward()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        with torch.no_grad():
            for average, own in zip(self.average.parameters(), self.network.parameters()):
                average.lerp_(own, 1 - self.keep)
        return value.detach()

    def step(self):
        self.load_next()
        for group in self.optimizer.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(self.rate())
            else:
                group["lr"] = self.rate()
        self.done += 1
        self.keep.fill_(min(AVERAGE, self.done / (self.done + 10)))
        return self.update().clone()

    def state(self):
        return {"network": self.network.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict(),
                "scaler": self.scaler.state_dict(), "done": self.done, "seconds": self.seconds,
                "description": self.arguments.description, "preset": self.arguments.preset, "seed": self.arguments.seed}

    def restore(self, path):
        state = torch.load(path, map_location=self.device)
        for name in ("description", "preset", "seed"):
            if state[name] != getattr(self.arguments, name):
                raise SystemExit("%s was trained with another %s: %s, not %s" % (path, name, state[name], getattr(self.arguments, name)))
        for name in ("network", "average", "optimizer", "scaler"):
            getattr(self, name).load_state_dict(state[name])
        self.done, self.seconds = state["done"], state["seconds"]

    def write_checkpoint(self, path):
        torch.save(self.state(), path + ".part")
        os.replace(path + ".part", path)


def learn(training, checkpoint, is_over=lambda training: False, after=lambda training: None):
    """Returns whether it came to the end. is_over: whether to pause; after: what else to do after each checkpoint."""
    begin, earlier, written = time.time(), training.seconds, time.time()
    recent = []
    while training.progress() < 1 and not is_over(training):
        recent.append(training.step())
        if training.done % 20 == 0 and training.device.type == "cuda":
            torch.cuda.synchronize()
        training.seconds = earlier + time.time() - begin
        if training.done % 500 == 0 or training.progress() >= 1:
            print("[%.1f s] step %d, loss %.5f" % (training.seconds, training.done, torch.stack(recent).mean()), flush=True)
            recent = []
        if time.time() - written > EVERY_SECONDS:
            training.write_checkpoint(checkpoint)
            after(training)
            written = time.time()
    training.write_checkpoint(checkpoint)
    return training.progress() >= 1
