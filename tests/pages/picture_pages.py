"""Pages of `lacuna compare --html` and `lacuna denoise --html`."""
import json
import time

import cv2
import numpy as np
from page_test import PageTest, on_screen
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Pages(PageTest):
    def open(self, *words, fragment="", status=0):
        done = self.run_lacuna("compare", *words, "--html", "page.html", status=status)
        self.browser.get("about:blank")
        self.browser.get((self.folder / "page.html").as_uri() + fragment)
        self.wait()
        return done

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

    def test_pages_are_dark_or_light_around_a_neutral_stage(self):
        self.open(*self.plain([120, 130, 140], [20, 30, 40]), fragment="#mode=single")
        beside, inside = (0.02, 0.5), (0.5, 0.5)
        self.check_themes("#results td", "#results th", "label[for=first]", "#fit", "#values")  # leaves the page light
        light = [self.screen(*beside), self.screen(*inside)]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.assertEqual([self.screen(*beside), self.screen(*inside)], light)
        self.assertEqual(light, [[20, 20, 20], [120, 130, 140]])

    def test_wide_colours_become_rec709(self):
        """Red of Rec. 2020 is outside of Rec. 709 (ITU-R BT.2087)."""
        (self.folder / "wide.cfg").write_text("lacuna:1\nmodule:i-npy:01\nmodule:o-exr:01\nconnect:i-npy:01:output:o-exr:01:input\n"
                                              "param:i-npy:01:filename:a.npy\nparam:i-npy:01:colour:rec2020\nparam:o-exr:01:filename:a.exr\n")
        self.npy("a.npy", np.full((4, 4, 3), [0.5, 0.25, 0.25]))
        self.run_lacuna("run", "wide.cfg")
        self.open("a.exr", "a.exr")
        self.pointer(0.5, 0.5).perform()
        self.assertRegex(self.find("values").text, r"a\.exr: 0\.665 0\.2189 0\.2455")

    def test_names_are_no_markup(self):
        name = "<img src=x onerror=alert(1)>&'.png"
        self.png(name, np.full((8, 8, 3), 99, np.uint8))
        self.open(name, self.plain((1, 2, 3), shape=(8, 8))[0])
        self.assertEqual(self.find("first").find_elements(By.TAG_NAME, "option")[0].text, name)
        self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [])

    def test_small_windows_and_long_names(self):
        self.open(*(self.png(f"{letter * 90}.png", np.full((60, 80, 3), 99, np.uint8)) for letter in "ab"))
        self.check_small_window()

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
