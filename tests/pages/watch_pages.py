"""`lacuna watch`: saves of files, and its page."""
import http.client
import re
import signal
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

import cv2
import numpy as np
from page_test import PROGRAM, PageTest
from selenium.webdriver.common.by import By

GRAPH = """lacuna:1
module:i-file:in
param:i-file:in:filename:"in.png"   # a photograph
module:eaw:01
param:eaw:01:levels:3
module:exposure:01
param:exposure:01:stops:0   # brighter
module:o-file:out
param:o-file:out:filename:"out.png"
connect:i-file:in:output:eaw:01:input
connect:eaw:01:output:exposure:01:input
connect:exposure:01:output:o-file:out:input
"""


class Watches(PageTest):
    allowed = ("file:", "data:", "http://127.0.0.1:")

    def setUp(self):
        super().setUp()
        self.png("in.png", self.random.integers(60, 120, (48, 64, 3), np.uint8))
        self.save(GRAPH)

    def tearDown(self):
        super().tearDown()
        self.browser.get("about:blank")  # before the server ends

    def save(self, text):
        """As editors do: another file, renamed."""
        (self.folder / "new").write_text(text)
        (self.folder / "new").rename(self.folder / "graph.cfg")

    def watch(self, *words):
        self.lines = []
        self.program = subprocess.Popen([PROGRAM, "watch", "graph.cfg", *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        def read():
            for line in self.program.stdout:
                self.lines.append(line.rstrip())
        reader = threading.Thread(target=read)
        reader.start()

        def end():
            self.program.send_signal(signal.SIGINT)
            self.assertEqual(self.program.wait(60), 0)
            reader.join()
            self.program.stdout.close()
        self.addCleanup(end)

    def until(self, holds, what):
        for _ in range(1200):
            if holds():
                return
            time.sleep(0.05)
        self.fail(f"{what}: {self.lines}")

    def count(self, words):
        return sum(words in line for line in self.lines)

    def serve(self):
        self.watch("--serve")
        self.until(lambda: self.count("http://"), "no address")
        self.address = self.lines[0]
        self.until(lambda: self.count("out.png written"), "nothing was run")
        self.browser.get(self.address)
        self.wait()

    def state(self):
        return self.script("return {version: about.version, isRight: about.isRight, ran: about.ran, messages: about.messages, "
                           "pictures: Object.fromEntries(about.pictures.map(each => [each.name, each.version]))}")

    def after(self, change):
        """The page's state when it shows the change."""
        before = self.state()["version"]
        change()
        self.until(lambda: self.state()["version"] > before, "no new state")
        self.wait()
        return self.state()

    def mean(self, name="out.png"):
        return cv2.imread(str(self.folder / name)).mean()

    # Without a page

    def test_a_save_runs_again_and_a_mistake_keeps_the_last_output(self):
        self.watch()
        self.until(lambda: self.count("out.png written") == 1, "not run")
        first = self.mean()
        time.sleep(2)  # what it writes is no change
        self.assertEqual(self.count("out.png written"), 1)
        self.save(GRAPH.replace("stops:0", "stops:1"))
        self.until(lambda: self.count("out.png written") == 2, "not run again")
        self.assertGreater(self.mean(), first + 20)
        brighter = self.mean()
        self.save(GRAPH.replace("stops:0", "stops:wrong"))
        self.until(lambda: self.count("error:"), "no message")
        self.assertIn("graph.cfg:7:", "\n".join(self.lines))
        self.assertEqual(self.mean(), brighter)
        self.save(GRAPH.replace("stops:0", "stops:-1"))
        self.until(lambda: self.count("out.png written") == 3, "not run after a mistake")
        self.png("in.png", np.full((48, 64, 3), 200, np.uint8))
        self.until(lambda: self.count("out.png written") == 4, "an input isn't watched")
        self.assertGreater(self.mean(), brighter - 60)

    def test_outputs_written_from_what_is_kept_are_those_of_a_run(self):
        """A photograph that Exif turns, in 16 bits, and resized: sinks keep the same of its file, whichever modules ran."""
        tiff = b"II*\0\10\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"  # orientation 6
        photo = cv2.imencode(".jpg", self.random.integers(60, 120, (48, 64, 3), np.uint8))[1].tobytes()
        (self.folder / "in.jpg").write_bytes(photo[:2] + b"\xff\xe1" + (8 + len(tiff)).to_bytes(2, "big") + b"Exif\0\0" + tiff + photo[2:])
        cv2.imwrite(str(self.folder / "in16.png"), self.random.integers(0, 65536, (48, 64, 4), np.uint16))
        photograph = GRAPH.replace("in.png", "in.jpg").replace("out.png", "out.jpg")
        deep = GRAPH.replace("in.png", "in16.png")
        resized = photograph.replace("module:exposure:01", "module:resize:01\nparam:resize:01:width:32\nmodule:exposure:01").replace(
            "connect:eaw:01:output:exposure", "connect:eaw:01:output:resize:01:input\nconnect:resize:01:output:exposure")
        second = photograph + "module:o-file:small\nparam:o-file:small:filename:small.png\nconnect:eaw:01:output:o-file:small:input\n"
        self.save(photograph)
        self.watch()
        for text, outputs, count in ((photograph, ["out.jpg"], 4), (deep, ["out.png"], 4), (resized, ["out.jpg"], 5), (second, ["out.jpg", "small.png"], 5)):
            for stops, ran in (("0.25", ""), ("0.75", f": 1 of {count} modules computed")):
                before = self.count("written in")
                self.save(text.replace("stops:0", f"stops:{stops}"))
                self.until(lambda: self.count("written in") > before, "not run")
                self.assertTrue([line for line in self.lines if "written in" in line][-1].endswith(ran), self.lines)
            kept = [(self.folder / name).read_bytes() for name in outputs]
            self.run_lacuna("run", "graph.cfg", "-q")
            self.assertEqual([(self.folder / name).read_bytes() for name in outputs], kept, text)

    def test_modules_and_included_files_are_watched(self):
        (self.folder / "modules").mkdir()
        done = subprocess.run([PROGRAM, "new", "modules/other", "--kind", "pointwise"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        shader = next((self.folder / "modules/other").glob("*.glsl"))
        (self.folder / "part.cfg").write_text("param:exposure:01:stops:0\n")
        self.save(GRAPH.replace("param:exposure:01:stops:0   # brighter\n", "include:part.cfg\n")
                  .replace("module:exposure:01", "module:exposure:01\nmodule:other:01")
                  .replace("connect:exposure:01:output:o-file", "connect:exposure:01:output:other:01:input\nconnect:other:01:output:o-file"))
        self.watch("--modules", "modules")
        self.until(lambda: self.count("out.png written") == 1, "not run")
        (self.folder / "part.cfg").write_text("param:exposure:01:stops:1\n")
        self.until(lambda: self.count("out.png written") == 2, "an included file isn't watched")
        shader.write_text(shader.read_text() + "\n// another line\n")
        self.until(lambda: self.count("out.png written") == 3, "a shader isn't watched")
        (shader.parent / "below").mkdir()
        (shader.parent / "below/none.glsl").write_text("")
        shader.write_text(shader.read_text() + "\n// a third line\n")
        self.until(lambda: self.count("out.png written") == 4, "a shader isn't watched")
        (shader.parent / "below/none.glsl").write_text("// a line\n")
        self.until(lambda: self.count("out.png written") == 5, "folders in a module's folder aren't watched")

    def test_wrong_words(self):
        for words in (["none.cfg"], ["-"], ["graph.cfg", "--serve", "99999"], ["graph.cfg", "--serve", "word"]):
            done = subprocess.run([PROGRAM, "watch", *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn("error", done.stderr)

    # The page

    def test_a_slider_changes_the_picture_and_the_file(self):
        self.serve()
        self.assertEqual(set(self.state()["pictures"]), {"i-file:in:output", "eaw:01:output", "exposure:01:output"})
        dark = sum(self.screen(0.75, 0.5))
        stops = self.find("exposure:01:stops").find_element(By.CSS_SELECTOR, "input[type=number]")
        state = self.after(lambda: self.script("arguments[0].value = 1; arguments[0].dispatchEvent(new Event('change'))", stops))
        # Only what is behind the change has been computed.
        self.assertEqual(state["ran"], 1)
        self.assertEqual([state["pictures"][name] == state["version"] for name in ("i-file:in:output", "eaw:01:output", "exposure:01:output")],
                         [False, False, True])
        self.assertGreater(sum(self.screen(0.75, 0.5)), dark + 60)
        self.assertEqual((self.folder / "graph.cfg").read_text(), GRAPH)
        self.find("save").click()
        self.until(lambda: "stops:1" in (self.folder / "graph.cfg").read_text(), "the file is unchanged")
        self.assertEqual((self.folder / "graph.cfg").read_text(), GRAPH.replace("stops:0 ", "stops:1 "))
        self.until(lambda: self.count("out.png written") >= 2, "not written")
        # What was seen is what `lacuna run` makes of the file.
        self.until(lambda: self.mean() > 100, "the output is older")
        seen = cv2.imread(str(self.folder / "out.png"))
        self.run_lacuna("run", "graph.cfg", "-q")
        np.testing.assert_array_equal(cv2.imread(str(self.folder / "out.png")), seen)
        self.check_small_window()
        self.assertGreater(self.find("stage").size["width"], 400)
        self.check_themes("#time", "summary", ".parameter label", ".parameter.set label", "#save", "label[for=first]")

    def test_a_preview_comes_before_the_values_of_the_graph(self):
        """wiener's description has quicker values, which the page names; numbers between modules are kept, too."""
        self.save(GRAPH.replace("exposure:01\nparam:exposure:01:stops:0   # brighter", "wiener:01\nparam:wiener:01:search:9")
                  .replace("connect:eaw:01:output:exposure:01:input", "connect:i-file:in:output:wiener:01:input\nconnect:eaw:01:output:wiener:01:pilot\n"
                           "connect:eaw:01:noise:wiener:01:noise").replace("exposure", "wiener"))
        self.serve()
        self.script("window.seen = []; new MutationObserver(() => seen.push(byId('time').textContent)).observe(byId('time'), {childList: true})")
        self.script("send('set', {parameter: 'wiener:01:strength', value: '2'})")
        self.until(lambda: self.script("return seen.length && !about.preview.length"), "the graph's own values don't follow")
        seen = self.script("return seen")
        self.assertIn("1 of 4 modules: a preview (wiener:01:spacing=2, wiener:01:group=4, wiener:01:step=7)", seen[0])
        self.assertTrue(seen[-1].endswith("1 of 4 modules"), seen)
        state = self.state()
        self.assertLess(state["pictures"]["eaw:01:output"], state["version"])
        self.until(lambda: self.count("out.png written") >= 2, "not written")
        # What is shown at last is what `lacuna run` makes.
        width = self.script("return about.width")
        shown = self.browser.execute_async_script(
            "const done = arguments[0]; fetch(ask('picture', {name: 'wiener:01:output', width: about.width})).then(answer => answer.blob()).then(decode).then(each => done([...each.bytes]))")
        np.testing.assert_allclose(np.reshape(shown, (-1, width, 4))[..., 2::-1], cv2.imread(str(self.folder / "out.png")), atol=1)

    def test_frames_with_a_history_are_those_of_a_run(self):
        """With animated parameters, and with indices between modules, which aren't shown."""
        sources = Path(__file__).resolve().parents[2]
        text = (sources / "pipelines/svgf.cfg").read_text().replace("../examples", str(sources / "examples")).replace("width:640", "width:48").replace("height:360", "height:32")
        self.save(text.replace("connect:pathtrace:01:output:svgf:01:input", "module:exposure:01\nconnect:pathtrace:01:output:exposure:01:input\n"
                               "connect:exposure:01:output:svgf:01:input") + "keyframe:0:exposure:01:stops:-1:linear\nkeyframe:3:exposure:01:stops:1:step\n")
        self.watch("--serve", "--frames", "3")
        self.until(lambda: self.count("http://"), "no address")
        self.browser.get(self.lines[0])
        self.until(lambda: self.script("return about.pictures.length"), "nothing is shown")
        self.assertNotIn("pathtrace:01:id", self.state()["pictures"])
        self.assertEqual(self.find("shownFrame").get_property("value"), "3")
        self.until(lambda: (self.folder / "svgf-0003.png").exists(), "nothing was written")
        shown = self.browser.execute_async_script("const done = arguments[0]; fetch(ask('picture', {name: 'tonemap:01:output', width: about.width})).then(answer => answer.blob()).then(decode).then(each => done([...each.bytes]))")
        np.testing.assert_allclose(np.reshape(shown, (32, 48, 4))[..., 2::-1], cv2.imread(str(self.folder / "svgf-0003.png")), atol=2)

    def test_all_else_of_a_file_stays(self):
        """Marks in names, lines that end otherwise, and parameters that had no line."""
        text = GRAPH.replace("in.png", "in#1.png").replace("levels:3", "levels : 3\t# few").replace("\n", "\r\n").removesuffix("\r\n")
        self.png("in#1.png", np.full((8, 8, 3), 99, np.uint8))
        (self.folder / "graph.cfg").write_bytes(text.encode())
        self.serve()
        for parameter, value in (("eaw:01:levels", "4"), ("eaw:01:noise", "0.1"), ("i-file:in:filename", '"in#1.png"')):
            self.after(lambda: self.script("return send('set', {parameter: arguments[0], value: arguments[1]})", parameter, value))
        self.find("save").click()
        self.until(lambda: b"noise" in (self.folder / "graph.cfg").read_bytes(), "the file is unchanged")
        wanted = text.replace("levels : 3", "levels : 4").replace("# few\r\n", "# few\r\nparam:eaw:01:noise:0.1\n")
        self.assertEqual((self.folder / "graph.cfg").read_bytes().decode(), wanted)

    def test_saves_and_mistakes_are_shown(self):
        self.serve()
        state = self.after(lambda: self.save(GRAPH.replace("levels:3", "levels:99")))
        self.assertFalse(state["isRight"])
        self.assertIn("must be 1 to 8", self.find("messages").text)
        state = self.after(lambda: self.save(GRAPH.replace("levels:3", "levels:2")))
        self.assertTrue(state["isRight"], state)
        self.assertEqual(state["ran"], 2)
        self.assertFalse(self.find("messages").is_displayed())
        self.assertEqual(self.find("eaw:01:levels").find_element(By.CSS_SELECTOR, "input[type=number]").get_property("value"), "2")
        # Another structure: the page is made anew.
        self.save(GRAPH.replace("connect:eaw:01:output:exposure:01:input", "connect:i-file:in:output:exposure:01:input").replace("module:eaw:01\nparam:eaw:01:levels:3\n", "")
                  .replace("connect:i-file:in:output:eaw:01:input\n", ""))
        self.until(lambda: len(self.state()["pictures"]) == 2, "the page shows the old graph")

    def test_requests_of_others_are_refused(self):
        self.serve()
        where = urllib.parse.urlparse(self.address)
        token = where.query

        def ask(path, method="GET", body=None, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=30)
            connection.request(method, path, body, {"Host": f"127.0.0.1:{where.port}", **headers})
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            return answer.status, text
        self.assertEqual(ask(f"/?{token}")[0], 200)
        self.assertEqual(ask(f"/?{token}", Host="evil.example")[0], 403)
        self.assertEqual(ask(f"/?{token}", Origin="http://evil.example")[0], 403)
        for path in ("/", "/?token=", "/?token=0123", "/picture?name=eaw:01:output", "/events"):
            self.assertEqual(ask(path)[0], 403, path)
        for path in ("/../graph.cfg", "/graph.cfg", "/%2e%2e/graph.cfg", f"/picture?name=../graph.cfg&{token}"):
            self.assertIn(ask(path + ("" if token in path else f"?{token}"))[0], (403, 404), path)
        for body in (b"", b"[]", b"{", b'{"parameter": 1}', b'{"parameter": "eaw:01:levels", "value": "1\\n2"}'):
            self.assertEqual(ask(f"/set?{token}", "POST", body)[0], 400, body)
        try:  # 100 MB
            self.assertEqual(ask(f"/set?{token}", "POST", b" " * 100_000_000)[0], 413)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of it was sent
        self.assertNotEqual(self.lines[0].split("token=")[1], "")
        self.assertIsNone(self.program.poll())
        # Only on the loopback.
        listening = subprocess.run(["ss", "-ltn"], capture_output=True, text=True).stdout if subprocess.run(["sh", "-c", "command -v ss"], capture_output=True).returncode == 0 else ""
        self.assertEqual(re.findall(rf"0\.0\.0\.0:{where.port}\b", listening), [])

    def test_many_saves_lose_nothing(self):
        """500 saves, one in ten broken."""
        self.serve()

        def memory():
            return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.program.pid}/status").read_text())[1])
        grown = []
        for i in range(500):
            self.save(GRAPH.replace("stops:0", "stops:wrong" if i % 10 == 9 else f"stops:{self.random.uniform(-1, 1):.3f}"))
            time.sleep(0.04)
            if i in (100, 499):
                grown.append(memory())
        state = self.after(lambda: self.save(GRAPH.replace("stops:0", "stops:1.5")))
        for _ in range(50):
            if state["isRight"]:
                break
            time.sleep(0.1)
            state = self.state()
        self.assertTrue(state["isRight"], state)
        self.assertLess(grown[1] - grown[0], 60_000)  # KiB
        self.until(lambda: self.mean() > 110, "the last output is older")
