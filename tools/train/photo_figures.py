"""How good networks are on photographs that are developed on, while they are trained; PSNR in dB, of encoded values.

Mosaics are those of tests/raw/psnr.py, pictures for viewing those of tools/photo-figures, with the noise that `eaw` finds there."""

import os

import cv2
import numpy as np
import torch

import photo_networks as nets

FILES = {"astronaut": "astronaut.png", "coffee": "coffee.png", "hubble": "hubble_deep_field.jpg", "chelsea": "chelsea.png", "rocket": "rocket.jpg",
         "motorcycle": "motorcycle_left.png"}
GAINS, BLACK, WHITE, BORDER = (2.0, 1.0, 1.5), 1024, 16383, 8
PLATE = 256  # pixels of the zone plate's sides; half a cycle a pixel at the end of its first row
BANDS = (0.02, 0.2), (0.2, 0.3), (0.3, 0.4), (0.4, 0.45), (0.45, 0.5)
LEVELS = {"clean": (0.0, 0.0), "ISO 800": (0.0008, 2e-6), "ISO 3200": (0.0032, 3e-5), "ISO 12800": (0.013, 4e-4)}
# Noise, power and offset by eaw's estimate; white noise is 10, 25 and 50 codes.
ESTIMATES = {"clean": (0.017, 0.5, 5e-5), "white 10": (0.101, 0.58, 5e-5), "white 25": (0.232, 0.6, 5e-5), "white 50": (0.442, 0.6, 5e-5),
             "camera": (0.038, 0.43, 2e-4)}


def photographs(folder):
    """8-bit RGB of even sizes, by name."""
    for name, file in FILES.items():
        picture = cv2.imread(os.path.join(folder, file), cv2.IMREAD_COLOR)
        if picture is None:
            raise SystemExit("%s: can't be read; expected the photographs %s there" % (os.path.join(folder, file), ", ".join(FILES.values())))
        if name == "motorcycle":
            picture = picture[:400, :500]
        yield name, np.ascontiguousarray(picture[:picture.shape[0] // 2 * 2, :picture.shape[1] // 2 * 2, ::-1])


def linear(v):
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0.04045) + 0.055) / 1.055) ** 2.4)


def encoded(v):
    v = np.clip(v, 0, 1)
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0.0031308) ** (1 / 2.4) - 0.055)


def mosaic_of(rgb):
    out = np.empty(rgb.shape[:2])
    for row, column, colour in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        out[row::2, column::2] = rgb[row::2, column::2, colour]
    return out


def captured(picture, a, b):
    """A balanced mosaic."""
    gains = np.array(GAINS)
    m = mosaic_of(linear(picture / 255.0) / gains)
    m = m + np.sqrt(a * m + b) * np.random.RandomState(1).standard_normal(m.shape)
    m = (np.round(np.clip(m, -0.05, 1) * (WHITE - BLACK) + BLACK) - BLACK) / (WHITE - BLACK)
    return m * mosaic_of(np.broadcast_to(gains, picture.shape))


def bilinear(mosaic):
    planes = []
    for colour, kernel in ((0, [[1, 2, 1], [2, 4, 2], [1, 2, 1]]), (1, [[0, 1, 0], [1, 4, 1], [0, 1, 0]]), (2, [[1, 2, 1], [2, 4, 2], [1, 2, 1]])):
        here = mosaic_of(np.broadcast_to(np.arange(3) == colour, mosaic.shape + (3,)))
        sums = [cv2.filter2D(x, -1, np.array(kernel, float), borderType=cv2.BORDER_CONSTANT) for x in (mosaic * here, here)]
        planes.append(sums[0] / sums[1])
    return np.dstack(planes)


