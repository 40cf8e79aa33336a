"""What a weights file says of its network: plain data, which README.md explains. The study's U-Net (Vannson 2023,
figure 2) for the features that are asked for."""

FEATURES = {  # --features: planes in the order of the network's input, with their components
    "rgb": [("colour", 3)],
    "rgb-nd": [("colour", 3), ("normal", 3), ("depth", 1)],
    "rgb-and": [("colour", 3), ("albedo", 3), ("normal", 3), ("depth", 1)],
}
# Networks for sequences also see what history.py keeps: the mean of earlier frames and what is known of it; the last
# output; and, if the features' name says so, the same frame by svgf.
PAST = [("accumulated", 5), ("warped", 7)]
FEATURES["rgb-and-past"] = FEATURES["rgb-and"] + PAST
FEATURES["rgb-and-past-svgf"] = FEATURES["rgb-and-past"] + [("filtered", 3)]
MIXED = {"warped": ["warped", "relit"], "filtered": ["filtered"]}  # the output's possible use of a plane
HISTORY = {"frames": 32, "firefly": 2.0, "depth_tolerance": 0.1, "normal_tolerance": 0.8, "cut_share": 0.7}

ENCODER = [32, 43, 57, 76, 101, 101]  # outputs of convolutions 0 to 5
DECODER = [(101, 101), (76, 76), (57, 57), (43, 43), (32, 3)]  # of 6 and 7, 8 and 9, ...


def layer(number, sources, channels, activation="relu"):
    return {"name": "convolution%d" % number, "channels": channels, "activation": activation,
            "sources": [{"layer": name, "scale": scale} for name, scale in sources]}


def study_layers():
    """16 convolutions. Pooling and upsampling are how a convolution reads its sources."""
    layers = [layer(0, [("input", "same")], ENCODER[0])]
    for number, channels in enumerate(ENCODER[1:], 1):
        layers.append(layer(number, [("convolution%d" % (number - 1), "half")], channels))
    for step, (first, second) in enumerate(DECODER):
        number, skip = 6 + 2 * step, 4 - step
        layers.append(layer(number, [("convolution%d" % (number - 1), "double"), ("convolution%d" % skip, "same")], first))
        layers.append(layer(number + 1, [("convolution%d" % number, "same")], second))
    # The study has ReLU there, too; but with a transfer curve, values fall below 0 during training, and ReLU would keep
    # them there.
    layers[-1]["activation"] = "none"
    return layers


def residual_layers():
    """The last one also reads the input: a picture with next to no noise is hard to return from 32 channels."""
    layers = study_layers()
    layers[-1]["sources"].append({"layer": "input", "scale": "same"})
    return layers


def describe(features, demodulate=None, layers=None, mixes_input=False):
    """The description of a network for `features`, a key of FEATURES. demodulate: least albedo to divide by; None: none. mixes_input: the
    network decides how much of its input stays, pixel by pixel: all of it where there is next to no noise."""
    planes = [{"plane": plane, "channels": channels} for plane, channels in FEATURES[features]]
    described = {
        "version": 1,
        "name": features,
        "input": planes,
        "exposure": {"kind": "log-average", "block": 16, "key": 0.18, "least": 1e-8},
        "demodulate": None if demodulate is None else {"plane": "albedo", "least": demodulate},
        "transfer": {"kind": "log", "scale": 50.0, "maximum": 65504.0},
        "layers": layers or study_layers(),
    }
    past = [name for plane, _ in FEATURES[features] for name in MIXED.get(plane, [])]
    if past:
        described["history"] = HISTORY
    if past or mixes_input:
        described["mix"] = ["colour"] * mixes_input + past
        described["layers"][-1]["channels"] = 3 + len(described["mix"])
    return described


def is_temporal(description):
    return "history" in description


def input_channels(description):
    return sum(plane["channels"] for plane in description["input"])


def source_channels(description):
    """Input channels of each layer, by name."""
    channels = {"input": input_channels(description)}
    found = {}
    for entry in description["layers"]:
        found[entry["name"]] = sum(channels[source["layer"]] for source in entry["sources"])
        channels[entry["name"]] = entry["channels"]
    return found


def parameter_count(description):
    inputs = source_channels(description)
    return sum((9 * inputs[entry["name"]] + 1) * entry["channels"] for entry in description["layers"])


def halvings(description):
    """How many times each layer's size is halved, by name; 'input': 0."""
    depth = {"input": 0}
    change = {"same": 0, "half": 1, "double": -1}
    for entry in description["layers"]:
        levels = {depth[source["layer"]] + change[source["scale"]] for source in entry["sources"]}
        if len(levels) != 1:
            raise ValueError("the sources of %s have different sizes" % entry["name"])
        depth[entry["name"]] = levels.pop()
    return depth


def multiple(description):
    """Sizes are extended to multiples of this."""
    return 2 ** max(halvings(description).values())


def footprint(description):
    """A pixel of the output depends on no more than so many pixels to each side of it."""
    depth = halvings(description)
    reach = {"input": 0}  # pixels of the input, from the edges of the block of input pixels that a value covers
    for entry in description["layers"]:
        size = 2 ** depth[entry["name"]]
        widest = 0
        for source in entry["sources"]:
            # An upsampled value covers a block twice as large, which begins up to `size` pixels earlier.
            shift = size if source["scale"] == "double" else 0
            widest = max(widest, reach[source["layer"]] + shift)
        reach[entry["name"]] = widest + size
    return reach[description["layers"][-1]["name"]]
