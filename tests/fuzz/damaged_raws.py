"""Truncated and bit-flipped raw photographs: `lacuna-raw` ends each with pixels or a message, in bounded memory and time.

    python3 tests/fuzz/damaged_raws.py BUILD [NUMBER]

Seeds are DNG files that `lacuna` of the build folder makes. Every 50th goes through `lacuna info`, too."""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_KIB = 1 << 20
MOST_SECONDS = 60
ROOT = Path(__file__).resolve().parents[2]
GRAPH = """lacuna:1
module:i-png:01
module:colour:01
module:crop:01
module:mosaic:01
module:o-dng:01
connect:i-png:01:output:colour:01:input
connect:colour:01:output:crop:01:input
connect:crop:01:output:mosaic:01:input
connect:mosaic:01:output:o-dng:01:input
connect:mosaic:01:camera:o-dng:01:camera
param:i-png:01:filename:"{photo}"
param:crop:01:width:97
param:crop:01:height:61
param:mosaic:01:pattern:{pattern}
param:o-dng:01:filename:"{out}"
"""


def seeds(lacuna, folder):
    for pattern in ("rggb", "x-trans", "none", "linear"):
        graph, out = folder / f"{pattern}.cfg", folder / f"{pattern}.dng"
        text = GRAPH.format(photo=ROOT / "examples/inputs/photo.png", pattern=pattern, out=out)
        if pattern == "linear":  # colours unchanged
            text = "\n".join(line for line in text.split("\n") if "mosaic" not in line) + "connect:crop:01:output:o-dng:01:input\n"
        graph.write_text(text)
        subprocess.run([lacuna, "run", "-q", graph], check=True)
        yield out.read_bytes()


def damaged(whole, chance):
    """Tags lie behind the pixels: most changes are there, or in the header."""
    data = bytearray(whole)
    if chance.random() < 0.3:
        return bytes(data[: chance.randrange(1, len(data))])
    tags = int.from_bytes(data[4:8], "little")
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(8) if chance.random() < 0.05 else chance.randrange(tags, len(data)) if chance.random() < 0.9 else chance.randrange(len(data))
        data[at] = chance.choice((data[at] ^ 1 << chance.randrange(8), chance.randrange(256), 0, 255))
    return bytes(data)


def ends(command):
    """What it printed, its exit status, the most KiB that it had, and seconds."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    return text, status, usage.ru_maxrss, time.monotonic() - start


def main():
    build = Path(sys.argv[1]).resolve()
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    chance = random.Random(33)
    counts = {"pixels": 0, "message": 0, "signal": 0}
    most = [0, 0.0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = list(seeds(build / "lacuna", folder))
        file = folder / "a.dng"
        for i in range(number):
            file.write_bytes(damaged(chance.choice(whole), chance))
            text, status, kib, seconds = ends([build / "lacuna-raw", file, "pixels", "256", "10"])
            most = [max(most[0], kib), max(most[1], seconds)]
            if kib > MOST_KIB or seconds > MOST_SECONDS or (status != 0 and not os.WIFSIGNALED(status) and not text):
                sys.exit(f"{i}: {kib} KiB, {seconds:.1f} s, status {status}, {text!r}")
            counts["signal" if os.WIFSIGNALED(status) else "pixels" if status == 0 else "message"] += 1
            if i % 50 == 0:
                text, status, kib, seconds = ends([build / "lacuna", "info", file])
                if os.WIFSIGNALED(status) or kib > MOST_KIB or seconds > MOST_SECONDS or (status != 0 and file.name.encode() not in text):
                    sys.exit(f"{i}: lacuna info: {kib} KiB, {seconds:.1f} s, status {status}, {text!r}")
    print(f"{number} files: {counts}, at most {most[0] >> 10} MiB and {most[1]:.1f} s")


main()
