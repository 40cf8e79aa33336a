"""Pages of `lacuna bench ... --html`."""
import json

import numpy as np
from page_test import PageTest
from selenium.webdriver.common.by import By


class Benches(PageTest):
    def bench(self, *words):
        tables = json.loads(self.run_lacuna("bench", *words, "--html", "page.html", "--json", "--plots", "plots").stdout)["tables"]
        self.browser.get((self.folder / "page.html").as_uri())
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "section")), len(tables))
        return tables, self.browser.find_elements(By.CSS_SELECTOR, "section")

    def test_tables_and_plots_are_those_of_the_report(self):
        tables, sections = self.bench("borders", "--size", "24x16")
        for table, section in zip(tables, sections):
            self.assertEqual(section.find_element(By.TAG_NAME, "h2").text, table["title"])
            rows = section.find_elements(By.TAG_NAME, "tr")
            self.assertEqual(len(rows) - 1, len(table["rows"]))
            self.assertEqual([cell.text for cell in rows[0].find_elements(By.TAG_NAME, "th")], [column["title"].strip() for column in table["columns"]])
            isPlotted = any(column["mark"] for column in table["columns"])
            plots = section.find_elements(By.TAG_NAME, "svg")
            self.assertEqual(len(plots), int(isPlotted))
            if isPlotted:
                drawn = (self.folder / "plots" / f"{table['name']}.svg").read_text()
                for shape in ("rect", "circle", "polyline", "text"):
                    self.assertEqual(len(plots[0].find_elements(By.TAG_NAME, shape)), drawn.count(f"<{shape} "))
        self.assertTrue(any(column["mark"] for table in tables for column in table["columns"]))

    def test_passes_of_a_graph(self):
        self.png("in.png", self.random.integers(0, 256, (48, 64, 3), np.uint8))
        (self.folder / "graph.cfg").write_text("lacuna:1\nmodule:i-file:in\nmodule:exposure:01\nmodule:o-file:out\nconnect:i-file:in:output:exposure:01:input\n"
                                               "connect:exposure:01:output:o-file:out:input\nparam:i-file:in:filename:in.png\nparam:o-file:out:filename:out.png\n")
        tables, sections = self.bench("graph", "graph.cfg", "--runs", "2", "--preheat", "0")
        names = [row.find_element(By.TAG_NAME, "td").text for row in sections[0].find_elements(By.TAG_NAME, "tr")[1:]]
        self.assertEqual(names, [row["name"] for row in tables[0]["rows"]])
        self.assertIn(f"wall time of a frame, with transfers: {tables[0]['wallMs']:.4g} ms", sections[0].text)
        self.assertIn("graph.cfg", self.find("facts").text)

    def test_wrong_names(self):
        (self.folder / "folder.html").mkdir()
        for name, words in (("page.png", "expected a name that ends in .html"), ("folder.html", "is a folder")):
            done = self.run_lacuna("bench", "borders", "--html", name, status=2)
            self.assertIn("--html", done.stderr)
            self.assertIn(words, done.stderr)
