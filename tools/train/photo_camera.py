"""What cameras and programs do to light, on the device: mosaics with noise for `mosaic`, pictures for viewing for `developed`."""

import functools
import math

import torch
import torch.nn.functional as F

import jpeg
import photo_networks as nets

BRIGHTEST = 4.0  # light above white
MIDDLE = 0.2  # linear light at which an estimate of noise is about right
SLOPE = 1.055 / 2.4 * MIDDLE ** (1 / 2.4 - 1)  # of encoded values there


class Chances:
    """Random numbers for each of `count` pictures."""

    def __init__(self, count, device):
        self.count, self.device = count, device

    def uniform(self, low, high, channels=1):
        return torch.rand(self.count, channels, 1, 1, device=self.device) * (high - low) + low

    def spread(self, low, high, channels=1):
        """Uniform in the logarithm."""
        return self.uniform(math.log(low), math.log(high), channels).exp()

    def normal(self, channels=1):
        return torch.randn(self.count, channels, 1, 1, device=self.device)

    def choose(self, share, there, otherwise=0.0):
        return torch.where(torch.rand(self.count, 1, 1, 1, device=self.device) < share, there, otherwise)


def blurred(x):
    return F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)


def varied(light, leaves):
    """Exposure, white balance, saturation; the first `leaves` pictures are drawn, the others photographs."""
    chances = Chances(len(light), light.device)
    light = light * (0.12 * chances.normal(3)).exp()
    grey = light.mean(1, keepdim=True)
    light = (grey + chances.choose(0.3, chances.spread(0.6, 2.0), 1.0) * (light - grey)).clamp(min=0)
    exposure = chances.spread(0.02, 0.6) / (light.mean((1, 2, 3), keepdim=True) + 1e-4)
    exposure[leaves:] = chances.spread(0.4, 1.6)[leaves:]
    light = light * exposure
    return torch.where(chances.choose(0.6, 1.0) > 0, light.clamp(max=1), light).clamp(max=BRIGHTEST)


def finished(light, leaves):
    """Sharpened and with grain, as photographs are, encoded."""
    chances = Chances(len(light), light.device)
    encoded = nets.encode(light)
    encoded = encoded + chances.choose(0.25, chances.uniform(0, 1)) * (encoded - blurred(encoded))
    grain = chances.choose(0.12, chances.spread(0.001, 0.012)) * torch.randn_like(encoded[:, :1])
    grain[leaves:] = 0
    return (encoded + grain).clamp(min=0)


def sensor_noise(chances, clean):
    """a and b of the variance a x + b."""
    a = chances.choose(0.8, chances.spread(1.5e-4, 0.025), chances.spread(1e-6, 2e-4))
    b = 4e-4 * (a / 0.013) ** 1.9 * (0.8 * chances.normal()).exp()
    is_clean = chances.choose(clean, 1.0)
    return a * (1 - is_clean), b * (1 - is_clean)


def mosaic_of(picture):
    """(B, 3, H, W) -> (B, 4, H / 2, W / 2): red, green; green, blue."""
    cells = nets.cells(picture)
    return torch.stack([cells[:, 0], cells[:, 5], cells[:, 6], cells[:, 11]], 1)


def raw_batch(light, leaves):
    """(planes, truth): the network's input, and encoded RGB."""
    truth = finished(varied(light, leaves), leaves)
    light, chances = nets.decode(truth).clamp(max=BRIGHTEST), Chances(len(light), light.device)
    red, blue = chances.spread(1.1, 2.8), chances.spread(1.1, 2.6)
    green = torch.ones_like(red)
    gain = torch.cat([red, green, green, blue], 1)
    a, b = sensor_noise(chances, 0.12)
    x = mosaic_of(light) / gain
    x = x + (a * x + b).sqrt() * torch.randn_like(x)
    hot = torch.rand_like(x) < chances.choose(0.08, chances.spread(3e-5, 1e-3))
    x = torch.where(hot, x + chances.spread(0.02, 1), x)
    x = x + chances.choose(0.15, 2e-4 * chances.normal())  # of the black level
    # Channels that are full: half of the pictures have them cut off; in the others something has rebuilt them.
    full = chances.choose(0.5, 1.0, BRIGHTEST)
    levels = chances.choose(0.3, 3839.0, 15359.0)
    x = (torch.minimum(x, full).clamp(min=-0.05) * levels).round() / levels
    told = chances.choose(0.5, (0.1 * chances.normal()).exp(), 1.0)
    planes = nets.mosaic_planes(F.pixel_shuffle(x * gain, nets.CELL), gain, a * told, b * told)
    return planes, nets.encode(torch.minimum(light, full * gain[:, [0, 1, 3]]))


# For `developed`: what is asked for is the same picture without noise and JPEG's blocks, with all else that was done to it.


def told_sigma(x, level, power, offset):
    """Encoded, of the curve that `eaw` fits: x and level are linear; level is the noise at MIDDLE."""
    s = level * ((x.clamp(0, 1) + offset) / (MIDDLE + offset)) ** power
    return nets.encoded_sigma(x, s)


