"""Definitions, references and renames; symbols, folds, tokens and format."""
import subprocess
import unittest

from client import PROGRAM, Failed, apply
from support import GRAPH, ROOT, ServerTest


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


if __name__ == "__main__":
    unittest.main()
