#!/usr/bin/env python3
"""Matrix products by cuBLAS, through PyTorch, by the method of `lacuna bench gemm`; beside ours, in one run.

  tools/bench/gemm_torch.py                                        # cuBLAS alone
  tools/bench/gemm_torch.py --lacuna build/release/lacuna          # and ours, with the ratios
  tools/bench/gemm_torch.py --size 1024 --runs 5 --lacuna build/release/lacuna -- --schedule blocks --limit 1

Needs PyTorch with CUDA. What follows `--` goes to `lacuna bench gemm`.
"""

import argparse

import torch_graph
from torch_graph import SPAN_MS, spread, torch

SAMPLES = 256  # elements that are compared with double precision
# The defaults of `lacuna bench gemm` on GPUs (tools/bench/gemm/products.cpp).
SIZES = [1024, 2048, 4096, 8192]
LAYERS = [(288, 48), (528, 80), (1200, 64), (1824, 112), (688, 32)]
PIXELS = 1024 * 1024
INPUTS = [(sums, form) for sums in ("f32", "f16") for form in ("row-major", "panels", "fragments")]


def sizes(words):
    parse = torch_graph.sides(1, "the side of square matrices, such as 4096, or 1024,2048")
    return [parse(word) * 3 for word in words.split(",")]


def add_options(parser):
    parser.add_argument("--size", action="append", type=sizes, default=[], help="N or N,N,...: square matrices")
    parser.add_argument("--shape", action="append", type=torch_graph.sides(3, "NxPxM, such as 1048576x288x48"), default=[],
                        help="NxPxM (may repeat)")


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


def teraflops(figures):
    return figures["operationsPerSecond"] * 1e-12


def print_line(result):
    n, p, m = result["n"], result["p"], result["m"]
    before = result["torch"][0]
    line = f"{n if n == p == m else f'{n}x{p}x{m}'!s:<18} {before['ms']:9.5f} {teraflops(before):8.1f}"
    line += f" {before['clockMHz'] or '-':>6} {spread(before):6.1f}"
    if "lacuna" in result:
        line += f" {teraflops(result['torch'][1]):8.1f}"
        for name in (f"{sums} {form}" for sums, form in INPUTS):
            row = result["fastest"].get(name)
            line += f"  {teraflops(row):6.1f} {result['ratios'][name]:5.3f}" if row else f"  {'':12}"
    print(line.rstrip(), flush=True)


def print_head(arguments):
    print(torch_graph.device_name())
    print("cuBLAS: f16 matrices of normal numbers, sums in f32; ms of a product, median of "
          f"{arguments.runs} runs, each of at least {SPAN_MS:.0f} ms back to back")
    print("TFLOP/s: 2 n p m operations a product; MHz: as nvidia-smi has it, under load; +-%: slowest run less fastest")
    head = f"{'':<18} {'ms':>9} {'TFLOP/s':>8} {'MHz':>6} {'+-%':>6}"
    if arguments.lacuna:
        print("after: cuBLAS once more, after ours; ours: TFLOP/s, and as a part of the faster of both runs of cuBLAS")
        head += f" {'after':>8}" + "".join(f"  {f'{sums} {form}'[:12]:>12}" for sums, form in INPUTS)
    print("\n" + head, flush=True)


def measure(arguments, n, p, m):
    """Figures of a shape, and whether some of ours were wrong."""
    def run_cublas():
        return Products(n, p, m).measure(arguments, 2.0 * n * p * m, 1e-3, f"{n}x{p}x{m}: cuBLAS's product")

    result, is_wrong = torch_graph.between(arguments, ["gemm", "--shape", f"{n}x{p}x{m}"], run_cublas)
    result |= {"n": n, "p": p, "m": m}
    if arguments.lacuna:
        rows = torch_graph.timed_rows(result["lacuna"], "accumulate")
        ours = {f"{sums} {form}": [row for row in rows if (row["accumulate"], row["input"]) == (sums, form)] for sums, form in INPUTS}
        result["fastest"] = {name: min(found, key=lambda row: row["ms"]) for name, found in ours.items() if found}
        best = max(map(teraflops, result["torch"]))
        result["ratios"] = {name: teraflops(row) / best for name, row in result["fastest"].items()}
    print_line(result)
    return result, is_wrong


def main():
    arguments = torch_graph.read_arguments(__doc__, add_options)
    shapes = [one for some in arguments.size for one in some] + arguments.shape
    print_head(arguments)
    measured = [measure(arguments, *shape) for shape in shapes or [(n, n, n) for n in SIZES] + [(PIXELS, p, m) for p, m in LAYERS]]
    torch_graph.finish(arguments, [result for result, _ in measured], any(is_wrong for _, is_wrong in measured))


if __name__ == "__main__":
    main()
