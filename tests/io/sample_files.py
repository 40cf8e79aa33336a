"""Image files by other programs, and their pixels as those programs read them, for other_programs_test.cpp.

    python3 sample_files.py FOLDER

writes FOLDER/list with a line for each file, "NAME KIND": its pixels as RGBA are in NAME.raw, u8, u16, f16 or f32 by
KIND; or "NAME refused WORDS": the message has them. "NAME kept" names a file that only needs to be read. Files whose
program isn't installed are left out.
"""

import os
import shutil
import subprocess
import sys

import numpy as np

folder = sys.argv[1]
lines = []
rng = np.random.default_rng(68)


def path(name):
    return os.path.join(folder, name)


def run(*words):
    subprocess.run([str(w) for w in words], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def has(*programs):
    return all(shutil.which(program, path="/usr/bin") for program in programs)


def rgba(pixels):
    """All four components; grey counts three times, and a lacking alpha is the largest value."""
    pixels = np.asarray(pixels)
    if pixels.ndim == 2:
        pixels = pixels[..., None]
    one = 1 if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max
    count = pixels.shape[2]
    colour = np.repeat(pixels[..., :1], 3, 2) if count < 3 else pixels[..., :3]
    alpha = pixels[..., count - 1 :] if count in (2, 4) else np.full(pixels.shape[:2] + (1,), one, pixels.dtype)
    return np.concatenate([colour, alpha], 2)


def expect(name, pixels):
    pixels = rgba(pixels)
    kind = {"uint8": "u8", "uint16": "u16", "float16": "f16", "float32": "f32"}[pixels.dtype.name]
    pixels.astype(pixels.dtype.newbyteorder("<")).tofile(path(name + ".raw"))
    lines.append(f"{name} {kind} {pixels.shape[1]} {pixels.shape[0]}")


def refuse(name, words):
    lines.append(f"{name} refused {words}")


def noise(dtype, height, width, components):
    shape = (height, width, components)
    if np.dtype(dtype).kind == "f":
        return rng.normal(0.3, 2, shape).astype(dtype)
    return rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def smooth(height, width):
    """A photograph's kind of picture, of 8 bits."""
    y, x = np.mgrid[0:height, 0:width] / max(height, width)
    planes = [np.sin(3 * x + c) * np.cos(2 * y - c) * 100 + 120 + rng.normal(0, 3, x.shape) for c in range(3)]
    return np.clip(np.stack(planes, 2), 0, 255).astype(np.uint8)


def tiff_files():
    import tifffile

    sizes = [(1, 1), (1, 17), (61, 47)]
    for bits in (np.uint8, np.uint16, np.float16, np.float32):
        word = np.dtype(bits).name
        for count in (1, 2, 3, 4):
            height, width = sizes[count % 3]
            pixels = noise(bits, height, width, count)
            name = f"{word}-{count}.tif"
            tifffile.imwrite(path(name), pixels if count > 1 else pixels[..., 0],
                             photometric="rgb" if count > 2 else "minisblack", planarconfig="contig",
                             extrasamples=["unassalpha"] if count in (2, 4) else None)
            straight = pixels
            if pixels.dtype.kind == "f" and count in (2, 4):
                straight = pixels.astype(np.float32)
                straight[..., :-1] *= straight[..., -1:]
                straight = straight.astype(bits)
            expect(name, straight)
    base = noise(np.uint16, 130, 100, 3)
    for endian in "<>":
        for big in (False, True):
            name = f"order{'le' if endian == '<' else 'be'}{'-big' if big else ''}.tif"
            tifffile.imwrite(path(name), base, photometric="rgb", byteorder=endian, bigtiff=big)
            expect(name, base)
    tifffile.imwrite(path("tiled-planar.tif"), np.moveaxis(base, 2, 0), photometric="rgb", planarconfig="separate", tile=(32, 48))
    expect("tiled-planar.tif", base)
    tifffile.imwrite(path("planar.tif"), np.moveaxis(base, 2, 0), photometric="rgb", planarconfig="separate", rowsperstrip=37)
    expect("planar.tif", base)
    tifffile.imwrite(path("tiled.tif"), base, photometric="rgb", tile=(64, 16))
    expect("tiled.tif", base)
    tifffile.imwrite(path("white.tif"), base[..., 0], photometric="miniswhite")
    expect("white.tif", 65535 - base[..., 0])
    signed = base.astype(np.int16)
    tifffile.imwrite(path("signed.tif"), signed, photometric="rgb")
    refuse("signed.tif", "have signs")
    tifffile.imwrite(path("double.tif"), base.astype(np.float64), photometric="rgb")
    refuse("double.tif", "64 bits")
    tifffile.imwrite(path("inks.tif"), noise(np.uint8, 5, 7, 4), photometric="separated")
    refuse("inks.tif", "inks (CMYK)")
    with tifffile.TiffWriter(path("pages.tif")) as writer:
        for i in range(3):
            writer.write(base + np.uint16(i), photometric="rgb")
    refuse("pages.tif", "it has 3 pages; choose one, 1 to 3, with --page")
    shutil.copy(path("order" + "le.tif"), path("tiff.jpg"))
    expect("tiff.jpg", base)
    # Premultiplied integers: what libtiff divides, too.
    full = noise(np.uint8, 9, 31, 4)
    full[..., :3] = (full[..., :3].astype(int) * full[..., 3:] // 255).astype(np.uint8)
    tifffile.imwrite(path("associated.tif"), full, photometric="rgb", extrasamples=["assocalpha"])
    alpha = np.maximum(full[..., 3:].astype(int), 1)
    divided = np.where(full[..., 3:] > 0, np.minimum((full[..., :3].astype(int) * 255 + alpha // 2) // alpha, 255), full[..., :3])
    expect("associated.tif", np.concatenate([divided.astype(np.uint8), full[..., 3:]], 2))
    if not has("tiffcp", "tiffset"):
        return
    for source in ("orderle.tif", "float32-3.tif", "uint8-4.tif"):
        pixels = tifffile.imread(path(source))
        for flag in ("lzw:2", "zip:2", "packbits", "zstd:2", "lzma", "none"):
            if source.startswith("float") and flag.endswith(":2"):
                flag = flag[:-1] + "3"
            name = f"{source[:-4]}-{flag.replace(':', '')}.tif"
            try:
                run("tiffcp", "-c", flag, source, name)
            except subprocess.CalledProcessError:
                continue  # not in this libtiff
            reference = pixels
            if source == "uint8-4.tif":
                reference = tifffile.imread(path("uint8-4.tif"))
            expect(name, reference)
    tifffile.imwrite(path("smooth.tif"), smooth(150, 90), photometric="rgb", rowsperstrip=16)
    run("tiffcp", "-c", "jpeg:r:90", "smooth.tif", "jpeg.tif")
    expect("jpeg.tif", oiio_pixels("jpeg.tif", "uint8"))
    if has("convert"):
        for name, words in {"palette.tif": ["-colors", "60", "-type", "Palette"],
                            "bits1.tif": ["-type", "bilevel", "-compress", "Group4"],
                            "bits4.tif": ["-type", "Grayscale", "-depth", "4"]}.items():
            run("/usr/bin/convert", "smooth.tif", *words, name)
            expect(name, oiio_pixels(name, "uint8"))


def oiio_pixels(name, kind):
    import OpenImageIO as oiio
    buffer = oiio.ImageBuf(path(name))
    return buffer.get_pixels({"uint8": oiio.UINT8, "uint16": oiio.UINT16, "float": oiio.FLOAT}[kind])


def save_png(name, pixels):
    """PNG by OpenCV, which takes BGR."""
    import cv2
    pixels = np.asarray(pixels)
    if pixels.ndim == 3:
        pixels = np.concatenate([pixels[..., 2::-1], pixels[..., 3:]], 2)
    assert cv2.imwrite(path(name), pixels)


def load_png(name):
    import cv2
    pixels = cv2.imread(path(name), cv2.IMREAD_UNCHANGED)
    return pixels if pixels.ndim == 2 else np.concatenate([pixels[..., 2::-1], pixels[..., 3:]], 2)


def webp_files():
    if not has("cwebp", "dwebp"):
        return
    for name, pixels in {"one": noise(np.uint8, 1, 1, 3), "wide": noise(np.uint8, 1, 17, 4),
                         "photo": smooth(101, 67), "alpha": noise(np.uint8, 61, 47, 4)}.items():
        save_png(name + ".png", pixels)
        for kind, words in {"lossless": ["-lossless", "-exact"], "lossy": ["-q", "80"]}.items():
            file = f"{name}-{kind}.webp"
            run("cwebp", *words, name + ".png", "-o", file)
            run("dwebp", file, "-o", file + ".png")
            expect(file, pixels if kind == "lossless" else load_png(file + ".png"))
    if has("img2webp"):
        run("img2webp", "-lossless", "photo.png", "-d", "50", "photo.png", "-o", "same.webp")
        save_png("other.png", smooth(101, 67)[::-1])
        run("img2webp", "photo.png", "-d", "50", "other.png", "-o", "moving.webp")
        refuse("moving.webp", "it is an animation")


def jxl_files():
    if not has("cjxl", "djxl"):
        return
    for name, pixels in {"j1": noise(np.uint8, 1, 1, 3), "j2": noise(np.uint8, 1, 17, 4), "j3": smooth(101, 67),
                         "j4": noise(np.uint16, 61, 47, 3),
                         "j5": noise(np.uint8, 33, 20, 1)[..., 0]}.items():
        save_png(name + ".png", pixels)
        for distance in ("0", "1"):
            file = f"{name}-{distance}.jxl"
            run("cjxl", "-d", distance, name + ".png", file)
            run("djxl", file, file + ".png")
            expect(file, load_png(file + ".png"))
    floats = np.abs(noise(np.float32, 40, 50, 3))
    with open(path("light.pfm"), "wb") as out:
        out.write(b"PF\n50 40\n-1.0\n")
        out.write(floats[::-1].astype("<f4").tobytes())
    run("cjxl", "-d", "0", "-x", "color_space=RGB_D65_SRG_Rel_Lin", "light.pfm", "light.jxl")
    expect("light.jxl", floats)


def avif_files():
    if not has("avifenc", "avifdec"):
        return
    for name, pixels, bits in (("a1", noise(np.uint8, 1, 1, 3), 8), ("a2", noise(np.uint8, 2, 17, 4), 8),
                               ("a3", smooth(101, 67), 8), ("a4", smooth(64, 80).astype(np.uint16) * 257, 10),
                               ("a5", smooth(64, 80).astype(np.uint16) * 257, 12),
                               ("a6", smooth(30, 44)[..., :3], 8)):
        save_png(name + ".png", pixels)
        words = {"a6": ["--yuv", "420"]}.get(name, ["--yuv", "444"])
        if name == "a2":
            words = ["--lossless"]
        run("avifenc", "-s", "8", "-d", bits, *words, name + ".png", name + ".avif")
        run("avifdec", "-d", "8" if bits == 8 else "16", name + ".avif", name + ".dec.png")
        expect(name + ".avif", load_png(name + ".dec.png"))


def hdr_files():
    import OpenImageIO as oiio
    for name, height, width in (("h1", 1, 1), ("h2", 1, 17), ("h3", 63, 41), ("h4", 5, 7)):
        pixels = np.abs(noise(np.float32, height, width, 3)) * 50
        pixels[0, : width // 2] = pixels[0, 0]  # a run
        buffer = oiio.ImageBuf(oiio.ImageSpec(width, height, 3, oiio.FLOAT))
        buffer.set_pixels(oiio.ROI(), pixels)
        buffer.write(path(name + ".hdr"))
        expect(name + ".hdr", oiio_pixels(name + ".hdr", "float"))
    if has("convert"):
        save_png("photo16.png", smooth(50, 40))
        run("/usr/bin/convert", "photo16.png", "magick.hdr")
        expect("magick.hdr", oiio_pixels("magick.hdr", "float"))


for make in (tiff_files, webp_files, jxl_files, avif_files, hdr_files):
    make()
with open(path("list"), "w") as out:
    out.write("\n".join(lines) + "\n")
