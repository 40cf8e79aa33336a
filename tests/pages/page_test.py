"""What tests of pages share: a headless Chromium, pictures, and what is seen of a page."""
import json
import os
import re
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


class PageTest(unittest.TestCase):
    allowed = ("file:", "data:")  # addresses that a page asks for

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
        self.assertEqual([url for url in asked if not url.startswith(self.allowed)], [])

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

    def check_small_window(self):
        """Nothing is beside it."""
        self.addCleanup(self.browser.set_window_size, 1100, 800)
        self.browser.set_window_size(500, 800)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), self.script("return innerWidth"))

    def check_themes(self, *selectors):
        """By the system's choice the page is dark or light, and these elements' text is readable: a contrast of 4.5 (WCAG 2.1, 1.4.3)."""
        def luminance(css):
            linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (int(word) / 255 for word in re.findall(r"\d+", css)[:3])]
            return np.dot(linear, [0.2126, 0.7152, 0.0722])
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        pages = {}
        for theme in ("dark", "light"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            pages[theme] = luminance(self.script("return getComputedStyle(document.documentElement).backgroundColor"))
            for selector in selectors:
                fore, back = self.script("""let e = document.querySelector(arguments[0]), style = getComputedStyle(e);
                  const text = e instanceof SVGElement ? style.fill : style.color;
                  while (e && getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)') e = e.parentElement;
                  return [text, getComputedStyle(e ?? document.documentElement).backgroundColor];""", selector)
                low, high = sorted((luminance(fore), luminance(back)))
                self.assertGreater((high + 0.05) / (low + 0.05), 4.5, (theme, selector, fore, back))
        self.assertLess(pages["dark"], 0.05)
        self.assertGreater(pages["light"], 0.8)

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
