#!/usr/bin/env python3
"""Tests of tools/train/oidn_weights.py: tests/train/test_oidn_weights.py. Archives are made here, and fake_oidn.cpp stands for the library."""

import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parent.parent / "tools" / "train" / "oidn_weights.py"
sys.path.insert(0, str(SCRIPT.parent))

import oidn_weights


def archive(tensors, changed=None):
    """Bytes of an archive of (name, shape, layout, type, bytes); `changed` replaces fields by their names."""
    changed = changed or {}
    data, rows = b"", b""
    for name, shape, layout, type_letter, values in tensors:
        data += bytes(-len(data) % 4)
        rows += struct.pack("<H", changed.get("name length", len(name))) + name.encode()
        rows += struct.pack("<B", changed.get("dimensions", len(shape))) + struct.pack(f"<{len(shape)}I", *changed.get("shape", shape))
        rows += (changed.get("layout", layout) + changed.get("type", type_letter)).encode() + struct.pack("<Q", changed.get("offset", 12 + len(data)))
        data += values
    header = struct.pack("<HBBQ", changed.get("magic", 0x41D7), changed.get("version", 2), 0, changed.get("table", 12 + len(data)))
    return header + data + struct.pack("<I", changed.get("count", len(tensors))) + rows


def network(channels, seed, large=False):
    """The first layer of a network and a bias, of random bytes."""
    draw = random.Random(seed)
    return archive([("enc_conv1a.weight" if large else "enc_conv0.weight", (2, channels, 3, 3), "oihw", "h", draw.randbytes(2 * 2 * channels * 9)),
                    ("dec_conv0.bias", (3,), "x", "f", draw.randbytes(12))])


