"""What the server offers to type."""
import json
import subprocess
import unittest

from client import PROGRAM, apply
from support import GRAPH, MODULE, ROOT, ServerTest, entry, lines_of


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


if __name__ == "__main__":
    unittest.main()
