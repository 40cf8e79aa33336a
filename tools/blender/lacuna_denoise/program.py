"""The program `lacuna`: where it is, and runs of it. Nothing here knows Blender."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

WINDOWS = sys.platform == "win32"
NAME = "lacuna.exe" if WINDOWS else "lacuna"
PLACES = ["~/lacuna/bin", "~/.local/bin", "/usr/local/bin", "/opt/lacuna/bin"]


class ProgramError(Exception):
    """A message for the user."""


def find(chosen=""):
    """The chosen file (or the one in the chosen folder); else of PATH; else of the usual places."""
    if chosen:
        path = os.path.join(chosen, NAME) if os.path.isdir(chosen) else chosen
        if not os.path.isfile(path):
            raise ProgramError(f"The preferences of Lacuna name '{chosen}', but there is no program")
        if not os.access(path, os.X_OK):
            raise ProgramError(f"The preferences of Lacuna name '{path}', which is not a program: it can't be executed")
        return path
    places = [os.path.join(os.path.expanduser(place), NAME) for place in PLACES]
    found = shutil.which(NAME) or next((path for path in places if os.access(path, os.X_OK)), None)
    if not found:
        raise ProgramError("The program 'lacuna' is neither in PATH nor in "
                           f"{', '.join(PLACES)}: choose it in the preferences of this add-on")
    return found


def call(program, *words):
    """Its output, for short questions."""
    try:
        done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise ProgramError(f"'{program}' can't be run: {failure}") from failure
    if done.returncode != 0:
        raise ProgramError(done.stderr.decode(errors="replace").strip() or f"'{program}' failed")
    return done.stdout.decode(errors="replace")


def devices(program):
    return json.loads(call(program, "devices", "--json"))


def info(program, file):
    """What the first picture of a file holds."""
    return json.loads(call(program, "info", "--json", file))[0]


class Run:
    """A process beside this one; it reads nothing, and its words go to a file."""

    def __init__(self, program, words):
        self._log = tempfile.TemporaryFile()
        flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if WINDOWS else {}
        try:
            self._process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=self._log,
                                             stderr=subprocess.STDOUT, **flags)
        except OSError as failure:
            raise ProgramError(f"'{program}' can't be run: {failure}") from failure

    def code(self):
        """None while it runs."""
        return self._process.poll()

    def wait(self):
        return self._process.wait()

    def cancel(self):
        """Files that are being written are finished."""
        if self.code() is None:
            self._process.terminate()

    def lines(self):
        self._log.seek(0)
        return self._log.read().decode(errors="replace").splitlines()

    def problem(self):
        """What the program reported, without warnings and progress."""
        marks = [line for line in self.lines() if "error:" in line]
        return "\n".join(marks or self.lines()[-3:]) or f"the program ended with code {self.code()}"
