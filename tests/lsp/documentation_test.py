"""What the server says of words, and of a module.toml."""
import unittest

from support import BODY, GRAPH, MODULE, ROOT, ServerTest, described, entry, lines_of


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
        # Descriptions are kept until their file changes.
        changed = (module / "module.toml").read_text().replace("as nobody knew", "as all know")
        (module / "module.toml").write_text(changed)
        self.assertIn("as all know", client.on("graph.cfg", "brand_new", "hover")["contents"]["value"])

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
