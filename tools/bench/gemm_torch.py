#!/usr/bin/env python3
"""Matrix products by cuBLAS, through PyTorch, by the method of `lacuna bench gemm`; beside ours, in one run.

  tools/bench/gemm_torch.py                                        # cuBLAS alone
  tools/bench/gemm_torch.py --lacuna build/release/lacuna          # and ours, with the ratios
  tools/bench/gemm_torch.py --size 1024 --runs 5 --lacuna build/release/lacuna -- --schedule blocks --limit 1

Needs PyTorch with CUDA. What follows `--` goes to `lacuna bench gemm`.
"""

import argparse
import json
import statistics
import subprocess
import sys

import torch_graph
from torch_graph import SPAN_MS, torch

WRONG = 1  # exit code of `lacuna bench gemm`: schedules compute wrong products, and were not timed
SAMPLES = 256  # elements that are compared with double precision
# The defaults of `lacuna bench gemm` on GPUs (tools/bench/gemm/tasks.cpp).
SIZES = [1024, 2048, 4096, 8192]
LAYERS = [(288, 48), (528, 80), (1200, 64), (1824, 112), (688, 32)]
PIXELS = 1024 * 1024
INPUTS = [(sums, form) for sums in ("f32", "f16") for form in ("row-major", "panels", "fragments")]


def sizes(words):
    try:
        found = [(int(word),) * 3 for word in words.split(",")]
    except ValueError:
        found = []
    if not found or min(min(shape) for shape in found) < 1:
        raise argparse.ArgumentTypeError(f"'{words}': expected the side of square matrices, such as 4096, or 1024,2048")
    return found


def shape(word):
    try:
        found = tuple(int(side) for side in word.split("x"))
    except ValueError:
        found = ()
    if len(found) != 3 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"'{word}': expected NxPxM, such as 1048576x288x48")
    return found


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", action="append", type=sizes, default=[], help="N or N,N,...: square matrices")
    parser.add_argument("--shape", action="append", type=shape, default=[], help="NxPxM (may repeat)")
    parser.add_argument("--runs", type=int, default=20, help="timed runs, of which the median counts (default: 20)")
    parser.add_argument("--preheat", type=float, default=200.0, help="milliseconds of work before, at least (200)")
    parser.add_argument("--lacuna", metavar="PROGRAM", help="measure `PROGRAM bench gemm` between two runs of cuBLAS")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:at])
    arguments.lacuna_options = words[at + 1:]
    if arguments.runs < 1 or arguments.preheat < 0:
        parser.error("--runs and --preheat: expected positive numbers")
    if arguments.lacuna_options and not arguments.lacuna:
        parser.error("options after -- are for --lacuna, which is not given")
    arguments.shapes = [one for some in arguments.size for one in some] + arguments.shape
    if not arguments.shapes:
        arguments.shapes = [(n, n, n) for n in SIZES] + [(PIXELS, p, m) for p, m in LAYERS]
    return arguments


class Products(torch_graph.TimedGraph):
    """One product, many times."""

    def __init__(self, n, p, m):
        torch.manual_seed(1)
        self.a = torch.randn(n, p, dtype=torch.float16, device="cuda")
        self.b = torch.randn(p, m, dtype=torch.float16, device="cuda")
        self.c = torch.zeros(n, m, dtype=torch.float16, device="cuda")
        super().__init__()

    def work(self):
        torch.matmul(self.a, self.b, out=self.c)

    def error(self):
        """Of some elements, relative, by the Frobenius norm."""
        rows = torch.randint(self.c.shape[0], (SAMPLES,), device="cuda")
        columns = torch.randint(self.c.shape[1], (SAMPLES,), device="cuda")
        expected = (self.a[rows].double() * self.b[:, columns].t().double()).sum(1)
        found = self.c[rows, columns].double()
        return float((found - expected).norm() / expected.norm())


def measure_cublas(n, p, m, runs, preheat_ms):
    products = Products(n, p, m)
    products.long_run()
    torch_graph.preheat(products.run, preheat_ms)
    times = []
    for _ in range(runs):
        span = products.long_run()
        times.append(span / products.times)
    error = products.error()
    if not error <= 1e-3:  # NaN is wrong, too
        sys.exit(f"gemm_torch.py: {n}x{p}x{m}: cuBLAS's product is wrong by {error:.1e}, expected 1e-3 at most")
    ms = statistics.median(times)
    found = {"ms": ms, "leastMs": min(times), "mostMs": max(times), "productsPerRun": products.times,
             "operationsPerSecond": 2.0 * n * p * m / (ms * 1e-3), "error": error,
             "clockMHz": torch_graph.clock_under_load(products)}
    del products
    torch.cuda.empty_cache()  # for the other program
    return found


