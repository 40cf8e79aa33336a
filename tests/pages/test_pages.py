#!/usr/bin/env python3
"""Pages of `lacuna compare --html` and `lacuna run --report` in headless Chromium: what is seen, typed, dragged and read, against the files' values.

    tests/pages/test_pages.py PROGRAM [TEST...]"""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import cv2
import numpy as np
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM = Path(sys.argv.pop(1)).resolve()
SHOT = os.environ.get("LACUNA_TEST_SHOTS")  # a folder: screenshots are kept there, to be looked at


def browser():
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,800", "--force-color-profile=srgb",
                 "--disable-background-networking", "--disable-component-update"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options)


def on_screen(linear):
    """Bytes on the curve of sRGB (IEC 61966-2-1)."""
    v = np.clip(linear, 0, 1)
    return np.round(255 * np.where(v <= 0.0031308, 12.92 * v, 1.055 * v ** (1 / 2.4) - 0.055))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.random = np.random.default_rng(66)
        self.browser.get_log("performance")

    def tearDown(self):
        """No page reports a mistake, or asks for anything that isn't in it."""
        if SHOT:
            self.browser.save_screenshot(f"{SHOT}/{self.id()}.png")
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:"))], [])

    def png(self, name, pixels):
        cv2.imwrite(str(self.folder / name), pixels[..., ::-1])
        return name

    def npy(self, name, values):
        np.save(self.folder / name, values.astype(np.float32))
        return name

    def run_lacuna(self, *words, status=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def open(self, *words, fragment="", status=0):
        done = self.run_lacuna("compare", *words, "--html", "page.html", status=status)
        self.browser.get("about:blank")
        self.browser.get((self.folder / "page.html").as_uri() + fragment)
        self.wait()
        return done

    def wait(self):
        """Until all that is shown is decoded and drawn, and the address names it."""
        for _ in range(200):
            if self.script("return document.getElementById('stage').dataset.ready") == "true":
                break
            time.sleep(0.05)
        self.browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def box(self):
        return self.script("const b = document.getElementById('stage').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")

    def screen(self, x, y):
        """The colour at a share of the stage."""
        left, top, wide, high = self.box()
        shot = cv2.imdecode(np.frombuffer(self.browser.get_screenshot_as_png(), np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
        return shot[int(top + y * high), int(left + x * wide)].tolist()

    def pointer(self, x, y):
        _, _, wide, high = self.box()
        return ActionChains(self.browser, duration=0).move_to_element_with_offset(self.find("stage"), int((x - 0.5) * wide), int((y - 0.5) * high))

    def type(self, text):
        ActionChains(self.browser).send_keys(text).perform()
        self.wait()

    def at(self, pixel, crop):
        """The share of the stage where that pixel's centre is, in a crop as high as the stage is."""
        x, y, wide, high = crop
        _, _, stage_wide, stage_high = self.box()
        return (pixel[0] + 0.5 - x - wide / 2) * stage_high / high / stage_wide + 0.5, (pixel[1] + 0.5 - y) / high

    def crop(self):
        """What the address names, once it does."""
        time.sleep(0.4)
        words = dict(word.split("=") for word in self.script("return location.hash.slice(1)").split("&") if word)
        return [float(word) for word in words["crop"].split(",")]

    def plain(self, *colours, shape=(60, 80)):
        return [self.png(f"{i}.png", np.full((*shape, 3), colour, np.uint8)) for i, colour in enumerate(colours)]

    # The pictures

    def test_random_bytes_are_shown_and_named_as_they_are(self):
        a, b = (self.random.integers(0, 256, (60, 80, 3), np.uint8) for _ in range(2))
        self.open(self.png("a.png", a), self.png("b.png", b), fragment="#mode=single&crop=32,24,8,6")
        for x, y in ((32, 24), (35, 27), (39, 29)):
            self.pointer(*self.at((x, y), (32, 24, 8, 6))).perform()
            self.wait()
            text = self.find("values").text
            self.assertIn(f"{x}, {y}", text)
            for name, picture in (("a.png", a), ("b.png", b)):
                self.assertIn(f"{name}: {' '.join(map(str, picture[y, x]))}", text)
            self.assertEqual(self.screen(*self.at((x, y), (32, 24, 8, 6))), a[y, x].tolist())

    def test_random_halves_are_painted_at_any_exposure(self):
        values = self.random.uniform(-0.2, 4, (30, 40, 3)).astype(np.float16).astype(np.float32)
        values[15, 20] = [0.25, 0.5, 0.0625]
        values[15, 21] = [np.nan, 1, 1]
        values[15, 22] = [1, np.inf, 1]
        self.open(self.npy("a.npy", values), self.npy("b.npy", values * 0.5), fragment="#mode=single&crop=19,14,4,3")
        at = lambda x: self.at((x, 15), (19, 14, 4, 3))  # noqa: E731
        for stops in (0, 1.25, -2):
            self.script("location.hash = `#mode=single&crop=19,14,4,3&stops=${arguments[0]}`", stops)
            time.sleep(0.3)
            self.wait()
            np.testing.assert_allclose(self.screen(*at(20)), on_screen(values[15, 20] * 2 ** stops), atol=1)
            self.assertEqual(self.screen(*at(21)), [255, 0, 255])
            self.assertEqual(self.screen(*at(22)), [255, 0, 255])
        self.pointer(*at(20)).perform()
        self.wait()
        self.assertIn("a.npy: 0.25 0.5 0.0625    b.npy: 0.125 0.25 0.03125", self.find("values").text)

    def test_wide_colours_become_rec709(self):
        """Red of Rec. 2020 is outside of Rec. 709 (ITU-R BT.2087)."""
        (self.folder / "wide.cfg").write_text("lacuna:1\nmodule:i-npy:01\nmodule:o-exr:01\nconnect:i-npy:01:output:o-exr:01:input\n"
                                              "param:i-npy:01:filename:a.npy\nparam:i-npy:01:colour:rec2020\nparam:o-exr:01:filename:a.exr\n")
        self.npy("a.npy", np.full((4, 4, 3), [0.5, 0.25, 0.25]))
        done = subprocess.run([PROGRAM, "run", "wide.cfg"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.open("a.exr", "a.exr")
        self.pointer(0.5, 0.5).perform()
        self.assertRegex(self.find("values").text, r"a\.exr: 0\.665 0\.2189 0\.2455")

    def test_names_are_no_markup(self):
        name = "<img src=x onerror=alert(1)>&'.png"
        self.png(name, np.full((8, 8, 3), 99, np.uint8))
        self.open(name, self.plain((1, 2, 3), shape=(8, 8))[0])
        self.assertEqual(self.find("first").find_elements(By.TAG_NAME, "option")[0].text, name)
        self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [])

    def test_sizes_of_files_and_pages(self):
        noise = [self.random.integers(0, 256, (600, 800, 3), np.uint8) for _ in range(2)]
        names = [self.png(f"{i}.png", picture) for i, picture in enumerate(noise)]
        self.open(*names)
        files = sum((self.folder / name).stat().st_size for name in names)
        self.assertLess((self.folder / "page.html").stat().st_size, 1.4 * files)
        self.open(*names, "--crop", "100,50,80,60")
        self.assertLess((self.folder / "page.html").stat().st_size, 70_000)
        self.pointer(*self.at((140, 80), (100, 50, 80, 60))).perform()
        self.wait()
        self.assertIn(f"140, 80    0.png: {' '.join(map(str, noise[0][80, 140]))}", self.find("values").text)

    def test_pixels_of_one(self):
        self.open(self.npy("a.npy", np.ones((1, 1, 3))), self.npy("b.npy", np.zeros((1, 1, 3))), fragment="#mode=single")
        self.assertEqual(self.screen(0.5, 0.5), [255, 255, 255])

    # The views

    def test_the_border_of_wipe_is_dragged(self):
        red, blue = [200, 30, 20], [10, 40, 180]
        self.open(*self.plain(red, blue))
        self.assertEqual((self.screen(0.45, 0.9), self.screen(0.55, 0.9)), (red, blue))
        self.pointer(0.5, 0.3).click_and_hold().move_by_offset(int(-0.2 * self.box()[2]), 0).release().perform()
        self.wait()
        self.assertEqual((self.screen(0.27, 0.9), self.screen(0.45, 0.9)), (red, blue))
        self.type(Keys.ARROW_LEFT)  # the border has the focus
        time.sleep(0.4)
        self.assertIn("border=0.29", self.script("return location.hash"))

    def test_keys_choose_pictures_and_views(self):
        red, blue, green = [200, 30, 20], [10, 40, 180], [20, 150, 60]
        self.open(*self.plain(red, blue, green))
        self.type("s")
        self.assertEqual(self.screen(0.5, 0.5), red)
        self.type("2")
        self.assertEqual(self.screen(0.5, 0.5), blue)
        self.type(" ")  # A and B change places
        self.assertEqual(self.screen(0.5, 0.5), green)
        self.type("b")
        self.assertEqual([self.screen(x, 0.5) for x in (1 / 6, 1 / 2, 5 / 6)], [red, blue, green])
        self.type("d{{")  # the gain is halved twice, from 8
        self.assertEqual(self.screen(0.5, 0.5), np.clip(2 * np.abs(np.subtract(green, blue)), 0, 255).tolist())
        self.type("f")
        seen = set()
        for _ in range(20):
            seen.add(tuple(self.screen(0.5, 0.5)))
            time.sleep(0.1)
        self.assertEqual(seen, {tuple(green), tuple(blue)})

    def test_errors_are_dark_where_pictures_are_equal(self):
        a = np.full((40, 40, 3), 0.5)
        b = a.copy()
        b[:, 20:] = 40.0
        self.open(self.npy("a.npy", b), self.npy("b.npy", a), fragment="#mode=error")
        self.assertEqual(self.screen(0.4, 0.5), [0, 0, 4])
        self.assertEqual(self.screen(0.6, 0.5), [252, 253, 191])
        self.assertTrue(self.find("legend").is_displayed())

    def test_the_wheel_zooms_about_the_pointer(self):
        picture = self.random.integers(0, 256, (300, 400, 3), np.uint8)
        self.open(self.png("a.png", picture), self.png("b.png", picture), fragment="#mode=single")
        self.pointer(0.6, 0.3).perform()
        before = self.find("values").text
        _, _, wide, high = self.box()
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": self.box()[0] + int(0.1 * wide) + wide / 2, "y": self.box()[1] + int(-0.2 * high) + high / 2, "deltaX": 0, "deltaY": -480})
        self.wait()
        zoomed = self.crop()
        self.assertAlmostEqual(zoomed[3], 300 / 4, delta=0.1)
        self.pointer(0.6, 0.3).move_by_offset(1, 0).perform()
        self.assertEqual(self.find("values").text.split(",")[0], before.split(",")[0])
        ActionChains(self.browser, duration=0).drag_and_drop_by_offset(self.find("stage"), 50, -20).perform()
        scale = high / zoomed[3]
        moved = self.crop()
        np.testing.assert_allclose(moved[:2], [zoomed[0] - 50 / scale, zoomed[1] + 20 / scale], atol=0.6)
        self.type("0")
        time.sleep(0.4)
        self.assertNotIn("crop", self.script("return location.hash"))
        self.pointer(0.5, 0.5).double_click().perform()
        self.assertAlmostEqual(self.crop()[2], wide, delta=1)

    def test_two_fingers_zoom(self):
        self.open(*self.plain((9, 9, 9), (99, 99, 99), shape=(300, 400)), fragment="#mode=single")
        left, top, wide, high = self.box()
        x, y = left + wide / 2, top + high / 2
        touch = lambda kind, gap: self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {  # noqa: E731
            "type": kind, "touchPoints": [{"x": x - gap, "y": y, "id": 0}, {"x": x + gap, "y": y, "id": 1}] if gap else []})
        touch("touchStart", 50)
        for gap in (60, 80, 100):
            touch("touchMove", gap)
        touch("touchEnd", 0)
        self.assertAlmostEqual(self.crop()[3], 150, delta=3)

    def test_an_address_shows_the_same_again(self):
        picture = self.random.integers(0, 256, (300, 400, 3), np.uint8)
        names = [self.png(f"{i}.png", picture) for i in range(3)]
        self.open(*names)
        for text in ("d", "2", "]]]", "++++", Keys.ARROW_RIGHT):
            self.type(text)
        crop, address = self.crop(), self.script("return location.href")
        self.browser.get("about:blank")
        self.browser.get(address)
        self.wait()
        self.type("?")
        np.testing.assert_allclose(self.crop(), crop, atol=0.05)
        self.assertEqual(self.script("return location.href.replace(/&crop.*/, '')"), address.split("&crop")[0])
        self.assertTrue(self.find("keys").is_displayed())
        for wrong in ("#crop=1,1,0,0", "#crop=nonsense", "#mode=none&a=99&b=-1&stops=x&frame=7", "#&&=&crop=1,2,1e9"):
            self.script("location.hash = arguments[0]", wrong)
            self.wait()
        self.assertTrue(self.find("wipe").is_displayed())

    # Tables and frames

    def test_metrics_are_those_that_are_printed(self):
        reference = self.random.uniform(0.1, 1, (40, 40, 3))
        names = [self.npy(f"{i}.npy", reference + self.random.normal(0, 0.01 * (i + 1), reference.shape)) for i in range(2)]
        done = self.open(*names, self.npy("reference.npy", reference), "--json")
        results = json.loads(done.stdout)["results"]
        rows = self.find("results").find_elements(By.TAG_NAME, "tr")
        self.assertEqual(len(rows), 3)
        for row, result in zip(rows[1:], results):
            cells = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
            self.assertEqual(cells[0], result["name"])
            np.testing.assert_allclose([float(cell) for cell in cells[1:4]], [result[key] for key in ("relMSE", "PSNR", "SSIM")], rtol=1e-3)

    def test_frames_of_sequences(self):
        for frame in range(3):
            for name, value in (("a", 40 * frame), ("b", 200)):
                self.png(f"{name}_{frame + 5:04d}.png", np.full((30, 40, 3), value, np.uint8))
        self.open("a_%04d.png", "b_%04d.png", fragment="#mode=single")
        self.assertEqual(self.screen(0.5, 0.5), [0, 0, 0])
        self.type("..")
        self.assertEqual(self.screen(0.5, 0.5), [80, 80, 80])
        self.assertEqual(self.find("number").text, "7")
        first = self.find("results").text
        self.type(",")
        self.assertEqual(self.screen(0.5, 0.5), [40, 40, 40])
        self.assertNotEqual(self.find("results").text, first)
        self.script("const f = document.getElementById('frame'); f.value = 0; f.dispatchEvent(new Event('input'))")
        self.wait()
        self.assertEqual(self.screen(0.5, 0.5), [0, 0, 0])

    def test_what_a_filter_was_given_comes_first(self):
        names = self.plain((90, 90, 90), (100, 100, 100), (110, 110, 110))
        self.open(names[1], names[2], "--baseline", names[0])
        self.assertEqual([option.text for option in self.find("first").find_elements(By.TAG_NAME, "option")], names)
        self.assertIn(names[0], self.find("results").text)

    def test_before_and_after(self):
        clean = np.full((48, 64, 3), 120, np.uint8)
        noisy = np.clip(clean + self.random.normal(0, 20, clean.shape), 0, 255).astype(np.uint8)
        self.png("noisy.png", noisy)
        self.run_lacuna("denoise", "noisy.png", "-o", "out.png", "--html", "page.html", "--crop", "8,4,32,24", "--method", "eaw")
        self.browser.get((self.folder / "page.html").as_uri() + "#mode=single")
        self.wait()
        self.pointer(*self.at((20, 10), (8, 4, 32, 24))).perform()
        self.wait()
        after = cv2.imread(str(self.folder / "out.png"))[6, 12, ::-1]
        self.assertEqual(self.find("values").text, f"20, 10    before: {' '.join(map(str, noisy[10, 20]))}    after: {' '.join(map(str, after))}")
        self.assertEqual(self.find("results").text, "")

    # Reports of runs

    def report(self, text, *words):
        (self.folder / "graph.cfg").write_text(text)
        self.run_lacuna("run", "graph.cfg", "--report", "report.html", "-q", *words)
        self.browser.get((self.folder / "report.html").as_uri())
        return self.script("return JSON.parse(document.getElementById('about').textContent)")

    def test_random_values_are_measured(self):
        values = self.random.uniform(-1, 5, (40, 700, 3)).astype(np.float32)
        values[3, 4], values[5, 6, 1] = np.nan, np.inf
        self.npy("a.npy", values)
        about = self.report("lacuna:1\nmodule:i-npy:in\nmodule:exposure:01\nmodule:o-pfm:out\nconnect:i-npy:in:output:exposure:01:input\n"
                            "connect:exposure:01:output:o-pfm:out:input\nparam:i-npy:in:filename:a.npy\n"
                            "param:exposure:01:stops:1\nparam:o-pfm:out:filename:out.pfm\n")
        self.assertEqual([value["name"] for value in about["values"]], ["i-npy:in:output", "exposure:01:output"])
        finite = np.where(np.isfinite(values), values, np.nan)
        for value, gain in zip(about["values"], (1, 2)):
            np.testing.assert_allclose(value["least"], gain * np.nanmin(finite, axis=(0, 1)), rtol=1e-3)
            np.testing.assert_allclose(value["most"], gain * np.nanmax(finite, axis=(0, 1)), rtol=1e-3)
            np.testing.assert_allclose(value["mean"], gain * np.nanmean(finite, axis=(0, 1)), rtol=1e-3)
            self.assertEqual((value["nan"], value["infinite"]), (3, 1))
        figure = self.find("value-i-npy:in:output")
        self.assertIn("3 NaN, 1 infinite", figure.text)
        self.assertGreater(int(figure.find_element(By.TAG_NAME, "img").get_property("naturalWidth")), 200)
        self.assertEqual([file.name for file in self.folder.glob("out*")], ["out.pfm"])

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

    def test_first_picture_within_two_seconds(self):
        """Two HDR pictures of 1920x1080: the page is below 40 MB. How long it takes is printed; a test can't depend on it."""
        picture = self.random.uniform(0, 2, (1080, 1920, 3))
        began = time.time()
        self.run_lacuna("compare", self.npy("a.npy", picture), self.npy("b.npy", picture * 1.01), "--html", "page.html")
        self.assertLess((self.folder / "page.html").stat().st_size, 40e6)
        written = time.time()
        self.browser.get((self.folder / "page.html").as_uri())
        self.wait()
        print(f"two HDR pictures of 1920x1080: written in {written - began:.1f} s, shown after {time.time() - written:.1f} s")
        self.assertNotEqual(self.screen(0.4, 0.5), [20, 20, 20])


# With LACUNA_TEST_CORE.
CORE = ["Pages." + name for name in ("test_random_bytes_are_shown_and_named_as_they_are", "test_random_halves_are_painted_at_any_exposure",
                                     "test_the_border_of_wipe_is_dragged", "test_frames_of_sequences", "test_before_and_after", "test_the_graph_is_drawn_and_explained")]

if __name__ == "__main__":
    unittest.main(defaultTest=CORE if os.environ.get("LACUNA_TEST_CORE") else None)
