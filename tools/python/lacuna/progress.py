"""Progress of long runs."""
from __future__ import annotations

import sys
from collections.abc import Callable


def show_progress() -> Callable[[int, int, int, float], None]:
    """For `progress=` of Graph.run_files(): a line that goes on, below the cell of a notebook or on a terminal."""
    handle = None
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None:
        from IPython.display import display  # type: ignore[import]
        handle = display({"text/plain": ""}, raw=True, display_id=True)

    def show(done: int, total: int, frame: int, seconds: float) -> None:
        left = seconds / done * (total - done) if done else 0.0
        text = f"{done} of {total} frames, {seconds:.0f} s, {left:.0f} s left"
        if handle is not None:
            handle.update({"text/plain": text}, raw=True)
        else:
            sys.stderr.write(f"\r{text}" + ("\n" if done == total else ""))
            sys.stderr.flush()

    return show