def measure_lacuna(arguments, n, p, m):
    """Its report, and whether some schedules were wrong."""
    command = [arguments.lacuna, "bench", "gemm", "--json", "--shape", f"{n}x{p}x{m}", "--runs", str(arguments.runs),
               "--preheat", str(arguments.preheat), *arguments.lacuna_options]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    except OSError as error:
        sys.exit(f"gemm_torch.py: --lacuna {arguments.lacuna}: {error.strerror}")
    if done.returncode not in (0, WRONG) or not done.stdout:
        sys.exit(f"gemm_torch.py: {' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout), done.returncode == WRONG


def fastest(report, accumulate, form):
    """The table's fastest row; None where there is none."""
    rows = [row for table in report["tables"] if (table["accumulate"], table["input"]) == (accumulate, form)
            for row in table["rows"] if "ms" in row]
    return min(rows, key=lambda row: row["ms"], default=None)


def teraflops(figures):
    return figures["operationsPerSecond"] * 1e-12


def print_line(result, with_lacuna):
    n, p, m = result["n"], result["p"], result["m"]
    before = result["cublas"][0]
    clock = before["clockMHz"]
    line = f"{n if n == p == m else f'{n}x{p}x{m}'!s:<18} {before['ms']:9.5f} {teraflops(before):8.1f}"
    line += f" {clock or '-':>6} {100 * (before['mostMs'] - before['leastMs']) / before['ms']:6.1f}"
    if with_lacuna:
        line += f" {teraflops(result['cublas'][1]):8.1f}"
        for accumulate, form in INPUTS:
            row = fastest(result["lacuna"], accumulate, form)
            line += f"  {teraflops(row):6.1f} {result['ratios'][f'{accumulate} {form}']:5.3f}" if row else f"  {'':12}"
    print(line.rstrip(), flush=True)


def print_head(arguments):
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
    print("cuBLAS: f16 matrices of normal numbers, sums in f32; ms of a product, median of "
          f"{arguments.runs} runs, each of at least {SPAN_MS:.0f} ms back to back")
    print("TFLOP/s: 2 n p m operations a product; MHz: as nvidia-smi has it, under load; +-%: slowest run less fastest")
    head = f"{'':<18} {'ms':>9} {'TFLOP/s':>8} {'MHz':>6} {'+-%':>6}"
    if arguments.lacuna:
        print("after: cuBLAS once more, after ours; ours: TFLOP/s, and as a part of the faster of both runs of cuBLAS")
        head += f" {'after':>8}" + "".join(f"  {f'{sums} {form}'[:12]:>12}" for sums, form in INPUTS)
    print("\n" + head, flush=True)


def main():
    arguments = read_arguments()
    if not torch.cuda.is_available():
        sys.exit(f"gemm_torch.py: PyTorch {torch.__version__} finds no CUDA device here; it measures cuBLAS on NVIDIA GPUs")
    torch_graph.use_f32_sums()
    print_head(arguments)
    results, some_wrong = [], False
    for n, p, m in arguments.shapes:
        result = {"n": n, "p": p, "m": m, "cublas": [measure_cublas(n, p, m, arguments.runs, arguments.preheat)]}
        if arguments.lacuna:
            result["lacuna"], is_wrong = measure_lacuna(arguments, n, p, m)
            some_wrong |= is_wrong
            result["cublas"].append(measure_cublas(n, p, m, arguments.runs, arguments.preheat))
            best = max(figures["operationsPerSecond"] for figures in result["cublas"])
            rows = {f"{sums} {form}": fastest(result["lacuna"], sums, form) for sums, form in INPUTS}
            result["ratios"] = {name: row["operationsPerSecond"] / best for name, row in rows.items() if row}
        results.append(result)
        print_line(result, bool(arguments.lacuna))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda,
                       "runs": arguments.runs, "spanMs": SPAN_MS, "results": results}, file, indent=2)
            file.write("\n")
    sys.exit(1 if some_wrong else 0)


if __name__ == "__main__":
    main()
