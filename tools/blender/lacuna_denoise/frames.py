"""Names of frames, from Blender's way to write them to Lacuna's. Nothing here knows Blender."""
import os
import re

FOLDER = "denoised"  # beside the frames


def escaped(text):
    return text.replace("%", "%%").replace("#", "%#")


def pattern_of(path, extension):
    """Blender's output path, absolute, as a pattern: 'out/f_###' is 'out/f_%.3d.exr'. Without #, four digits follow."""
    folder, name = os.path.split(path)
    if name.lower().endswith(extension):
        name = name[:-len(extension)]
    runs = list(re.finditer("#+", name))
    if runs:  # the last run is the frame's number
        run = runs[-1]
        name = f"{escaped(name[:run.start()])}%.{len(run.group())}d{escaped(name[run.end():])}"
    else:
        name = escaped(name) + "%.4d"
    return os.path.join(escaped(folder), name + extension)


def pattern_of_file(file):
    """Of a frame: its last number varies."""
    folder, name = os.path.split(file)
    stem, extension = os.path.splitext(name)
    runs = list(re.finditer(r"(?:(?<![0-9A-Za-z])-)?\d+", stem))
    if not runs:
        return escaped(file)
    run = runs[-1]
    name = f"{escaped(stem[:run.start()])}%.{len(run.group().lstrip('-'))}d{escaped(stem[run.end():] + extension)}"
    return os.path.join(escaped(folder), name)


def file_of(pattern, number):
    return re.sub(r"%(%|#|\.(\d+)d)",
                  lambda m: m.group(1) if m.group(1) in "%#" else "%.*d" % (int(m.group(2)), number), pattern)


def numbers_of(pattern):
    """Of the existing files; [0] for a name without a number."""
    folder, name = os.path.split(pattern)
    digits = re.search(r"(?<!%)(?:%%)*%\.(\d+)d", name)
    folder = file_of(folder, 0)
    if not digits:
        return [0] if os.path.exists(file_of(pattern, 0)) else []
    before, after = file_of(name[:digits.end() - len(f"%.{digits.group(1)}d")], 0), file_of(name[digits.end():], 0)
    expression = re.compile(re.escape(before) + rf"(-?\d{{{digits.group(1)},}})" + re.escape(after))
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(int(found.group(1)) for found in map(expression.fullmatch, names) if found)


def denoised(pattern):
    folder, name = os.path.split(pattern)
    return os.path.join(folder, FOLDER, name)


class PutAside:
    """Frames of an earlier render, which must not be taken for those of the new one. What isn't rendered again returns."""

    SUFFIX = ".before-lacuna"

    def __init__(self, files):
        self._files = [file for file in files if os.path.exists(file)]
        for file in self._files:
            os.replace(file, file + self.SUFFIX)

    def end(self):
        for file in self._files:
            old = file + self.SUFFIX
            if not os.path.exists(file):
                os.replace(old, file)
            elif os.path.exists(old):
                os.remove(old)
        self._files = []
