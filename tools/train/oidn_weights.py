#!/usr/bin/env python3
"""Copies the weights of all networks out of an installed Open Image Denoise 2 (OIDN): oidn_weights.py --out FOLDER

Writes FOLDER/NAME.tza and FOLDER/LICENSE.txt and prints a table. Inside the library the archives have no names. Each is given
back to OIDN as a filter's weights, and gets the name of the built-in network that makes the same picture, bit for bit, on the
CPU. Facts from OIDN's source at e050ac80 (github.com/RenderKit/oidn): the format from core/tza.cpp, which network a mode runs
from core/unet_filter.cpp, names from core/rt_filter.cpp and core/rtlightmap_filter.cpp, the C API from oidn.h."""

import argparse
import array
import ctypes
import importlib.util
import math
import os
import random
import struct
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROGRAM = "oidn_weights.py"
PACKAGE = "pyoidn"
INSTALL = "python3 -m venv oidn; oidn/bin/pip install pyoidn==2.5.1"
LIBRARIES = ("libOpenImageDenoise.so*", "libOpenImageDenoise*.dylib", "OpenImageDenoise.dll")
NOTICE = """The files *.tza in this folder are weights of Open Image Denoise, https://www.openimagedenoise.org, by Intel Corporation.
They were copied unchanged out of its library.

Licence: Apache License, Version 2.0, https://www.apache.org/licenses/LICENSE-2.0
"""


# Archives

MAGIC = struct.pack("<HB", 0x41D7, 2)  # and the major version
HEADER = 12  # bytes: magic, version, the table's offset
LAYOUTS = ("x", "oihw")  # a letter for each dimension
TYPE_SIZES = {"f": 4, "h": 2}
MOST_TENSORS = 1000  # OIDN's largest network has 38


class Archive(NamedTuple):
    data: bytes
    shapes: dict  # by the tensor's name

    @property
    def channels(self):
        """Of the network's input; 0 if this is no network of OIDN."""
        first = self.shapes.get("enc_conv0.weight") or self.shapes.get("enc_conv1a.weight") or ()
        return first[1] if len(first) == 4 else 0


def read_archive(data, begin=0):
    """The archive that begins there; what follows it doesn't count. Raises ValueError if there is none."""
    at = begin

    def take(size, what):
        nonlocal at
        if size > len(data) - at:
            raise ValueError(f"{what} ends behind the last byte")
        at += size
        return data[at - size:at]

    def number(letter, what):
        return struct.unpack("<" + letter, take(struct.calcsize("<" + letter), what))[0]

    if take(len(MAGIC), "the magic number") != MAGIC:
        raise ValueError("no archive of version 2")
    number("B", "the minor version")
    table = number("Q", "the table's offset")
    if table < HEADER:
        raise ValueError(f"the table's offset is {table}, expected {HEADER} or more")
    at = begin + table
    count = number("I", "the number of tensors")
    if not 1 <= count <= MOST_TENSORS:
        raise ValueError(f"{count} tensors, expected 1 to {MOST_TENSORS}")
    shapes, ends = {}, []
    for _ in range(count):
        name = take(number("H", "a name's length"), "a name").decode("ascii")  # UnicodeDecodeError is a ValueError
        if not name or name in shapes:
            raise ValueError(f"a tensor's name is '{name}', expected one that no other has")
        dimensions = number("B", name)
        shapes[name] = struct.unpack(f"<{dimensions}I", take(4 * dimensions, name))
        layout, type_letter = take(dimensions, name).decode("ascii"), take(1, name).decode("ascii")
        if layout not in LAYOUTS or type_letter not in TYPE_SIZES:
            raise ValueError(f"{name} has layout '{layout}' and type '{type_letter}'")
        begins = number("Q", name)
        ends.append(begins + math.prod(shapes[name]) * TYPE_SIZES[type_letter])
        if begins < HEADER or ends[-1] > len(data) - begin:
            raise ValueError(f"{name} has bytes {begins} to {ends[-1]}, the archive {len(data) - begin} at most")
    return Archive(data[begin:max(at, begin + max(ends))], shapes)