class Archives(unittest.TestCase):
    def test_archives_are_cut_out_of_bytes(self):
        one, other = network(3, 1), network(9, 2, large=True)
        magic = one[:4]
        data = b"before" + magic + one + other + magic + bytes(20) + magic[:2] + one + magic
        found = oidn_weights.find_archives(data)
        self.assertEqual([entry.data for entry in found], [one, other, one])
        self.assertEqual(found[0].shapes, {"enc_conv0.weight": (2, 3, 3, 3), "dec_conv0.bias": (3,)})
        self.assertEqual([entry.channels for entry in found], [3, 9, 3])
        self.assertEqual(oidn_weights.find_archives(b""), [])
        around = archive([("bias", (len(one) // 2,), "x", "h", one)])
        self.assertEqual([entry.data for entry in oidn_weights.find_archives(around + other)], [around, other])

    def test_a_table_may_stand_before_its_tensors(self):
        row = struct.pack("<H4sBI", 4, b"bias", 1, 3) + b"xf"
        table = struct.pack("<I", 1) + row + struct.pack("<Q", 12 + 4 + len(row) + 8)
        data = struct.pack("<HBBQ", 0x41D7, 2, 0, 12) + table + bytes(12)
        self.assertEqual(oidn_weights.read_archive(data + b"more").data, data)
        self.assertEqual(oidn_weights.read_archive(data).channels, 0)

    def test_wrong_tables_are_errors(self):
        tensors = [("enc_conv0.weight", (2, 3, 3, 3), "oihw", "h", bytes(108))]
        self.assertEqual(len(oidn_weights.read_archive(archive(tensors)).data), len(archive(tensors)))
        for field, values in {"magic": (0x41D6,), "version": (1, 3), "table": (0, 11, 119, 10 ** 6, 2 ** 63, 2 ** 64 - 1), "count": (0, 2, 1000, 1001, 2 ** 32 - 1),
                              "name length": (0, 15, 17, 65535), "dimensions": (0, 3, 5, 255), "shape": ((2 ** 32 - 1,) * 4, (2, 4, 4, 4)),
                              "layout": ("ohwi", "oih", "\x80hwi"), "type": ("b", "\x80"), "offset": (0, 11, 200, 2 ** 63, 2 ** 64 - 1)}.items():
            for value in values:
                with self.subTest(field=field, value=value), self.assertRaises(ValueError):
                    oidn_weights.read_archive(archive(tensors, {field: value}))
        with self.assertRaisesRegex(ValueError, "'enc_conv0.weight', expected one that no other has"):
            oidn_weights.read_archive(archive(tensors * 2))
        with self.assertRaisesRegex(ValueError, "a tensor's name is ''"):
            oidn_weights.read_archive(archive([("", (1,), "x", "f", bytes(4))]))

    def test_damaged_archives_are_errors_or_archives(self):
        whole = network(3, 3)
        for length in range(len(whole)):
            self.assertRaises(ValueError, oidn_weights.read_archive, whole[:length])
        draw, read = random.Random(4), 0
        for at in list(range(12)) + list(range(len(whole) - 80, len(whole))):
            damaged = bytearray(whole)
            damaged[at] ^= draw.randrange(1, 256)
            try:
                self.assertLessEqual(len(oidn_weights.read_archive(bytes(damaged)).data), len(whole))
                read += 1
            except ValueError:
                pass
        self.assertGreater(read, 0)


QUALITIES = (6, 5, 4)  # high, balanced, fast
NETWORKS = {  # OIDN's modes: input channels; qualities that run the large, base and small network
    "RT color hdr": ("rt_hdr", 3, "bbs"), "RT albedo color hdr": ("rt_hdr_alb", 6, "bbs"), "RT albedo color normal hdr": ("rt_hdr_alb_nrm", 9, "bbs"),
    "RT albedo color normal hdr cleanAux": ("rt_hdr_calb_cnrm", 9, "lbs"), "RT color": ("rt_ldr", 3, "bbs"), "RT albedo color": ("rt_ldr_alb", 6, "bbs"),
    "RT albedo color normal": ("rt_ldr_alb_nrm", 9, "bbs"), "RT albedo color normal cleanAux": ("rt_ldr_calb_cnrm", 9, "bbs"),
    "RT albedo": ("rt_alb", 3, "lbb"), "RT normal": ("rt_nrm", 3, "lbb"), "RTLightmap color": ("rtlightmap_hdr", 3, "bbb"),
    "RTLightmap color directional": ("rtlightmap_dir", 3, "bbb"),
}
SUFFIXES = {"l": "_large", "b": "", "s": "_small"}


def all_networks():
    """Archives by name, and the name by the fake's line."""
    archives, modes = {}, {}
    for mode, (family, channels, sizes) in NETWORKS.items():
        for quality, size in zip(QUALITIES, sizes):
            name = family + SUFFIXES[size]
            archives.setdefault(name, network(channels, name, size == "l"))
            modes[f"{mode} {quality}"] = name
    return archives, modes


def hash_of(data):
    """As in fake_oidn.cpp."""
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2 ** 64
    return value


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.built = Path(cls.kept.name) / "built.so"
        subprocess.run(["c++", "-std=c++17", "-shared", "-fPIC", "-o", cls.built, HERE / "fake_oidn.cpp"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"
        self.archives, self.modes = all_networks()
        self.lines = []  # of FAKE_OIDN, beside the networks
        self.library = self.install(self.folder / "lib")

    def install(self, folder):
        """The library and, in a part of it, all archives between other bytes, each twice."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "libOpenImageDenoise.so.2").write_bytes(self.built.read_bytes())
        twice = [*self.archives.values(), *self.archives.values()]
        (folder / "libOpenImageDenoise_core.so.2.7.7").write_bytes(b"".join(b"\xd7\x41\x02\x00code" + data for data in twice))
        return folder / "libOpenImageDenoise.so.2"

    def run_script(self, *options, code=0, python_path=""):
        lines = [f"{mode}={hash_of(self.archives[name])}" for mode, name in self.modes.items() if name in self.archives]
        done = subprocess.run([sys.executable, SCRIPT, "--out", self.out, *options], capture_output=True, text=True,
                              env={**os.environ, "FAKE_OIDN": "\n".join(lines + self.lines), "PYTHONPATH": python_path})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def files(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir()} if self.out.exists() else {}

    def test_every_network_gets_its_name(self):
        done = self.run_script("--library", self.library)
        self.assertEqual(done.stderr, "")
        files = self.files()
        self.assertIn(b"Apache License, Version 2.0", files.pop("LICENSE.txt"))
        self.assertEqual(files, {name + ".tza": data for name, data in self.archives.items()})
        self.assertEqual(len(files), 23)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"Open Image Denoise 2.7.7, {self.library}: 23 archives")
        rows = {line.split()[0]: line.split(maxsplit=2) for line in lines[2:-1]}
        self.assertEqual(set(rows), set(self.archives))
        size = len(self.archives["rt_hdr_alb_nrm"])
        self.assertEqual(rows["rt_hdr_alb_nrm"][1:], [str(size), "base     colour, albedo, normal  high, balanced"])
        self.assertEqual(rows["rt_alb_large"][2].split(), ["large", "albedo", "high"])
        self.assertEqual(rows["rt_nrm"][2].split(), ["base", "normal", "balanced,", "fast"])
        self.assertEqual(rows["rt_ldr_small"][2].split(), ["small", "colour", "fast"])
        self.assertEqual(lines[-1], f"{self.out}: 24 files written, 0 were there")

    def test_other_files_stay(self):
        self.out.mkdir()
        (self.out / "rt_hdr.tza").write_bytes(self.archives["rt_hdr"])
        (self.out / "rt_ldr.tza").write_bytes(b"other")
        before = self.files()
        done = self.run_script("--library", self.library, code=1)
        self.assertIn(f"{self.out} has other files of these names: rt_ldr.tza; nothing was written", done.stderr)
        self.assertIn("--overwrite", done.stderr)
        self.assertEqual(self.files(), before)
        self.assertIn("23 files written, 1 were there", self.run_script("--library", self.library, "--overwrite").stdout)
        self.assertEqual(self.files()["rt_ldr.tza"], self.archives["rt_ldr"])
        self.assertIn(" 0 files written, 24 were there", self.run_script("--library", self.library).stdout)

    def test_an_archive_of_two_modes_gets_both_names(self):
        for mode, name in self.modes.items():
            self.modes[mode] = "rt_hdr" if name == "rt_ldr" else name
        del self.archives["rt_ldr"]
        done = self.run_script("--library", self.install(self.folder / "lib"))
        self.assertIn("rt_hdr and rt_ldr are one archive\n", done.stdout)
        self.assertEqual(self.files()["rt_ldr.tza"], self.files()["rt_hdr.tza"])

    def test_modes_that_the_library_lacks_are_left_out(self):
        self.lines = ["lightmaps=none"]
        del self.archives["rtlightmap_hdr"], self.archives["rtlightmap_dir"], self.archives["rt_alb_large"]
        done = self.run_script("--library", self.install(self.folder / "lib"))
        self.assertEqual(done.stderr, "")
        self.assertEqual(set(self.files()), {name + ".tza" for name in self.archives} | {"LICENSE.txt"})

    def test_what_has_no_partner_is_a_warning(self):
        core = self.library.with_name("libOpenImageDenoise_core.so.2.7.7")
        unknown = network(3, "unknown")
        core.write_bytes(core.read_bytes().replace(self.archives["rt_ldr_alb"], unknown))
        done = self.run_script("--library", self.library)
        for quality in "high", "balanced":
            self.assertIn(f"warning: rt_ldr_alb in quality {quality}: its picture is that of none of the archives, expected one", done.stderr)
        self.assertIn(f"warning: an archive of {len(unknown)} bytes with 3 input channels is no mode's network and isn't written", done.stderr)
        self.assertEqual(set(self.archives) - {name[:-4] for name in self.files()}, {"rt_ldr_alb", "rt_ldr_alb_small"})

    def test_equal_pictures_name_nothing(self):
        archives = [oidn_weights.read_archive(network(channels, seed)) for seed, channels in enumerate((3, 3, 9))]
        named, problems = oidn_weights.name_archives(lambda mode, quality, weights=None: b"same" if mode == "rt_alb" else None, archives)
        self.assertEqual(named, [])
        self.assertIn("its picture is that of 2 of the archives, expected one", problems[0])
        self.assertEqual(len(problems), 6)  # three qualities, three archives

    def test_nothing_to_name(self):
        self.archives = {}
        done = self.run_script("--library", self.install(self.folder / "lib"), code=1)
        self.assertIn("no archive in", done.stderr)
        self.assertFalse(self.out.exists())

    def test_the_library_s_own_licence_is_taken(self):
        text = "Apache License\nVersion 2.0, January 2004\n"
        packages = self.folder / "site-packages"
        metadata = packages / "pyoidn-2.7.7.dist-info" / "licenses"
        metadata.mkdir(parents=True)
        (metadata / "LICENSE").write_text("another licence, of the Python code")
        library = self.install(packages / "pyoidn" / "oidn" / "lib")
        self.run_script("--library", library)
        self.assertEqual(self.files()["LICENSE.txt"], oidn_weights.NOTICE.encode())
        (metadata / "LICENSE-oidn").write_text(text)
        self.run_script("--library", library, "--overwrite")
        self.assertEqual(self.files()["LICENSE.txt"], text.encode())

    def test_default_is_the_library_of_the_package(self):
        packages = self.folder / "site-packages"
        library = self.install(packages / "pyoidn" / "oidn" / "lib")
        (packages / "pyoidn" / "__init__.py").write_text("raise RuntimeError('imported')")
        self.assertIn(str(library), self.run_script(python_path=str(packages)).stdout)
        (packages / "pyoidn" / "oidn").rename(self.folder / "elsewhere")
        message = self.run_script(python_path=str(packages), code=1).stderr
        self.assertIn("has no package pyoidn with the library", message)
        self.assertIn("pip install pyoidn==", message)

    def test_wrong_libraries_and_folders(self):
        text, empty = self.folder / "text.so", self.folder / "empty.so"
        text.write_text("text")
        subprocess.run(["c++", "-shared", "-fPIC", "-o", empty, "-x", "c++", os.devnull], check=True)
        for library, expected in ((self.folder / "none.so", "none.so: there is no such file"), (text, "text.so can't be loaded"),
                                  (empty, "empty.so has no function oidnNewDevice; expected libOpenImageDenoise.so of OIDN 2")):
            self.assertIn(expected, self.run_script("--library", library, code=1).stderr)
        self.lines = ["run=out of memory"]
        self.assertIn("rt_hdr in quality high failed with OIDN's error 4: out of memory", self.run_script("--library", self.library, code=1).stderr)
        self.lines = ["device=no SSE 4.1"]
        self.assertIn("a CPU device failed with OIDN's error 5: no SSE 4.1", self.run_script("--library", self.library, code=1).stderr)
        self.lines = []
        self.assertFalse(self.out.exists())
        self.out.write_text("a file")
        self.assertIn(f"--out {self.out} is a file, expected a folder", self.run_script("--library", self.library, code=1).stderr)
        self.out.unlink()
        (self.out / "rt_ldr.tza").mkdir(parents=True)
        self.assertIn("rt_ldr.tza: Is a directory", self.run_script("--library", self.library, "--overwrite", code=1).stderr)
        self.assertEqual(os.listdir(self.out), ["rt_ldr.tza"])


if __name__ == "__main__":
    unittest.main()
