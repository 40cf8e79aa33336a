"""What a preset renders and how it is trained. Numbers of samples are paths a pixel."""

from dataclasses import dataclass, replace
from typing import Tuple


@dataclass(frozen=True)
class Preset:
    scenes: int  # to train on
    held_out: int  # scenes to judge by, from seeds of their own
    fine_held_out: int  # more of them, with fine textures and more gloss
    views: int  # cameras in each scene; held-out scenes have one
    size: Tuple[int, int]  # width and height of a picture, pixels
    noisy: Tuple[int, ...]  # samples of a view's noisy pictures; a 0 is drawn from `others`
    others: Tuple[int, ...]
    held_out_noisy: Tuple[int, ...]  # as many as `noisy`
    reference: int  # samples
    held_out_reference: int
    chunk: int  # most samples of a dispatch; references are means of several dispatches
    tile: int  # pixels
    tiles: int  # a fixed number of them, never flipped; 0 for new ones in each step
    batch: int  # tiles a step
    steps: int
    rate: float  # of Adam, at its highest
    frames: int = 0  # of a sequence; 0: stills. A view is then a sequence with a noisy picture and a reference for each frame
    unroll: int = 0  # frames of a step


PRESETS = {
    # Vannson 2023, 2.3.1: 900 tiles, 200 epochs. The study doesn't state picture size, batch and rate; the batch divides the tiles.
    "study": Preset(scenes=30, held_out=12, fine_held_out=0, views=1, size=(512, 512), noisy=(4, 4, 4), others=(),
                    held_out_noisy=(4, 4, 4), reference=10000, held_out_reference=10000, chunk=1000, tile=128, tiles=900, batch=15, steps=200 * 900 // 15,
                    rate=1e-3),
    # Tiles are larger than the study's: the coarsest layers then have 6x6 values, of which fewer are at the border.
    "lacuna": Preset(scenes=240, held_out=12, fine_held_out=10, views=2, size=(384, 384), noisy=(4, 4, 0, 0, 0),
                     others=(1, 1, 2, 8, 8, 16, 64, 64, 256, 256), held_out_noisy=(4, 1, 16, 64, 256), reference=768, held_out_reference=2048, chunk=1024, tile=192, tiles=0, batch=16, steps=18000,
                     rate=1e-3),
}
# Sequences in which things move, for networks with history.
PRESETS["sequences"] = Preset(scenes=300, held_out=8, fine_held_out=4, views=1, size=(256, 256), noisy=(0,), others=(1, 1, 1, 1, 1, 2, 4, 8),
                              held_out_noisy=(1,), reference=384, held_out_reference=1024, chunk=1024, tile=192, tiles=0, batch=6, steps=20000,
                              rate=1e-3, frames=12, unroll=8)
# To try everything in a minute, on any device.
PRESETS["smoke"] = replace(PRESETS["lacuna"], scenes=3, held_out=1, fine_held_out=1, size=(64, 64), reference=64, held_out_reference=64,
                           chunk=64, tile=32, batch=4, steps=20)
PRESETS["smoke-sequences"] = replace(PRESETS["sequences"], scenes=3, held_out=1, fine_held_out=1, size=(64, 64), reference=16, held_out_reference=16,
                                     tile=32, batch=2, steps=6, frames=5, unroll=3)
