"""Timing of PyTorch's work on a GPU by the method of `lacuna bench`: in CUDA graphs, on a preheated device."""

import math
import os
import statistics
import subprocess
import sys

try:
    import torch
except ImportError:
    sys.exit(f"{os.path.basename(sys.argv[0])}: needs PyTorch with CUDA: pip install torch")

SPAN_MS = 2.0  # back to back between two events, at least
MARGIN = 1.2  # so that spans stay long enough where clocks rise
MOST_TIMES = 10000  # in a span


class TimedGraph:
    """work() of a subclass, many times in a CUDA graph, so that launches don't count."""

    def __init__(self):
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):  # libraries take their memory, and choose, before the graph is recorded
            for _ in range(3):
                self.work()
        torch.cuda.current_stream().wait_stream(aside)
        torch.cuda.synchronize()
        self.record(1)

    def record(self, times):
        self.times = times
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(times):
                self.work()

    def run(self):
        """Milliseconds of a whole span."""
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        self.graph.replay()
        last.record()
        last.synchronize()
        return first.elapsed_time(last)

    def long_run(self):
        """The same, of a span that is long enough."""
        span = self.run()
        while span < SPAN_MS and self.times < MOST_TIMES:
            wanted = math.ceil(MARGIN * SPAN_MS * self.times / max(span, 1e-6))
            self.record(min(max(wanted, self.times + 1), MOST_TIMES))
            self.run()  # not counted: the graph is new
            span = self.run()
        return span


def use_f32_sums():
    """Sums in f32 always: neither a product's own nor those of split-k's parts may be kept in f16."""
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    try:
        torch.backends.cuda.matmul.allow_fp16_accumulation = False
    except (AssertionError, AttributeError):
        pass  # before 2.7 there is no such thing: sums are in f32


def preheat(run, ms):
    """As tools/timing/preheat.h: for `ms`, then until three parts in a row are within 1%."""
    medians, spent = [], 0.0
    while True:
        times = [run()]
        while sum(times) < ms / 4:
            times.append(run())
        spent += sum(times)
        medians.append(statistics.median(times))
        last = medians[-3:]
        steady = len(last) == 3 and max(last) <= 1.01 * min(last)
        if spent >= ms and (steady or spent >= 5 * ms):
            return


def clock_under_load(timed):
    """MHz of the multiprocessors, as nvidia-smi has it; None where it can't be asked."""
    for _ in range(int(500 / timed.long_run())):
        timed.graph.replay()
    which = str(getattr(torch.cuda.get_device_properties(0), "uuid", "0"))
    which = which if which == "0" or which.startswith("GPU-") else "GPU-" + which
    command = ["nvidia-smi", "-i", which, "--query-gpu=clocks.sm", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout
        return int(answer.split()[0])
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return None
    finally:
        torch.cuda.synchronize()
