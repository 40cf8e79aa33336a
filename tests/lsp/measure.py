#!/usr/bin/env python3
"""Milliseconds of the language server's answers for a graph of 5,000 lines: LACUNA_PROGRAM=build/release/lacuna tests/lsp/measure.py"""
import tempfile
import time

from client import Client

LINES = "".join(f"module:exposure:e{i}\nparam:exposure:e{i}:stops:0.1\nconnect:exposure:e{i - 1}:output:exposure:e{i}:input\n"
                for i in range(1, 1665))
TEXT = "lacuna:1\nmodule:i-file:in\nmodule:exposure:e0\nmodule:o-pfm:out\nconnect:i-file:in:output:exposure:e0:input\n" + LINES
LAST = "connect:exposure:e1664:output:"


def timed(call):
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


with tempfile.TemporaryDirectory() as folder:
    client = Client(folder, "--no-shaders")
    client.open("graph.cfg", TEXT)
    client.messages("graph.cfg")
    print(f"{TEXT.count(chr(10))} lines; in ms, each behind a change: the first, the largest and the median of 10 more")
    for name, call in {
        "diagnostics": lambda: client.messages("graph.cfg"),
        "completion of keywords": lambda: client.on("graph.cfg", LAST, "completion", 3),
        "completion of modules": lambda: client.on("graph.cfg", "module:exposure:e800\n", "completion", 7),
        "completion of instances": lambda: client.on("graph.cfg", LAST, "completion", len(LAST)),
        "completion of parameters": lambda: client.on("graph.cfg", "e800:stops", "completion", 5),
        "hover": lambda: client.on("graph.cfg", "e800:stops", "hover", 6),
        "signatureHelp": lambda: client.on("graph.cfg", "e800:stops:0.1", "signatureHelp", 12),
        "definition": lambda: client.on("graph.cfg", "e800:stops", "definition", 1),
        "references": lambda: client.on("graph.cfg", "e800:stops", "references", 1),
        "rename": lambda: client.on("graph.cfg", "e800:stops", "rename", 1, newName="other"),
        **{method: lambda method=method: client.of("graph.cfg", method, options={})
           for method in ("formatting", "foldingRange", "documentSymbol", "semanticTokens/full")},
    }.items():
        times = []
        for i in range(11):
            client.change("graph.cfg", TEXT + LAST + "#" * i + "\n")
            times.append(timed(call))
            if name != "diagnostics":
                client.messages("graph.cfg")
        print(f"{name:26} {times[0]:6.1f} {max(times[1:]):6.1f} {sorted(times[1:])[5]:6.1f}")
    client.end()