def find_archives(data):
    """All in the bytes of a file. Where the magic number stands by chance, nothing that looks like a table follows."""
    archives, at = [], data.find(MAGIC)
    while at >= 0:
        try:
            archives.append(read_archive(data, at))
            at += len(archives[-1].data)
        except ValueError:
            at += 1
        at = data.find(MAGIC, at)
    return archives


def archives_of(library):
    """Those in the library and in its parts beside it (libOpenImageDenoise_core.so.2.5.1), each once."""
    stem = library.name.split(".")[0].split("-")[0]
    files = {file.resolve() for file in library.parent.iterdir() if file.name.startswith(stem) and file.is_file()}
    found = {archive.data: archive for file in sorted(files) for archive in find_archives(file.read_bytes())}
    return list(found.values())


# OIDN

class Mode(NamedTuple):
    filter: str
    images: tuple
    flags: tuple = ()


COLOUR, ALBEDO, NORMAL = "color", "albedo", "normal"  # OIDN's names
MODES = {
    "rt_hdr": Mode("RT", (COLOUR,), ("hdr",)),
    "rt_hdr_alb": Mode("RT", (COLOUR, ALBEDO), ("hdr",)),
    "rt_hdr_alb_nrm": Mode("RT", (COLOUR, ALBEDO, NORMAL), ("hdr",)),
    "rt_hdr_calb_cnrm": Mode("RT", (COLOUR, ALBEDO, NORMAL), ("hdr", "cleanAux")),
    "rt_ldr": Mode("RT", (COLOUR,)),
    "rt_ldr_alb": Mode("RT", (COLOUR, ALBEDO)),
    "rt_ldr_alb_nrm": Mode("RT", (COLOUR, ALBEDO, NORMAL)),
    "rt_ldr_calb_cnrm": Mode("RT", (COLOUR, ALBEDO, NORMAL), ("cleanAux",)),
    "rt_alb": Mode("RT", (ALBEDO,)),
    "rt_nrm": Mode("RT", (NORMAL,)),
    "rtlightmap_hdr": Mode("RTLightmap", (COLOUR,)),
    "rtlightmap_dir": Mode("RTLightmap", (COLOUR,), ("directional",)),
}
QUALITIES = {"high": 6, "balanced": 5, "fast": 4}  # the large network where there is one; the base; the small where there is one

CPU, FLOAT3 = 1, 3  # OIDN_DEVICE_TYPE_CPU, OIDN_FORMAT_FLOAT3
ABSENT = (2, 3)  # OIDN_ERROR_INVALID_ARGUMENT, OIDN_ERROR_INVALID_OPERATION: what a library without the mode reports
SIDE = 48  # pixels, of the pictures that are compared
_handle, _text, _size, _int = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
FUNCTIONS = {  # result, arguments
    "oidnNewDevice": (_handle, _int),
    "oidnCommitDevice": (None, _handle),
    "oidnGetDeviceInt": (_int, _handle, _text),
    "oidnGetDeviceError": (_int, _handle, ctypes.POINTER(_text)),
    "oidnNewFilter": (_handle, _handle, _text),
    "oidnReleaseFilter": (None, _handle),
    "oidnSetSharedFilterImage": (None, _handle, _text, _handle, _int, _size, _size, _size, _size, _size),
    "oidnSetSharedFilterData": (None, _handle, _text, _handle, _size),
    "oidnSetFilterBool": (None, _handle, _text, ctypes.c_bool),
    "oidnSetFilterInt": (None, _handle, _text, _int),
    "oidnCommitFilter": (None, _handle),
    "oidnExecuteFilter": (None, _handle),
}


