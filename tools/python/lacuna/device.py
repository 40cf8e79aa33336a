"""Devices that compute."""
from __future__ import annotations

import atexit
import os
import signal
import sys
import threading

from collections.abc import Callable

from . import _core
from .errors import mistake, text_of


def devices() -> list[dict]:
    """All Vulkan devices, the best one first: name, uuid, kind, driver, memory_bytes, image_side; `unusable` says why one can't be used."""
    return _core.devices()


on_close: list[Callable[[_core.Device], None]] = []  # functions that release data of devices


class Device:
    """A device, until close() or the end of a `with`. `select`: its place in devices(), from "0", a part of its name, its uuid, or "cpu"; empty: the best one.

    Functions that get no device share one, the best."""

    def __init__(self, select: str = "", *, validates: bool = False):
        self._handle: _core.Device | None = _core.Device(text_of(select, "select", "a part of a device's name", "lacuna.devices() lists them"), bool(validates))

    @property
    def handle(self) -> _core.Device:
        if self._handle is None:
            raise mistake("the device is closed", "open another one by lacuna.Device()")
        return self._handle

    @property
    def description(self) -> dict:
        return self.handle.description()

    @property
    def closed(self) -> bool:
        return self._handle is None

    def close(self) -> None:
        """What was given the device can't run any more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            for forget in on_close:
                forget(handle)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __reduce__(self):
        raise mistake("a lacuna.Device can't be pickled", "each process opens its own")

    def __repr__(self) -> str:
        return "lacuna.Device(closed)" if self.closed else f"lacuna.Device({self.description['name']!r})"


_shared: Device | None = None
_opening = threading.RLock()  # reentrant: a signal handler may denoise, too


def device_or_shared(device: Device | None) -> Device:
    global _shared
    if device is not None:
        if not isinstance(device, Device):
            raise mistake(f"device: expected a lacuna.Device, got {device!r}",
                          f"lacuna.Device({device!r}) opens one by its name" if isinstance(device, str) else "lacuna.Device() opens the best one")
        return device
    with _opening:
        if _shared is None or _shared.closed:
            _shared = Device()
        return _shared


@atexit.register
def _end() -> None:
    """A frame can't be stopped on the device, whether Ctrl-C interrupted it or a daemon thread runs it. A program that ends by Ctrl-C does
    not wait for it; another one must, since the frame would be using memory that is gone."""
    try:
        while not _core.wait_for_jobs(0.3):
            if getattr(sys, "last_type", None) is KeyboardInterrupt:
                break
        else:
            return
    except KeyboardInterrupt:
        pass
    sys.stdout.flush()
    sys.stderr.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