@functools.lru_cache
def kernels(device):
    """The spline of wavelets; bilinear demosaicing of red or blue, and of green."""
    taps = torch.tensor([1.0, 4, 6, 4, 1]) / 16
    near = torch.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]) / 4
    cross = torch.tensor([[0.0, 1, 0], [1, 4, 1], [0, 1, 0]]) / 4
    return (taps[:, None] * taps).expand(3, 1, 5, 5).to(device), torch.stack([near, cross, near])[:, None].to(device)


def fine_noise(noise):
    """What the finest level of wavelets shows of it, (B, 1, 1, 1): as much as there is only if it's white."""
    detail = noise - F.conv2d(F.pad(noise, (2, 2, 2, 2), mode="reflect"), kernels(noise.device)[0], groups=3)
    return detail.std((1, 2, 3), keepdim=True) / 0.8908


def rounded(x, chances):
    """Most files have 8 bits."""
    return chances.choose(0.85, 1.0) * ((x * 255).round() / 255 - x) + x


def white(truth):
    """White noise in encoded values, some of it stronger in one channel, some in JPEG files."""
    chances = Chances(len(truth), truth.device)
    sigma = chances.choose(0.85, chances.spread(2 / 255, 60 / 255), chances.spread(0.3 / 255, 3 / 255))
    channel = chances.choose(0.25, (0.3 * chances.normal(3)).exp(), 1.0)
    noisy = rounded((truth + sigma * channel * torch.randn_like(truth)).clamp(0, 1), chances)
    quarter = len(truth) // 4
    noisy[:quarter] = jpeg.compressed(noisy[:quarter], 60, 100)
    level = sigma / SLOPE * (0.05 + 0.12 * chances.normal()).exp()
    return noisy, told_sigma(nets.decode(noisy), level, chances.uniform(0.5, 0.6), chances.spread(2e-5, 6e-4))


def demosaiced(light, gain):
    """Half of the pictures bilinearly, half by Malvar's filters."""
    mosaic = F.pixel_shuffle(light, nets.CELL)
    count = len(mosaic) // 2
    own = torch.zeros(len(mosaic) - count, 3, *mosaic.shape[2:], device=mosaic.device)
    for colour, row, column in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)):
        own[:, colour, row::2, column::2] = mosaic[count:, 0, row::2, column::2]
    bilinear = F.conv2d(F.pad(own, (1, 1, 1, 1), mode="reflect"), kernels(mosaic.device)[1], groups=3)
    return torch.cat([nets.malvar(mosaic[:count]), bilinear]) * gain


def processed(picture, softness, sharpness):
    """Resampling and sharpening, which correlate noise."""
    picture = picture + softness * (blurred(picture) - picture)
    return (picture + sharpness * (picture - blurred(picture))).clamp(0, 1)


def from_camera(truth):
    """Noise of a sensor after demosaicing, processing and, of most, JPEG. Returns its truth, too."""
    chances = Chances(len(truth), truth.device)
    light = nets.decode(truth.clamp(max=1))
    one = torch.ones_like(chances.uniform(0, 1))
    gain = torch.cat([chances.choose(0.6, chances.spread(1.0, 2.4), 1.0), one, chances.choose(0.6, chances.spread(1.0, 2.2), 1.0)], 1)
    a = chances.spread(1e-4, 0.02)
    b = a * 0.03 * (chances.normal()).exp()
    clean = mosaic_of(light / gain)
    noisy = clean + (a * clean + b).sqrt() * torch.randn_like(clean)
    softness, sharpness = chances.choose(0.35, chances.uniform(0, 0.7)), chances.choose(0.35, chances.uniform(0, 1.2))
    wanted, found = (processed(nets.encode(demosaiced(x, gain).clamp(0, 1)), softness, sharpness) for x in (clean, noisy))
    share = fine_noise(found - wanted)
    found = rounded(found, chances)
    compressed = slice(len(truth) // 4, None)
    found[compressed] = jpeg.compressed(found[compressed], 70, 100)
    share = torch.minimum(share, fine_noise(found - wanted))
    level = share / SLOPE * (0.25 * chances.normal() - 0.25).exp()  # dark parts, where encoded noise is high, count less for eaw
    return found, told_sigma(nets.decode(found), level, chances.uniform(0.38, 0.6), chances.spread(2e-5, 6e-4)), wanted


def clean(truth):
    """Nothing is to change, though texture is told to be noise."""
    chances = Chances(len(truth), truth.device)
    picture = rounded(truth.clamp(0, 1), chances)
    third = len(truth) // 3
    picture[:third] = jpeg.compressed(picture[:third], 80, 100)
    level = chances.choose(0.8, chances.spread(0.001, 0.012))
    return picture, told_sigma(nets.decode(picture), level, chances.uniform(0.2, 0.6), chances.spread(1e-5, 1e-4))


def viewing_batch(light, leaves):
    """(planes, truth), encoded. Pictures are mixed first, since the kinds have fixed shares."""
    truth = finished(varied(light, leaves), leaves).clamp(max=1)
    truth = truth[torch.rand(len(truth), device=truth.device).argsort()]
    whites = cameras = len(truth) * 7 // 16
    first, second, third = truth[:whites], truth[whites:whites + cameras], truth[whites + cameras:]
    noisy, sigma = white(first)
    found, told, wanted = from_camera(second)
    same, known = clean(third)
    planes = nets.developed_planes(torch.cat([noisy, found, same]), torch.cat([sigma, told, known]))
    return planes, torch.cat([first, wanted, same])