class Library:
    """OIDN on the CPU, by its C API."""

    def __init__(self, path):
        try:
            loaded = ctypes.CDLL(str(path))
        except OSError as error:
            sys.exit(f"{PROGRAM}: {path} can't be loaded: {error}")
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(loaded, name, None)
            if function is None:
                sys.exit(f"{PROGRAM}: {path} has no function {name}; expected libOpenImageDenoise.so of OIDN 2, whose parts "
                         "(such as libOpenImageDenoise_core.so) lie beside it")
            function.restype, function.argtypes = result, arguments
        self.path, self.oidn, self.device = path, loaded, None
        self.device = loaded.oidnNewDevice(CPU)
        if self.device:
            loaded.oidnCommitDevice(self.device)
        self._check("a CPU device")
        self.version = ".".join(str(loaded.oidnGetDeviceInt(self.device, b"version" + part)) for part in (b"Major", b"Minor", b"Patch"))
        draw = random.Random(1)
        self.inputs = {image: array.array("f", (draw.uniform(-1 if image == NORMAL else 0, 1) for _ in range(3 * SIDE * SIDE)))
                       for image in (COLOUR, ALBEDO, NORMAL)}

    def _check(self, doing):
        """True if nothing failed, False where the library has no such mode."""
        message = _text()
        code = self.oidn.oidnGetDeviceError(self.device, ctypes.byref(message))
        if code in ABSENT and self.device:
            return False
        if code or not self.device:
            text = (message.value or b"no message").decode(errors="replace")
            sys.exit(f"{PROGRAM}: {self.path}: {doing} failed with OIDN's error {code}: {text}")
        return True

    def picture(self, name, quality, weights=None):
        """The mode's result as bytes, by the built-in network or by an archive. None where the library has no such network."""
        oidn, mode, doing = self.oidn, MODES[name], f"{name} in quality {quality}"
        output = array.array("f", bytes(4 * 3 * SIDE * SIDE))
        run = oidn.oidnNewFilter(self.device, mode.filter.encode())
        if not run:
            self._check(doing)
            return None
        for image, pixels in [(image, self.inputs[image]) for image in mode.images] + [("output", output)]:
            oidn.oidnSetSharedFilterImage(run, image.encode(), pixels.buffer_info()[0], FLOAT3, SIDE, SIDE, 0, 0, 0)
        for flag in mode.flags:
            oidn.oidnSetFilterBool(run, flag.encode(), True)
        oidn.oidnSetFilterInt(run, b"quality", QUALITIES[quality])
        if weights is not None:
            oidn.oidnSetSharedFilterData(run, b"weights", weights, len(weights))
        oidn.oidnCommitFilter(run)
        ran = self._check(doing)
        if ran:
            oidn.oidnExecuteFilter(run)
            ran = self._check(doing)
        oidn.oidnReleaseFilter(run)
        return output.tobytes() if ran else None


# Names

class Named(NamedTuple):
    name: str
    mode: Mode
    network: str  # base, small or large
    qualities: list  # that run it
    archive: Archive


def name_archives(picture, archives):
    """([Named], what stays without a name). `picture` is a library's."""
    named, problems = [], []
    for mode_name, mode in MODES.items():
        qualities, whole = {}, True  # qualities by the archive's number
        for quality in QUALITIES:
            expected = picture(mode_name, quality)
            if expected is None:
                continue
            same = [number for number, archive in enumerate(archives)
                    if archive.channels == 3 * len(mode.images) and picture(mode_name, quality, archive.data) == expected]
            if len(same) == 1:
                qualities.setdefault(same[0], []).append(quality)
            else:
                whole = False
                problems.append(f"{mode_name} in quality {quality}: its picture is that of {len(same) or 'none'} of the archives, "
                                "expected one; none is named after this mode")
        for number, used in qualities.items() if whole else ():
            network = "base" if "balanced" in used else "large" if "high" in used else "small"
            named.append(Named(mode_name + ("" if network == "base" else "_" + network), mode, network, used, archives[number]))
    nameless = [archive for archive in archives if not any(entry.archive is archive for entry in named)]
    problems += [f"an archive of {len(archive.data)} bytes with {archive.channels} input channels is no mode's network and isn't written"
                 for archive in nameless]
    return named, problems


