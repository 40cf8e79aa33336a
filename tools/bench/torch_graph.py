"""What gemm_torch.py and unet_torch.py share: PyTorch's work on a GPU timed by the method of `lacuna bench`, in CUDA graphs on a
preheated device; their options; and Lacuna's own figures, measured between two runs of PyTorch."""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys

PROGRAM = os.path.basename(sys.argv[0])

try:
    import torch
except ImportError:
    torch = None  # --help needs none

Module = torch.nn.Module if torch else object
SPAN_MS = 2.0  # back to back between two events, at least
MARGIN = 1.2  # so that spans stay long enough where clocks rise
MOST_TIMES = 10000  # in a span
WRONG = 1  # exit code of `lacuna bench`: some schedules compute something else, and were not timed


def sides(count, expected):
    """A type of arguments: WxH, NxPxM."""
    def parse(word):
        try:
            found = tuple(int(side) for side in word.split("x"))
        except ValueError:
            found = ()
        if len(found) != count or min(found) < 1:
            raise argparse.ArgumentTypeError(f"'{word}': expected {expected}")
        return found
    return parse


def read_arguments(description, add_options):
    """Those of both scripts, and what add_options(parser) adds. What follows -- is for Lacuna."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--runs", type=int, default=20, help="timed runs, of which the median counts (default: 20)")
    parser.add_argument("--preheat", type=float, default=200.0, help="milliseconds of work before, at least (200)")
    parser.add_argument("--lacuna", metavar="PROGRAM", help="measure `PROGRAM bench` between two runs of PyTorch")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.lacuna_options = words[at + 1:]
    if arguments.runs < 1 or arguments.preheat < 0:
        parser.error("--runs and --preheat: expected positive numbers")
    if arguments.lacuna_options and not arguments.lacuna:
        parser.error("options after -- are for --lacuna, which is not given")
    if torch is None:
        sys.exit(f"{PROGRAM}: needs PyTorch with CUDA: pip install torch")
    if not torch.cuda.is_available():
        sys.exit(f"{PROGRAM}: PyTorch {torch.__version__} finds no CUDA device here; it measures NVIDIA's libraries on NVIDIA GPUs")
    use_f32_sums()
    return arguments


class TimedGraph:
    """work() of a subclass, many times in a CUDA graph, so that launches don't count. error() of a subclass: how far off it is,
    relative."""

    def __init__(self):
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):  # libraries allocate memory and choose algorithms before the graph is recorded
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

    def measure(self, arguments, operations, most_error, what):
        """Figures of a run, with this many operations in it. The program ends where what it computes is wrong."""
        self.long_run()
        preheat(self.run, arguments.preheat)
        times = []
        for _ in range(arguments.runs):
            span = self.long_run()
            times.append(span / self.times)
        ms, clock = statistics.median(times), self.clock_under_load()
        error = self.error()
        if not error <= most_error:  # NaN is wrong, too
            sys.exit(f"{PROGRAM}: {what} is wrong by {error:.1e}, expected {most_error} at most")
        return {"ms": ms, "leastMs": min(times), "mostMs": max(times), "timesPerRun": self.times, "operations": operations,
                "operationsPerSecond": operations / (ms * 1e-3), "error": error, "clockMHz": clock}

    def clock_under_load(self):
        """MHz of the multiprocessors, as nvidia-smi has it; None where it can't be asked."""
        for _ in range(int(500 / self.long_run())):
            self.graph.replay()
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


def use_f32_sums():
    """Sums in f32 always: neither a product's own nor those of split-k's parts may be kept in f16."""
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    try:
        torch.backends.cuda.matmul.allow_fp16_accumulation = False
    except (AssertionError, AttributeError):
        pass  # PyTorch before 2.7 lacks it: sums are in f32


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


def spread(figures):
    """The slowest run less the fastest, %."""
    return 100 * (figures["mostMs"] - figures["leastMs"]) / figures["ms"]


def device_name():
    return f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}"


def between(arguments, words, measure_torch):
    """Figures of PyTorch under `torch`; with --lacuna the report of `lacuna bench WORDS` under `lacuna`, between two runs of
    PyTorch; and whether some of Lacuna's schedules were wrong."""
    def run_torch():
        figures = measure_torch()
        torch.cuda.empty_cache()  # for the other program
        return figures

    if not arguments.lacuna:
        return {"torch": [run_torch()]}, False
    before = run_torch()
    command = [arguments.lacuna, "bench", *words, "--json", "--runs", str(arguments.runs), "--preheat", str(arguments.preheat),
               *arguments.lacuna_options]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    except OSError as error:
        sys.exit(f"{PROGRAM}: --lacuna {arguments.lacuna}: {error.strerror}")
    if done.returncode not in (0, WRONG) or not done.stdout:
        sys.exit(f"{PROGRAM}: {' '.join(command)}: exit code {done.returncode}")
    return {"torch": [before, run_torch()], "lacuna": json.loads(done.stdout)}, done.returncode == WRONG


def timed_rows(report, key):
    """A report's rows that were timed and have a value of this name, each with what its table says."""
    rows = [{**table, **row} for table in report["tables"] for row in table.get("rows", []) if "ms" in row]
    return [row for row in rows if key in row]


def finish(arguments, results, some_wrong):
    """Writes --json and ends the program."""
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda,
                       "cudnn": torch.backends.cudnn.version(), "runs": arguments.runs, "spanMs": SPAN_MS, "results": results},
                      file, indent=2)
            file.write("\n")
    sys.exit(WRONG if some_wrong else 0)
