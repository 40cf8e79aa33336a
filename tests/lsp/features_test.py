"""What editors ask of graph files."""
import json
import os
import signal
import subprocess
import unittest
from pathlib import Path

from client import PROGRAM, Failed, apply
from support import BODY, GRAPH, MODULE, ROOT, ServerTest


def described(module):
    return subprocess.run([PROGRAM, "describe", module], check=True, text=True, stdout=subprocess.PIPE).stdout


def entry(module, name):
    """A parameter's lines of `lacuna describe`, or else a connector's, without their columns."""
    lines = described(module).splitlines()
    lines = next((lines[i:] for i, line in enumerate(lines) if line == "parameters" and any(each.startswith(f"  {name} ") for each in lines[i:])), lines)
    at = next(i for i, line in enumerate(lines) if line.startswith(f"  {name} "))
    return [" ".join(line.split()) for line in lines[at:at + 2]]


def lines_of(text):
    return [" ".join(line.split()) for line in text.splitlines()]


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


class Completion(ServerTest):
    def setUp(self):
        super().setUp()
        self.server = self.opened("")

    def complete(self, text):
        return self.server.complete("graph.cfg", text)

    def test_of_an_empty_file_begins_with_the_version(self):
        self.assertEqual(self.complete("")[0], "lacuna:1")
        self.assertEqual(self.complete("# a comment\n")[0], "lacuna:1")
        self.assertNotIn("lacuna:1", self.complete("lacuna:1\n"))

    def test_of_keywords_with_what_the_guide_says(self):
        self.assertIn("connect", self.complete("lacuna:1\nco"))
        items = self.server.on("graph.cfg", "co", "completion", 2)["items"]
        connect, = (each for each in items if each["label"] == "connect")
        self.assertIn("connect:MODULE:INSTANCE:OUTPUT:MODULE:INSTANCE:INPUT\nconnects; an input takes one connection", connect["documentation"])

    def test_of_modules_with_their_summaries(self):
        listed = subprocess.run([PROGRAM, "modules", "--json"], check=True, stdout=subprocess.PIPE).stdout
        self.complete("lacuna:1\nmodule:")
        items = self.server.on("graph.cfg", "module:", "completion", 7)["items"]
        self.assertEqual([(each["label"], each["documentation"]) for each in items],
                         [(each["name"], each["summary"]) for each in json.loads(listed)])

    def test_of_instances_that_are_free(self):
        self.assertEqual(self.complete("lacuna:1\nmodule:eaw:")[0], "01")
        self.assertEqual(self.complete("lacuna:1\nmodule:eaw:01\nmodule:eaw:")[0], "02")
        self.assertEqual(self.complete("lacuna:1\nmodule:i-file:")[0], "in")
        self.assertEqual(self.complete("lacuna:1\nmodule:i-file:in\nmodule:i-file:")[0], "01")
        self.assertEqual(self.complete("lacuna:1\nmodule:o-file:")[0], "out")

    def test_of_instances_of_the_graph(self):
        self.assertEqual(self.complete(GRAPH + "param:"), ["i-file:in", "eaw:01", "o-file:out"])
        self.assertEqual(self.complete(GRAPH + "param:eaw:"), ["01"])
        self.assertEqual(self.complete(GRAPH + "param:none:"), [])

    def test_of_parameters_those_not_set_first(self):
        found = self.complete(GRAPH + "param:eaw:01:")
        self.assertEqual(found[-1], "levels")
        self.assertIn("edges", found)

    def test_says_what_describe_says(self):
        self.complete(GRAPH + "param:eaw:01:")
        for each in self.server.on("graph.cfg", "param:eaw:01:", "completion", 13)["items"]:
            self.assertEqual(lines_of(each["documentation"]), entry("eaw", each["label"]))

    def test_of_connectors_those_that_fit_first(self):
        text = "lacuna:1\nmodule:pathtrace:in\nmodule:svgf:01\nmodule:o-exr:out\n"
        self.assertEqual(self.complete(text + "connect:pathtrace:in:motion:svgf:01:")[0], "motion")
        self.assertEqual(self.complete(text + "connect:pathtrace:in:normal:svgf:01:")[0], "normal")
        self.assertEqual(set(self.complete(text + "connect:svgf:01:")), {"output"})

    def test_of_connectors_those_with_a_connection_later(self):
        text = "lacuna:1\nmodule:pathtrace:in\nmodule:svgf:01\nconnect:pathtrace:in:motion:svgf:01:motion\n"
        found = self.complete(text + "connect:pathtrace:in:motion:svgf:01:")
        self.assertLess(found.index("gradient"), found.index("motion"))  # which takes two components, too
        self.assertLess(found.index("motion"), found.index("albedo"))
        # Its own connection is none.
        client = self.server
        client.change("graph.cfg", text)
        items = client.on("graph.cfg", ":svgf:01:motion", "completion", 9)["items"]
        self.assertEqual(min(items, key=lambda each: each["sortText"])["label"], "motion")

    def test_knows_types_behind_modules_that_keep_them(self):
        text = "lacuna:1\nmodule:i-exr:in\nmodule:crop:01\nmodule:svgf:01\nconnect:i-exr:in:motion:crop:01:input\n"
        self.assertEqual(self.complete(text + "connect:crop:01:output:svgf:01:")[:2], ["gradient", "motion"])

    def test_of_consumers_those_with_a_free_input_first(self):
        text = GRAPH + "module:o-png:02\nconnect:eaw:01:output:"
        self.assertEqual(self.complete(text)[0], "o-png:02")

    def test_of_choices_and_truths_the_default_first(self):
        self.assertEqual(self.complete(GRAPH + "param:eaw:01:bounded:"), ["false", "true"])
        self.assertEqual(self.complete(GRAPH + "module:svgf:01\nparam:svgf:01:precision:"), ["f16", "f32"])

    def test_of_numbers_is_the_default(self):
        self.assertEqual(self.complete(GRAPH + "param:eaw:01:levels:"), ["5"])
        self.assertEqual(self.complete(GRAPH + "param:eaw:01:edges:"), ["2.6:0.62:0.3:0.15:0.13:0.11:0.1:0.1"])
        self.assertEqual(self.complete(GRAPH + "param:eaw:01:edges:1:1:1:1:1:1:"), ["0.1:0.1"])

    def test_of_keyframes(self):
        self.assertEqual(self.complete(GRAPH + "module:exposure:01\nkeyframe:0:exposure:01:stops:1:"), ["linear", "step"])
        self.assertIn("edges", self.complete(GRAPH + "keyframe:0:eaw:01:"))

    def test_of_files(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub/a b.png").write_bytes(b"")
        self.assertEqual(self.complete("lacuna:1\nmodule:i-file:in\nparam:i-file:in:filename:\""), ['"in.pfm"', '"sub/', '"../'])
        self.assertEqual(self.complete("lacuna:1\nmodule:i-file:in\nparam:i-file:in:filename:\"sub/"), ['"sub/a b.png"'])
        self.assertIn('"in.pfm"', self.complete("lacuna:1\ninclude:"))

    def test_the_second_quote_of_an_editor_is_replaced(self):
        text = "lacuna:1\nmodule:i-file:in\nparam:i-file:in:filename:\"in\"\n"
        self.server.change("graph.cfg", text)
        item, = (each for each in self.server.on("graph.cfg", "\"in\"", "completion", 3)["items"] if each["label"] == '"in.pfm"')
        self.assertIn('filename:"in.pfm"\n', apply(text, [item["textEdit"]]))

    def test_of_words(self):
        self.assertEqual(self.complete("lacuna:1\nwrite:"), ["all", "last"])
        self.assertEqual(self.complete("lacuna:1\nwarmup:"), ["all"])

    def test_offers_nothing_in_comments_and_behind_mistakes(self):
        for text in ("lacuna:1 # mod", "lacuna:1\nmodule eaw", "lacuna:1\nnone:", "lacuna:1\nfps:", "lacuna:1\nmodule:eaw:01 "):
            self.assertEqual(self.complete(text), [], text)

    def test_replaces_the_word_that_is_typed(self):
        self.assertEqual(self.server.accept("graph.cfg", "lacuna:1\nmodule:ea", "eaw"), "lacuna:1\nmodule:eaw")
        self.assertEqual(self.server.accept("graph.cfg", GRAPH + "connect:eaw:01:output:o-f", "o-file:out"),
                         GRAPH + "connect:eaw:01:output:o-file:out")

    def test_writes_photo_cfg_from_an_empty_file(self):
        """Items, colons and line ends alone; the names of files differ, since there is another folder."""
        name = "pipelines/photo.cfg"
        for folder in ("examples/inputs", "pipelines"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / "examples/inputs/photo.png").write_bytes((ROOT / "examples/inputs/photo.png").read_bytes())
        wanted = [line.split("#")[0].strip() for line in (ROOT / name).read_text().replace("photo-denoised", "photo").splitlines()]
        self.server.open(name, "")
        text = ""
        for line in filter(None, wanted):
            typed = ""
            while typed != line:
                self.server.change(name, text + typed)
                items = self.server.at(name, text.count("\n"), len(typed), "completion")["items"]
                made = [apply(text + typed, [item["textEdit"]])[len(text):] for item in items]
                fitting = [each for each in made if line.startswith(each) and each != typed]
                self.assertTrue(fitting, f"nothing leads to {line!r} behind {typed!r}: {made}")
                typed = max(fitting, key=len)
                typed += ":" if line.startswith(typed + ":") else ""
            text += line + "\n"
        self.server.change(name, text)
        self.assertEqual(self.server.messages(name), [])
        (self.folder / name).write_text(text)
        plans = [subprocess.run([PROGRAM, "plan", file, "--model", "nvidia"], cwd=self.folder, stdout=subprocess.PIPE).stdout
                 for file in (self.folder / name, ROOT / name)]
        self.assertTrue(plans[0])
        self.assertEqual(*plans)


class Hover(ServerTest):
    def setUp(self):
        super().setUp()
        self.server = self.opened(GRAPH + "frames:3\nwrite:last\n")

    def value(self, marked, offset=0):
        found = self.server.on("graph.cfg", marked, "hover", offset)
        return found and found["contents"]["value"]

    def test_says_what_describe_says(self):
        self.assertEqual(lines_of(self.value("levels")), entry("eaw", "levels"))
        self.assertEqual(lines_of(self.value("levels:4", 7)), entry("eaw", "levels"))  # of the value, too
        self.assertEqual(lines_of(self.value(":input\n", 1)), entry("eaw", "input"))
        self.assertEqual(self.value("eaw:01"), described("eaw"))
        self.assertEqual(self.value("eaw:01", 4), described("eaw"))

    def test_has_the_words_range(self):
        self.assertEqual(self.server.on("graph.cfg", "levels", "hover", 2)["range"],
                         {"start": {"line": 6, "character": 13}, "end": {"line": 6, "character": 19}})

    def test_of_keywords_has_the_guides_text(self):
        self.assertIn("connects; an input takes one connection", self.value("connect"))
        self.assertIn("of the sequence; by default 1 and 24", self.value("frames"))
        self.assertIn("writes only the last frame", self.value("write:last", 7))

    def test_of_nothing_is_null(self):
        for marked in ("# Reads", "coarse", "\n\n"):
            self.assertIsNone(self.value(marked, 1), marked)
        self.assertIsNone(self.server.at("graph.cfg", 4000, 2, "hover"))

    def test_a_new_parameter_needs_no_change(self):
        module = self.folder / "modules/mine"
        module.mkdir(parents=True)
        for file in (ROOT / "tests/unit/modules/join").iterdir():
            (module / file.name.replace("join", "mine")).write_text(file.read_text().replace("join", "mine"))
        toml = (module / "module.toml").read_text()
        (module / "module.toml").write_text(toml + '\n[[parameter]]\nname = "brand_new"\ntype = "float"\ndefault = 0.5\n'
                                                   'range = [0, 1]\nunit = "stops"\ndoc = "as nobody knew"\n')
        client = self.client("--modules", str(module.parent))
        client.open("graph.cfg", GRAPH + "module:mine:01\nparam:mine:01:brand_new:0.25\n")
        self.assertEqual(client.on("graph.cfg", "brand_new", "hover")["contents"]["value"],
                         "brand_new  float, default 0.5, from 0 to 1, unit: stops\n  as nobody knew\n")

    def test_of_a_signature(self):
        found = self.server.on("graph.cfg", "levels:4", "signatureHelp", 7)
        signature, = found["signatures"]
        self.assertEqual((signature["label"], found["activeParameter"]), ("levels:int", 0))
        self.assertEqual(lines_of(signature["documentation"]), entry("eaw", "levels"))
        start, end = signature["parameters"][0]["label"]
        self.assertEqual(signature["label"][start:end], "int")

    def test_of_a_signature_of_several_values(self):
        self.server.change("graph.cfg", GRAPH + "param:eaw:01:edges:1:2:")
        found = self.server.on("graph.cfg", "edges:1:2:", "signatureHelp", 10)
        self.assertEqual(found["signatures"][0]["label"], "edges" + 8 * ":float")
        self.assertEqual(found["activeParameter"], 2)

    def test_of_a_signature_there_is_none_elsewhere(self):
        for marked, offset in (("levels:4", 3), ("module:eaw", 10), ("\n\n", 1), ("# Reads", 4)):
            self.assertIsNone(self.server.on("graph.cfg", marked, "signatureHelp", offset), marked)


class Places(ServerTest):
    def setUp(self):
        super().setUp()
        (self.folder / "part.cfg").write_text("# Included.\nparam:eaw:01:levels:3\n")
        self.server = self.opened(GRAPH + "include:part.cfg\n")

    def named(self, locations):
        """The text at each place."""
        found = []
        for each in locations:
            name = each["uri"].rsplit("/", 1)[-1]
            text = self.server.texts.get(name) or (self.folder / name).read_text()
            start, end = each["range"]["start"], each["range"]["end"]
            found.append((name, start["line"], text.split("\n")[start["line"]][start["character"]:end["character"]]))
        return found

    def test_of_an_instance_is_the_line_that_makes_it(self):
        place = self.server.on("graph.cfg", "eaw:01:output", "definition", 5)
        self.assertEqual(self.named([place]), [("graph.cfg", 5, "01")])

    def test_of_modules_connectors_and_parameters_is_the_description(self):
        for marked, offset, wanted in (("eaw:01", 1, 'name = "eaw"'), ("levels", 0, 'name = "levels"'),
                                       ("levels:4", 7, 'name = "levels"'), (":input\n", 2, 'name = "input"')):
            place = self.server.on("graph.cfg", marked, "definition", offset)
            self.assertTrue(place["uri"].endswith("/modules/eaw/module.toml"))
            line = (ROOT / "modules/eaw/module.toml").read_text().split("\n")[place["range"]["start"]["line"]]
            self.assertEqual(line, wanted)

    def test_of_a_parameter_that_has_a_connectors_name(self):
        self.server.change("graph.cfg", GRAPH + "param:eaw:01:noise:1\nconnect:eaw:01:noise:report:01:input\n")
        lines = (ROOT / "modules/eaw/module.toml").read_text().split("\n")
        for marked, table in (("noise:1", "[[parameter]]"), ("noise:report", "[[connector]]")):
            line = self.server.on("graph.cfg", marked, "definition")["range"]["start"]["line"]
            self.assertEqual(lines[line - 1:line + 1], [table, 'name = "noise"'])
        self.assertIn("float", self.server.on("graph.cfg", "noise:1", "hover")["contents"]["value"])
        self.assertIn("array", self.server.on("graph.cfg", "noise:report", "hover")["contents"]["value"])

    def test_of_an_aliass_parameter_is_in_the_other_module(self):
        self.server.change("graph.cfg", "lacuna:1\nmodule:i-png:in\nparam:i-png:in:filename:\"none.png\"\n")
        place = self.server.on("graph.cfg", "filename", "definition")
        self.assertTrue(place["uri"].endswith("/modules/i-file/module.toml"), place)
        self.assertTrue(self.server.on("graph.cfg", "i-png", "definition")["uri"].endswith("/modules/i-png/module.toml"))

    def test_of_files_are_the_files(self):
        self.assertEqual(self.server.on("graph.cfg", "part.cfg", "definition")["uri"], self.server.uri("part.cfg"))
        self.assertEqual(self.server.on("graph.cfg", "in.pfm", "definition")["uri"], self.server.uri("in.pfm"))
        self.assertIsNone(self.server.on("graph.cfg", "out.pfm", "definition"))

    def test_of_other_words_is_null(self):
        self.assertIsNone(self.server.on("graph.cfg", "lacuna:1", "definition"))
        self.assertIsNone(self.server.on("graph.cfg", "# Reads", "definition"))
        self.server.change("graph.cfg", "lacuna:1\nmodule:none:01\nparam:none:01:x:1\n")
        for marked in ("none", "x:1"):
            self.assertIsNone(self.server.on("graph.cfg", marked, "definition"))

    def test_references_of_an_instance(self):
        found = self.server.on("graph.cfg", "eaw:01", "references", 4, context={"includeDeclaration": True})
        self.assertEqual(self.named(found), [("graph.cfg", 5, "01"), ("graph.cfg", 6, "01"), ("graph.cfg", 9, "01"),
                                             ("graph.cfg", 10, "01"), ("part.cfg", 1, "01")])
        found = self.server.on("graph.cfg", "eaw:01", "references", 4, context={"includeDeclaration": False})
        self.assertEqual(len(found), 4)

    def test_references_of_others(self):
        self.assertEqual(len(self.server.on("graph.cfg", "eaw:01", "references", 1)), 5)
        self.assertEqual(len(self.server.on("graph.cfg", "levels", "references", 1)), 2)
        self.assertEqual(len(self.server.on("graph.cfg", "output:eaw", "references", 1)), 1)
        self.assertEqual(self.server.on("graph.cfg", "# Reads", "references", 1), [])

    def test_rename_changes_all_files(self):
        changes = self.server.on("graph.cfg", "eaw:01", "rename", 4, newName="fine")["changes"]
        self.assertEqual(apply(self.server.texts["graph.cfg"], changes[self.server.uri("graph.cfg")]),
                         self.server.texts["graph.cfg"].replace("eaw:01", "eaw:fine"))
        self.assertEqual(apply((self.folder / "part.cfg").read_text(), changes[self.server.uri("part.cfg")]),
                         "# Included.\nparam:eaw:fine:levels:3\n")

    def test_rename_from_an_included_file(self):
        self.server.open("part.cfg")
        changes = self.server.on("part.cfg", "01", "rename", newName="x")["changes"]
        self.assertEqual(sorted(changes), [self.server.uri("graph.cfg"), self.server.uri("part.cfg")])

    def test_rename_refuses_what_would_break_the_graph(self):
        for marked, offset, name, message in (("eaw:01", 4, "a b", "is not a name"), ("eaw:01", 1, "x", "only instances"),
                                              ("levels", 1, "x", "only instances"), ("i-file:in\n", 8, "in", None)):
            try:
                self.server.on("graph.cfg", marked, "rename", offset, newName=name)
                self.assertIsNone(message)
            except Failed as error:
                self.assertIn(message, str(error))
        self.server.change("graph.cfg", GRAPH + "module:eaw:02\n")
        with self.assertRaisesRegex(Failed, "the graph has eaw:02 already"):
            self.server.on("graph.cfg", "eaw:01", "rename", 4, newName="02")

    def test_rename_is_prepared(self):
        found = self.server.on("graph.cfg", "eaw:01", "prepareRename", 5)
        self.assertEqual((found["start"], found["end"]), ({"line": 5, "character": 11}, {"line": 5, "character": 13}))
        with self.assertRaises(Failed):
            self.server.on("graph.cfg", "eaw:01", "prepareRename", 1)


class Outline(ServerTest):
    def test_formats_as_fmt_does(self):
        wild = " lacuna : 1\r\n\r\n\r\n\r\n# à\r\nmodule:eaw:01 :3:4 # é\r\nparam:eaw:01:levels: 2"
        client = self.opened(wild)
        edits = client.of("graph.cfg", "formatting", options={"tabSize": 2, "insertSpaces": True})
        done = subprocess.run([PROGRAM, "fmt", "-"], input=wild.encode(), stdout=subprocess.PIPE, check=True)
        self.assertEqual(apply(wild, edits), done.stdout.decode())
        client.change("graph.cfg", done.stdout.decode())
        self.assertEqual(client.of("graph.cfg", "formatting", options={}), [])
        client.change("graph.cfg", "lacuna:1\nnonsense\n")
        self.assertEqual(client.of("graph.cfg", "formatting", options={}), [])

    def test_folds_groups(self):
        client = self.opened("lacuna:1\n\n# a\n# b\nmodule:eaw:01\n \nframes:1\n\n\nfps:2\nwrite:all")
        self.assertEqual([(each["startLine"], each["endLine"]) for each in client.of("graph.cfg", "foldingRange")], [(2, 4), (9, 10)])

    def test_symbols(self):
        client = self.opened(GRAPH + "include:part.cfg\ninclude\nmodule:eaw\n")
        found = client.of("graph.cfg", "documentSymbol")
        self.assertEqual([each["name"] for each in found], ["i-file:in", "eaw:01", "o-file:out", "part.cfg"])
        self.assertEqual(found[1]["selectionRange"], {"start": {"line": 5, "character": 7}, "end": {"line": 5, "character": 13}})

    def tokens(self, client, text):
        legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        data = client.of("graph.cfg", "semanticTokens/full")["data"]
        line = column = 0
        found = []
        for down, right, length, kind, _ in zip(*[iter(data)] * 5):
            line, column = line + down, right if down else column + right
            whole = text.split("\n")[line].encode("utf-16-le")
            found.append((whole[2 * column:2 * (column + length)].decode("utf-16-le"), legend[kind]))
        return found

    def test_semantic_tokens(self):
        text = 'lacuna:1\nparam:eaw:01:a:1:"𝄞":on # 𝄞 é\nconnect:a:b:output:c:d:input\ninclude:x.cfg\nnone:1:x\n'
        client = self.opened(text)
        self.assertEqual(self.tokens(client, text), [
            ("lacuna", "keyword"), ("1", "number"), ("param", "keyword"), ("eaw", "class"), ("01", "variable"), ("a", "parameter"),
            ("1", "number"), ('"𝄞"', "string"), ("on", "enumMember"), ("# 𝄞 é", "comment"), ("connect", "keyword"), ("a", "class"),
            ("b", "variable"), ("output", "property"), ("c", "class"), ("d", "variable"), ("input", "property"), ("include", "keyword"),
            ("x.cfg", "string"), ("none", "keyword"), ("1", "number"), ("x", "enumMember")])


class ModuleFile(ServerTest):
    def setUp(self):
        super().setUp()
        (self.folder / "mine").mkdir()
        (self.folder / "mine/main.glsl").write_text(BODY)
        self.name = "mine/module.toml"
        self.server = self.opened(MODULE, self.name)

    def hover(self, marked, offset=0):
        found = self.server.on(self.name, marked, "hover", offset)
        return found and found["contents"]["value"]

    def test_diagnostics(self):
        self.assertEqual(self.server.messages(self.name), [])
        self.server.change(self.name, MODULE.replace("direction", "directon", 1))
        found = self.server.messages(self.name)
        self.assertTrue(any("5:0-8 unknown key 'directon' in [[connector]]\nhint: did you mean 'direction'?" in each for each in found), found)
        self.server.change(self.name, MODULE.replace("= [", "= [[[", 1))
        self.assertEqual(len(self.server.messages(self.name)), 1)

    def test_graphs_see_what_is_not_saved(self):
        (self.folder / self.name).write_text(MODULE.replace("gain", "old"))
        client = self.client("--modules", str(self.folder))
        graph = GRAPH.replace("eaw", "mine").replace("levels:4", "gain:2")
        client.open("graph.cfg", graph)
        self.assertIn("has no parameter 'gain'", "\n".join(client.messages("graph.cfg")))
        client.open(self.name, MODULE)
        self.assertEqual(client.messages("graph.cfg", of=self.name), [])
        self.assertIn("of light", client.on("graph.cfg", "gain", "hover")["contents"]["value"])

    def test_hover_of_keys_is_the_guides_row(self):
        self.assertIn("inclusive; for numbers", self.hover("range"))
        self.assertIn("`pointwise` `stencil`", self.hover("kind"))
        self.assertIn("one line", self.hover("summary"))
        self.assertIn("`source`: an input connector", self.hover("inputs"))
        self.assertIsNone(self.hover("\n\n", 1))

    def test_hover_of_names_is_describes_entry(self):
        self.assertEqual(self.hover('"gain"', 2), "gain  float, default 1, from 0 to 8, unit: stops\n  of light\n")
        self.assertEqual(self.hover('source = "input"', 11), "input  input, rgba\n")

    def test_definitions(self):
        place = self.server.on(self.name, '"main.glsl"', "definition", 3)
        self.assertEqual(place["uri"], self.server.uri("mine/main.glsl"))
        place = self.server.on(self.name, 'source = "input"', "definition", 11)
        self.assertEqual((place["uri"], place["range"]["start"]["line"]), (self.server.uri(self.name), 4))
        self.assertIsNone(self.server.on(self.name, '"stops"', "definition", 2))
        self.server.change(self.name, MODULE.replace('name = "gain"', 'name = "input"'))
        place = self.server.on(self.name, 'source = "input"', "definition", 11)
        self.assertEqual(place["range"]["start"]["line"], 4)

    def test_definition_of_an_alias(self):
        client = self.client()
        text = (ROOT / "modules/i-png/module.toml").read_text()
        uri = "file://" + str(ROOT / "modules/i-png/module.toml")
        client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 1, "text": text}})
        line = next(i for i, each in enumerate(text.split("\n")) if each.startswith("alias"))
        place = client.ask("textDocument/definition", {"textDocument": {"uri": uri}, "position": {"line": line, "character": 12}})
        self.assertTrue(place["uri"].endswith("modules/i-file/module.toml"))

    def test_symbols(self):
        found = self.server.of(self.name, "documentSymbol")
        self.assertEqual([(each["name"], each["detail"], each["range"]["start"]["line"]) for each in found],
                         [("input", "connector", 4), ("output", "connector", 9), ("gain", "parameter", 14), ("main", "node", 22)])

    def test_broken_files_have_answers(self):
        for text in ("", "name", "[[[", "name = \"mine\"\n[[node]]\nname = 7\n", "\u00e9 = 1", "a = \"\"\"\n\n"):
            self.server.change(self.name, text)
            for method in ("hover", "definition", "references"):
                self.server.at(self.name, 0, 1, method)
            for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
                self.server.of(self.name, method)
            self.server.messages(self.name)


if __name__ == "__main__":
    unittest.main()