def table(named):
    rows = [("name", "bytes", "network", "inputs", "quality")]
    for entry in named:
        inputs = ", ".join("colour" if image == COLOUR else image for image in entry.mode.images)
        rows.append((entry.name, str(len(entry.archive.data)), entry.network, inputs, ", ".join(entry.qualities)))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join(cell.rjust(width) if column == 1 else cell.ljust(width) for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
             for row in rows]
    names = {}
    for entry in named:
        names.setdefault(entry.archive.data, []).append(entry.name)
    return lines + [" and ".join(shared) + " are one archive" for shared in names.values() if len(shared) > 1]


# Files

def installed_library():
    """Of the package in the Python that runs this; the package isn't imported."""
    found = importlib.util.find_spec(PACKAGE)
    for folder in found.submodule_search_locations or () if found else ():
        for pattern in LIBRARIES:
            for file in sorted(Path(folder).rglob(pattern)):
                return file
    sys.exit(f"{PROGRAM}: {sys.executable} has no package {PACKAGE} with the library; install it outside the source tree ({INSTALL}) and run "
             f"this by oidn/bin/python, or give --library FILE")


def licence(library):
    """The text beside the library or in its package's metadata, else a notice."""
    for folder in library.parents[:4]:
        for file in [*folder.glob("doc/LICENSE.txt"), *sorted(folder.glob("*oidn*.dist-info/**/LICENSE*"))]:
            if file.is_file() and b"Apache License" in file.read_bytes():
                return file.read_bytes()
    return NOTICE.encode()


def write_files(folder, files, overwrite):
    """Each appears complete; before any does, all are stored. Files with the same content stay. Returns how many were written."""
    new = {}
    for name, content in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            new[path] = content
    different = [path.name for path in new if path.exists()]
    if different and not overwrite:
        sys.exit(f"{PROGRAM}: {folder} has other files of these names: {', '.join(different)}; nothing was written. "
                 "Choose another folder, or --overwrite replaces them")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as parts:
        for path, content in new.items():
            Path(parts, path.name).write_bytes(content)
        for path in new:
            os.replace(Path(parts, path.name), path)
    return len(new)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="for the archives")
    parser.add_argument("--library", type=Path, metavar="FILE",
                        help=f"libOpenImageDenoise.so of OIDN 2, with its parts beside it (default: that of the package {PACKAGE})")
    parser.add_argument("--overwrite", action="store_true", help="replace files that have other content")
    arguments = parser.parse_args()
    try:
        path = (arguments.library or installed_library()).absolute()
        if not path.is_file():
            sys.exit(f"{PROGRAM}: --library {arguments.library}: there is no such file")
        if arguments.out.exists() and not arguments.out.is_dir():
            sys.exit(f"{PROGRAM}: --out {arguments.out} is a file, expected a folder")
        library, archives = Library(path), archives_of(path)
        print(f"Open Image Denoise {library.version}, {path}: {len(archives)} archives")
        named, problems = name_archives(library.picture, archives)
        for problem in problems:
            print(f"{PROGRAM}: warning: {problem}", file=sys.stderr)
        if not named:
            sys.exit(f"{PROGRAM}: no archive in {path} or its parts could be named; nothing was written")
        files = {entry.name + ".tza": entry.archive.data for entry in named}
        files["LICENSE.txt"] = licence(path)
        written = write_files(arguments.out, files, arguments.overwrite)
    except OSError as error:
        sys.exit(f"{PROGRAM}: {error.filename}: {error.strerror}")
    print("\n".join(table(named)))
    print(f"{arguments.out}: {written} files written, {len(files) - written} were there")


if __name__ == "__main__":
    main()
