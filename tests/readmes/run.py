#!/usr/bin/env python3
"""Runs the commands of all READMEs and of the comments that graph files begin with, from their own text, each in a copy of what
the text supposes: tests/readmes/run.py PROGRAM [README...]. commands.toml says what they need beside that, and which aren't run."""

import concurrent.futures
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
COMMAND = re.compile(r"(lacuna|cmake|ctest|g\+\+|gdb|python3|cat|cmp|for|[A-Z]+=\S+|(\./|tools/|build/|bin/)\S+)(\s|$)")
SECONDS = 120  # that a command may take: one that hangs must end
CORE = ("README.md",)  # what `tools/test` runs without --whole


class Item:
    """A command, or ($ in front of it) a command and what it prints."""

    def __init__(self, readme, text, printed=None):
        self.readme, self.text, self.printed = readme, text, printed


def lines_of(block):
    """Commands: lines, of which some go on in the next one."""
    return [line for line in re.sub(r"\\\n\s*", "", block).split("\n") if line.strip() and not line.startswith("#")]


def items_of(readme, text):
    if not readme.endswith(".md"):
        return [Item(readme, line) for line in re.findall(r"^#   (lacuna .*)$", text, re.M)]
    items = []
    for block in (match.group(2) for match in FENCE.finditer(text) if not match.group(1)):
        if block.startswith("$ "):
            command, printed = block[2:].split("\n", 1)
            items.append(Item(readme, command, printed))
        elif COMMAND.match(block):
            items += [Item(readme, line) for line in lines_of(block) if COMMAND.match(line)]
    return items


def files_of(text):
    """Files that a README shows: `NAME` and a colon at the end of the line before a block."""
    for match in FENCE.finditer(text):
        before = text[:match.start()].rstrip().split("\n")[-1]
        name = re.search(r"`([\w./-]+\.(?:cfg|toml|glsl|scene))`[^`]*:$", before)
        if name:
            yield name.group(1), match.group(2)


class Readme:
    def __init__(self, path, settings, fixtures, environment):
        self.path, self.settings, self.fixtures, self.environment = path, settings, fixtures, environment
        self.used, self.failures, self.count = set(), [], 0

    def entries(self, kind, command=None):
        """Those of commands.toml that are for this README, or for a command of it."""
        for number, entry in enumerate(self.settings.get(kind, [])):
            if fnmatch.fnmatch(self.path, entry.get("readme", "*")) and (command is None or re.search(entry.get("command", ""), command)):
                self.used.add((kind, number))
                yield entry

    def shell(self, command, folder):
        return subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)

    def prepare(self, command, folder, what):
        done = self.shell(command, folder)
        if done.returncode != 0:
            self.failures.append("%s: before %s: `%s` ended with %d\n%s" % (self.path, what, command, done.returncode, done.stdout))

    def run(self, item, folder):
        for entry in self.entries("before", item.text):
            self.prepare(entry["shell"], folder, "`%s`" % item.text)
        self.count += 1
        start = time.monotonic()
        try:
            done = self.shell(item.text, folder)
        except subprocess.TimeoutExpired:
            self.failures.append("%s: `%s` took more than %d seconds" % (self.path, item.text, SECONDS))
            return
        if os.environ.get("LACUNA_README_TIMES"):
            print("%6.2f s  %s: %s" % (time.monotonic() - start, self.path, item.text), flush=True)
        if item.printed is not None and done.stdout != item.printed:
            self.failures.append("%s: `%s` prints\n%s\nbut the README shows\n%s" % (self.path, item.text, done.stdout, item.printed))
        elif item.printed is None and done.returncode != 0:
            self.failures.append("%s: `%s` ended with %d\n%s" % (self.path, item.text, done.returncode, done.stdout))

    def check(self):
        with open(os.path.join(ROOT, self.path)) as file:
            text = file.read()
        left = [item for item in items_of(self.path, text) if not list(self.entries("skip", item.text))]
        if left:
            with tempfile.TemporaryDirectory(prefix="lacuna-readmes-") as copy:
                shutil.copytree(self.fixtures, copy, symlinks=True, dirs_exist_ok=True)
                for name, block in files_of(text):
                    os.makedirs(os.path.dirname(os.path.join(copy, name)), exist_ok=True)
                    with open(os.path.join(copy, name), "w") as file:
                        file.write(block)
                folder = copy
                for entry in self.entries("folder"):
                    if "make" in entry:
                        self.prepare(entry["make"], copy, "its folder")
                    folder = os.path.join(copy, entry["folder"])
                for item in left:
                    item.text = item.text.replace("@NAME@", os.path.basename(folder))
                    self.run(item, folder)
        return self


def main():
    program = os.path.abspath(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "*.md", "pipelines/*.cfg"], cwd=ROOT, check=True, capture_output=True, text=True)
    readmes = sys.argv[2:] or (os.environ.get("LACUNA_TEST_CORE") and list(CORE)) or [path for path in listed.stdout.split() if not path.startswith("graph/decisions/")]
    with open(os.path.join(HERE, "commands.toml"), "rb") as file:
        settings = tomllib.load(file)
    with tempfile.TemporaryDirectory(prefix="lacuna-readmes-") as work:
        bin_folder, fixtures = os.path.join(work, "bin"), os.path.join(work, "fixtures")
        os.makedirs(bin_folder)
        os.makedirs(fixtures)
        os.symlink(program, os.path.join(bin_folder, "lacuna"))
        environment = {**os.environ, "PATH": bin_folder + ":/usr/bin:" + os.environ["PATH"], "HOME": work}
        environment.setdefault("LACUNA_CACHE", os.path.join(work, "cache"))
        subprocess.run([os.path.join(HERE, "fixtures"), ROOT, program], cwd=fixtures, env=environment, check=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda path: Readme(path, settings, fixtures, environment).check(), readmes))
    failures = sum((readme.failures for readme in done), [])
    if len(sys.argv) == 2 and not os.environ.get("LACUNA_TEST_CORE"):
        used = set().union(*(readme.used for readme in done))
        failures += ["commands.toml: no command fits this entry of '%s': %s" % (kind, entry)
                     for kind, entries in settings.items() for number, entry in enumerate(entries) if (kind, number) not in used]
    for failure in failures:
        print(failure.rstrip() + "\n", flush=True)
    count = sum(readme.count for readme in done)
    print("%d commands of %d files, %d mistakes" % (count, len(readmes), len(failures)))
    if count == 0:
        print("no command was found")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
