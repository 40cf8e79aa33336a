"""Mistakes, as the server publishes them."""
import json
import os
import signal
import subprocess
import unittest
from pathlib import Path

from client import PROGRAM
from support import BODY, GRAPH, MODULE, ROOT, ServerTest


class Diagnostics(ServerTest):
    def test_a_right_graph_has_none(self):
        client = self.opened()
        self.assertEqual(client.diagnostics("graph.cfg"), [])
        self.finish(client)

    def test_they_are_those_of_check(self):
        for file in sorted((ROOT / "tests/error").glob("*.cfg")):
            with self.subTest(file.name):
                text = file.read_bytes().decode(errors="replace")
                if "include:" in text or "\0" in text or "�" in text:
                    continue
                (self.folder / file.name).write_text(text, newline="")
                done = subprocess.run([PROGRAM, "check", "--no-shaders", "--json", file.name], cwd=self.folder, stdout=subprocess.PIPE)
                wanted = [(each["line"] or 1, each["severity"], each["message"]) for each in json.loads(done.stdout)["messages"]
                          if each["file"] in (file.name, None)]
                client = self.opened(text, file.name)
                found = [(each["range"]["start"]["line"] + 1, ["", "error", "warning"][each["severity"]],
                          each["message"].split("\nhint: ")[0]) for each in client.diagnostics(file.name)]
                self.assertEqual(sorted(found), sorted((line, severity, message.replace(file.name, str(self.folder / file.name)))
                                                       for line, severity, message in wanted))
                client.process.kill()
                client.close()

    def test_come_at_each_change(self):
        client = self.opened()
        client.change("graph.cfg", GRAPH.replace("levels", "levls"))
        self.assertEqual(client.messages("graph.cfg"), ["6:13-18 eaw:01 has no parameter 'levls'\nhint: did you mean 'levels'?"])
        client.change("graph.cfg", GRAPH)
        self.assertEqual(client.messages("graph.cfg"), [])

    def test_only_the_last_of_many_changes_counts(self):
        client = self.opened()
        for i in range(50):
            client.change("graph.cfg", GRAPH.replace("levels:4", f"levels:{i % 3 + 100}"))
        client.change("graph.cfg", GRAPH)
        self.assertEqual(client.messages("graph.cfg"), [])

    def test_missing_inputs_and_connections(self):
        client = self.opened(GRAPH.replace("in.pfm", "none.pfm").replace("connect:eaw:01:output", "#"))
        found = "\n".join(client.messages("graph.cfg"))
        self.assertIn("7:7-17 the input 'input' of o-file:out is not connected", found)

    def test_warnings_have_another_severity(self):
        client = self.opened(GRAPH + "module:exposure:01\nconnect:i-file:in:output:exposure:01:input\n")
        warning, = client.diagnostics("graph.cfg")
        self.assertEqual((warning["severity"], warning["source"]), (2, "lacuna"))
        self.assertIn("exposure:01 is not run", warning["message"])

    def test_of_included_files_stand_there_and_go(self):
        (self.folder / "part.cfg").write_text("module:eaw:01\nparam:eaw:01:levls:4\n")
        text = GRAPH.replace("module:eaw:01\n", "include:part.cfg\n")
        client = self.opened(text)
        self.assertEqual(client.messages("part.cfg", of="graph.cfg"),
                         ["1:13-18 eaw:01 has no parameter 'levls'\nhint: did you mean 'levels'?"])
        client.change("graph.cfg", GRAPH)
        self.assertEqual(client.messages("part.cfg", of="graph.cfg"), [])

    def test_an_open_include_is_read_from_the_editor(self):
        (self.folder / "part.cfg").write_text("module:eaw:01\n")
        client = self.opened(GRAPH.replace("module:eaw:01\n", "include:part.cfg\n"))
        self.assertEqual(client.messages("graph.cfg"), [])
        client.open("part.cfg", "module:eaw:02\n")  # not saved
        self.assertIn("there is no eaw:01 in the graph", "\n".join(client.messages("graph.cfg")))
        client.change("part.cfg", "module:eaw:01\n# changed\n")
        self.assertEqual(client.messages("part.cfg"), [])
        client.tell("textDocument/didClose", {"textDocument": {"uri": client.uri("part.cfg")}})
        self.assertEqual(client.messages("graph.cfg"), [])

    def test_a_new_file_needs_no_file_on_disk(self):
        client = self.opened("lacuna:1\ninclude:new.cfg\n", "fresh.cfg")
        self.assertIn("cannot be read", "\n".join(client.messages("fresh.cfg")))
        client.open("new.cfg", GRAPH.replace("lacuna:1\n", ""))
        self.assertEqual(client.messages("fresh.cfg"), [])
        client.open("itself.cfg", "lacuna:1\ninclude:itself.cfg\n")
        self.assertIn("the file includes itself", "\n".join(client.messages("itself.cfg")))

    def test_files_that_include_each_other(self):
        client = self.opened("lacuna:1\ninclude:b.cfg\n", "a.cfg")
        client.open("b.cfg", "include:a.cfg\n")
        self.assertIn("the file includes itself", "\n".join(client.messages("b.cfg")))

    def test_end_with_the_document(self):
        client = self.opened("lacuna:1\nnonsense\n")
        self.assertNotEqual(client.messages("graph.cfg"), [])
        client.tell("textDocument/didClose", {"textDocument": {"uri": client.uri("graph.cfg")}})
        while True:
            note = client.receive()
            if "version" not in note["params"]:
                break
        self.assertEqual(note["params"], {"uri": client.uri("graph.cfg"), "diagnostics": []})

    def test_documents_without_a_file(self):
        client = self.client()
        client.tell("textDocument/didOpen", {"textDocument": {"uri": "untitled:Untitled-1", "languageId": "lacuna", "version": 3,
                                                              "text": "lacuna:2\n"}})
        note = client.receive()["params"]
        self.assertEqual((note["uri"], note["version"]), ("untitled:Untitled-1", 3))
        self.assertIn("version '2'", note["diagnostics"][0]["message"])

    def test_bodies_are_compiled_when_a_file_is_opened_or_saved(self):
        self.words = ()
        (self.folder / "mine").mkdir()
        (self.folder / "mine/main.glsl").write_text("nonsense\n")
        client = self.opened(MODULE, "mine/module.toml")

        def of_body(isWrong):
            while True:
                note = client.receive()["params"]
                if note["uri"] == client.uri("mine/main.glsl") and bool(note["diagnostics"]) == isWrong:
                    return note["diagnostics"]
        self.assertIn("must also define", str(of_body(True)))
        (self.folder / "mine/main.glsl").write_text(BODY)
        client.tell("textDocument/didSave", {"textDocument": {"uri": client.uri("mine/module.toml")}})
        of_body(False)

    def test_native_code_that_crashes_ends_only_its_check(self):
        client = self.opened()
        self.assertEqual(client.messages("graph.cfg"), [])
        client.change("graph.cfg", GRAPH + "#\n")
        for _ in range(1000):  # until it is met
            children = Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children").read_text().split()
            for child in children:
                os.kill(int(child), signal.SIGSEGV)
            if children:
                break
        found = client.messages("graph.cfg")
        self.assertTrue(not found or "crashed (Segmentation fault)" in found[0], found)
        self.assertIsNotNone(client.on("graph.cfg", "eaw", "hover"))
        client.change("graph.cfg", GRAPH)
        self.assertEqual(client.messages("graph.cfg"), [])


if __name__ == "__main__":
    unittest.main()
