"""Pages of `lacuna run --report`."""
import json
import subprocess

import numpy as np
from page_test import PROGRAM, PageTest
from selenium.webdriver.common.by import By


class Reports(PageTest):
    def report(self, text, *words):
        (self.folder / "graph.cfg").write_text(text)
        self.run_lacuna("run", "graph.cfg", "--report", "report.html", "-q", *words)
        self.browser.get((self.folder / "report.html").as_uri())
        return self.script("return JSON.parse(document.getElementById('about').textContent)")

    def test_random_values_are_measured(self):
        values = self.random.uniform(-1, 5, (40, 700, 4)).astype(np.float32)  # the last one is alpha
        values[3, 4], values[5, 6, 1] = np.nan, np.inf
        self.npy("a.npy", values)
        about = self.report("lacuna:1\nmodule:i-npy:in\nmodule:exposure:01\nmodule:o-pfm:out\nconnect:i-npy:in:output:exposure:01:input\n"
                            "connect:exposure:01:output:o-pfm:out:input\nparam:i-npy:in:filename:a.npy\n"
                            "param:exposure:01:stops:1\nparam:o-pfm:out:filename:out.pfm\n")
        self.assertEqual([value["name"] for value in about["values"]], ["i-npy:in:output", "exposure:01:output"])
        finite = np.where(np.isfinite(values), values, np.nan)
        for value, gain in zip(about["values"], (1, 2)):
            for key, measure in (("least", np.nanmin), ("most", np.nanmax), ("mean", np.nanmean)):
                np.testing.assert_allclose(value[key], measure(finite, axis=(0, 1)) * [gain, gain, gain, 1], rtol=1e-3)
            self.assertEqual((value["nan"], value["infinite"]), (4, 1))
        figure = self.find("value-i-npy:in:output")
        self.assertIn("4 NaN, 1 infinite", figure.text)
        self.assertIn("; alpha -", figure.text)
        self.assertGreater(int(figure.find_element(By.TAG_NAME, "img").get_property("naturalWidth")), 200)
        self.assertEqual([file.name for file in self.folder.glob("out*")], ["out.pfm"])

    def test_arrays_between_modules_are_measured(self):
        self.png("in.png", self.random.integers(0, 256, (48, 64, 3), np.uint8))
        graph = ("lacuna:1\nmodule:i-file:in\nmodule:eaw:01\nmodule:wiener:01\nmodule:o-file:out\nmodule:o-npy:noise\nconnect:i-file:in:output:eaw:01:input\n"
                 "connect:i-file:in:output:wiener:01:input\nconnect:eaw:01:output:wiener:01:pilot\nconnect:eaw:01:noise:wiener:01:noise\n"
                 "connect:eaw:01:noise:o-npy:noise:array\nconnect:wiener:01:output:o-file:out:input\nparam:i-file:in:filename:in.png\n"
                 "param:o-file:out:filename:out.png\nparam:o-npy:noise:filename:noise.npy\n")
        about = self.report(graph)
        value = next(each for each in about["values"] if each["name"] == "eaw:01:noise")
        noise = np.load(self.folder / "noise.npy")
        self.assertEqual(value["type"], f"array of {noise.size} y f32")
        np.testing.assert_allclose([value["least"][0], value["most"][0], value["mean"][0]], [noise.min(), noise.max(), noise.mean()], rtol=1e-6)
        self.assertEqual((value["nan"], value["infinite"]), (0, 0))
        figure = self.find("value-eaw:01:noise")
        self.assertIn("all finite", figure.text)
        self.assertEqual(figure.find_elements(By.TAG_NAME, "img"), [])

    def test_the_graph_is_drawn_and_explained(self):
        self.png("in.png", self.random.integers(0, 256, (48, 64, 3), np.uint8))
        about = self.report("lacuna:1\nmodule:i-file:in\nmodule:eaw:01\nmodule:o-file:out\nconnect:i-file:in:output:eaw:01:input\n"
                            "connect:eaw:01:output:o-file:out:input\nparam:i-file:in:filename:in.png\nparam:eaw:01:levels:3\n"
                            "param:o-file:out:filename:out.png\n")
        plan = json.loads(subprocess.run([PROGRAM, "plan", "graph.cfg", "--json"], cwd=self.folder, capture_output=True, text=True).stdout)
        rows = self.browser.find_elements(By.CSS_SELECTOR, "#passes tr")
        self.assertEqual(len(rows) - 1, len(about["passes"]))
        self.assertTrue(all(each["ms"] > 0 for each in about["passes"]))
        self.assertEqual([each["node"] for each in about["choices"]], [each["node"] for each in plan["choices"]])
        self.assertIn(about["choices"][0]["schedule"], self.find("choices").text)
        boxes = {box.get_attribute("data-module"): box for box in self.browser.find_elements(By.CSS_SELECTOR, "rect.box")}
        self.assertEqual(set(boxes), {"i-file:in", "eaw:01", "o-file:out"})
        self.script("arguments[0].dispatchEvent(new Event('click'))", boxes["eaw:01"])
        described = json.loads(subprocess.run([PROGRAM, "describe", "eaw", "--json"], capture_output=True, text=True).stdout)
        self.assertIn(described["summary"], self.find("module").text)
        self.assertIn(described["parameters"][0]["doc"], self.find("module").text)
        self.assertGreater(len(self.browser.find_elements(By.CSS_SELECTOR, "#memory rect")), 3)
        self.check_small_window()
        self.check_themes("h2", "#facts", "#module .set", "#module td", "#passes th", "#choices td", "figcaption", "figcaption b")
        # Boxes of the memory at one time don't overlap.
        for a in about["memory"]:
            for b in about["memory"]:
                if a["name"] < b["name"] and a["arena"] == b["arena"] and a["first"] <= b["last"] and b["first"] <= a["last"]:
                    self.assertTrue(a["offset"] + a["bytes"] <= b["offset"] or b["offset"] + b["bytes"] <= a["offset"], (a, b))

    def test_sequences_have_medians(self):
        for frame in range(3):
            self.png(f"in_{frame:04d}.png", self.random.integers(0, 256, (16, 24, 3), np.uint8))
        about = self.report("lacuna:1\nmodule:i-file:in\nmodule:accum:01\nmodule:o-file:out\nconnect:i-file:in:output:accum:01:input\n"
                            "connect:accum:01:output:o-file:out:input\nparam:i-file:in:filename:in_%04d.png\nparam:o-file:out:filename:out_%04d.png\n")
        self.assertEqual(about["frames"], 3)
        self.assertIn("Medians of 3 frames", self.find("floor").text)