def for_viewing(picture, kind):
    """(noisy, truth), 8 bits"""
    random, codes = np.random.RandomState(1), lambda v: np.clip(np.rint(v * 255), 0, 255).astype(np.uint8)
    if kind == "clean":
        return picture, picture
    if kind != "camera":
        return codes(picture / 255 + random.standard_normal(picture.shape) * int(kind.split()[1]) / 255), picture
    raw = mosaic_of(linear(picture / 255))
    shot = raw + np.sqrt(0.004 * raw + 2.6e-4) * random.standard_normal(raw.shape)
    _, file = cv2.imencode(".jpg", codes(encoded(bilinear(shot)))[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    return cv2.imdecode(file, cv2.IMREAD_COLOR)[..., ::-1], codes(encoded(bilinear(raw)))


def plate_radius():
    y, x = np.mgrid[:PLATE, :PLATE]
    return np.hypot(x, y)


def zone_plate():
    """Grey, RGB of 8 bits. Cycles a pixel are radius / 2 / PLATE."""
    value = np.rint(127.5 + 127.5 * np.cos(np.pi * plate_radius() ** 2 / 2 / PLATE)).astype(np.uint8)
    return np.dstack([value] * 3)


def false_colour(found):
    """Mean difference from grey of the developed zone plate, of 255, by cycles a pixel."""
    cycles, off = plate_radius() / 2 / PLATE, np.abs(found - found.mean(2, keepdims=True)).mean(2) * 255
    return {"%g to %g" % band: round(float(off[(cycles >= band[0]) & (cycles < band[1])].mean()), 2) for band in BANDS}


def psnr(found, truth):
    difference = (found - truth)[BORDER:-BORDER, BORDER:-BORDER]
    return float(10 * np.log10(1 / max(np.mean(difference ** 2), 1e-10)))


def tensor_of(x, device):
    x = x[None] if x.ndim == 2 else x.transpose(2, 0, 1)
    return torch.from_numpy(np.ascontiguousarray(x)).float()[None].to(device)


class Figures:
    def __init__(self, name, folder, device):
        self.cases, self.device = {}, device
        self.plate = captured(zone_plate(), 0, 0) if name == "mosaic" else None
        for photograph, picture in photographs(folder):
            if name == "mosaic":
                self.cases.update({(level, photograph): (captured(picture, *noise), noise, picture / 255) for level, noise in LEVELS.items()})
            else:
                for kind, estimate in ESTIMATES.items():
                    noisy, truth = for_viewing(picture, kind)
                    self.cases[kind, photograph] = noisy / 255, estimate, truth / 255

    def result(self, network, shown, noise):
        """Encoded RGB, (H, W, 3), of NumPy."""
        x, is_gpu = tensor_of(shown, self.device), self.device.type == "cuda"
        with torch.no_grad(), torch.autocast(self.device.type, torch.float16 if is_gpu else torch.bfloat16, enabled=is_gpu):
            y = self.encoded(network, x, noise)
        return y.float().clamp(0, 1)[0].permute(1, 2, 0).double().cpu().numpy()

    def encoded(self, network, x, noise):
        if network.description["name"] == "mosaic":
            return nets.develop_mosaic(network, x, GAINS, *noise)
        light, (level, power, offset) = nets.decode(x), noise
        return nets.denoise_developed(network, x, nets.encoded_sigma(light, level * ((light + offset) / (1 + offset)) ** power))

    def measure(self, network):
        """PSNR by level and photograph; of `mosaic` also false colours."""
        found = {}
        for (level, photograph), (shown, noise, truth) in self.cases.items():
            found.setdefault(level, {})[photograph] = round(psnr(self.result(network, shown, noise), truth), 2)
        return {"psnr": found, **({} if self.plate is None else {"false colour": false_colour(self.result(network, self.plate, LEVELS["clean"]))})}


def lines(found):
    rows = ["  %-12s %s mean %.2f" % (level, " ".join("%s %.2f" % item for item in row.items()), sum(row.values()) / len(row))
            for level, row in found["psnr"].items()]
    return "\n".join(rows + ["  false colour " + ", ".join("%s: %.2f" % item for item in found.get("false colour", {}).items())])
