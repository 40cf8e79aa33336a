"""A client of `lacuna lsp`, for tests and measurements."""
import json
import os
import select
import subprocess
from pathlib import Path
from urllib.parse import quote

PROGRAM = os.path.abspath(os.environ["LACUNA_PROGRAM"])
SECONDS = 60  # a server that hangs must end a test


class Failed(Exception):
    """An error that the server answered with."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    def __init__(self, folder, *words, encodings=None, initialize=True):
        self.folder, self.number, self.came, self.notes, self.versions, self.texts = Path(folder), 0, b"", [], {}, {}
        self.process = subprocess.Popen([PROGRAM, "lsp", *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        if initialize:
            general = {"positionEncodings": encodings} if encodings else {}
            self.capabilities = self.ask("initialize", {"processId": None, "capabilities": {"general": general}})["capabilities"]
            self.tell("initialized", {})

    # Messages.

    def write(self, data):
        """Reads meanwhile, as editors do: a server that waits for its reader doesn't read."""
        while data:
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin], [], SECONDS)
            block = self.process.stdout.read(1 << 20) if readable else b""
            self.came += block
            if writable:
                data = data[self.process.stdin.write(data[:select.PIPE_BUF]):]
            assert writable or block, "the server doesn't read"

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        while True:
            head, end, rest = self.came.partition(b"\r\n\r\n")
            if end:
                size = int(head.split(b":")[1])
                if len(rest) >= size:
                    self.came = rest[size:]
                    return json.loads(rest[:size].decode())
            assert select.select([self.process.stdout], [], [], SECONDS)[0], "the server doesn't answer"
            block = self.process.stdout.read(1 << 20)
            if not block:
                raise EOFError(self.process.stderr.read().decode())
            self.came += block

    def answer(self, number):
        while True:
            message = self.receive()
            if "id" not in message:
                self.notes.append(message)
            elif message["id"] == number:
                if "error" in message:
                    raise Failed(message["error"])
                return message["result"]

    def ask(self, method, parameters=None):
        self.number += 1
        self.send({"id": self.number, "method": method, **({} if parameters is None else {"params": parameters})})
        return self.answer(self.number)

    def tell(self, method, parameters=None):
        self.send({"method": method, **({} if parameters is None else {"params": parameters})})

    def end(self):
        """Shuts the server down; its exit code."""
        if self.process.poll() is None:
            self.ask("shutdown")
            self.tell("exit")
        return self.close()

    def close(self):
        self.errors = self.process.communicate(timeout=SECONDS)[1].decode()  # reads to the end: the server may still write
        return self.process.returncode

    # Documents, by names in the folder.

    def uri(self, name):
        return "file://" + quote(str(self.folder / name))

    def open(self, name, text=None):
        if text is None:
            text = (self.folder / name).read_text()
        self.versions[name], self.texts[name] = 1, text
        self.tell("textDocument/didOpen",
                  {"textDocument": {"uri": self.uri(name), "languageId": "lacuna", "version": 1, "text": text}})

    def change(self, name, text):
        self.versions[name] += 1
        self.texts[name] = text
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.versions[name]},
                                             "contentChanges": [{"text": text}]})

    def diagnostics(self, name, of=None):
        """Those of a file, once the open document `of` (by default the same) is checked as it is now."""
        of = of or name
        found = None
        while True:
            for note in self.notes:
                about = note["params"]
                if about["uri"] == self.uri(name):
                    found = about["diagnostics"]
                if about["uri"] == self.uri(of) and about.get("version") == self.versions[of] and (of == name or found is not None):
                    self.notes = []
                    return found
            self.notes = [self.receive()]

    def messages(self, name, of=None):
        """The same as text: "3:8-14 message"."""
        return ["{}:{}-{} {}".format(each["range"]["start"]["line"], each["range"]["start"]["character"],
                                     each["range"]["end"]["character"], each["message"]) for each in self.diagnostics(name, of)]

    def at(self, name, line, character, method, **more):
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)},
                                                   "position": {"line": line, "character": character}, **more})

    def on(self, name, marked, method, offset=0, **more):
        """At the place of a text in the document."""
        before = self.texts[name][:self.texts[name].index(marked) + offset]
        line = before.count("\n")
        return self.at(name, line, len(before.split("\n")[-1].encode("utf-16-le")) // 2, method, **more)

    def of(self, name, method, **more):
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, **more})

    def complete(self, name, text):
        """Labels at the end of the text, in the order of their sortText."""
        self.change(name, text)
        items = self.on(name, text, "completion", len(text))["items"]
        return [item["label"] for item in sorted(items, key=lambda item: item["sortText"])]

    def accept(self, name, text, label):
        """The text after the item was taken at its end."""
        self.change(name, text)
        items = self.on(name, text, "completion", len(text))["items"]
        edit = next(item["textEdit"] for item in items if item["label"] == label)
        return apply(text, [edit])


def apply(text, edits):
    """The text with edits, whose positions are UTF-16's."""
    lines = text.split("\n")

    def offset(position):
        line = position["line"]
        if line >= len(lines):
            return len(text)
        characters = lines[line].encode("utf-16-le")[:2 * position["character"]].decode("utf-16-le")
        return sum(len(each) + 1 for each in lines[:line]) + len(characters)

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text
