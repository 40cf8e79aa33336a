"""What differs between scenes beside what stands in them: how their pixels are filtered, what their albedo is of, and whether
what is matt has a clear coat.

pathtrace's materials have one lobe each. A coat is a second picture, of the same paths' beginnings, in which all that is matt is
glossy: the mean of both, weighted, is what a renderer would show that chooses one of two lobes at the first surface."""

from dataclasses import dataclass

from draw import Draw
from presets import PRESETS
from scene_text import numbers

LOBE = 0.6  # albedo of the coat's lobe


@dataclass(frozen=True)
class Look:
    filter: str = "gaussian"  # pathtrace's parameters
    reflected: bool = False
    coat: float = 0.0  # share of the coat's picture; 0 if there is none
    roughness: float = 0.0  # of the coat


def look_of(preset_name, scene_name):
    """The study's scenes all have the same, and held-out ones no coat: they are one picture, as any renderer's."""
    if preset_name == "study":
        return Look()
    draw = Draw("look %s %s" % (preset_name, scene_name))
    if PRESETS[preset_name].frames and draw.chance(0.5):
        look = Look("centre", draw.chance(0.5), draw.evenly(0.05, 0.5), draw.evenly(0.05, 0.4))  # as interactive renderers
    else:
        look = Look(draw.pick(["box", "tent", "gaussian"]), draw.chance(0.5), draw.evenly(0.05, 0.5), draw.evenly(0.05, 0.4))
    if scene_name.startswith("held"):
        return Look(look.filter)
    return look if draw.chance(0.5) else Look(look.filter, look.reflected)


def coated(text, look):
    """A scene's text with another one's in which what is matt shows its coat alone."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        words = line.split()
        if words[:1] == ["material"] and words[2] == "diffuse":
            lines[k] = "material %s glossy albedo %s  roughness %s" % (words[1], LOBE, numbers(look.roughness))
    return "\n".join(lines)


def mixed(arrays, coat, look):
    """Of the arrays of both pictures. Renderers whose albedo shows what is reflected leave coats out of it."""
    share, last = look.coat, 3 if look.reflected else 6
    noisy = arrays["noisy"].astype("f4")
    noisy[..., :last] += share * (coat["noisy"][..., :last].astype("f4") - noisy[..., :last])
    return {"noisy": noisy.astype("f2"), "depth": arrays["depth"],
            "reference": arrays["reference"] + share * (coat["reference"] - arrays["reference"])}
