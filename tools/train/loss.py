"""How far denoised colours are from the reference's: exposed, linear, NCHW."""

import transfer


def gradients(x):
    return x[..., :, 1:] - x[..., :, :-1], x[..., 1:, :] - x[..., :-1, :]


def blocks(x, size):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // size, size, w // size, size).mean((3, 5))


def weight_of(samples):
    """Of a tile. With many samples little is left to gain, but that decides whether the picture gets better at all."""
    return (samples / 4) ** 0.5


def loss(colour, reference, settings, weights=1.0):
    """Of a pixel: the distance on the transfer's curve, so that a dark pixel counts like a bright one, and relMSE, by which
    denoisers are compared. Of its differences to neighbours: so that edges are sharp. Of blocks: linear, relative; the other two would
    let the mean colour drift, since they are about the median of what a picture may be, which lies below the mean. In large blocks the mean
    of the noisy picture is nearly right."""
    near = transfer.encode(colour, settings) - transfer.encode(reference, settings)
    across, down = gradients(near)
    squared = ((colour - reference).square() / (reference.square() + 0.01)).clamp(max=4)

    def mean_of(x):
        return (weights * x.mean((1, 2, 3))).mean()

    def drift(size):
        averages, wanted = (blocks(x, min(size, x.shape[-1])) for x in (colour, reference))
        return mean_of(((averages - wanted) / (wanted + 0.02)).abs().clamp(max=4))

    pixels = mean_of(near.abs()) + 4 * mean_of(near.square()) + mean_of(squared)
    return pixels + 0.5 * (mean_of(across.abs()) + mean_of(down.abs())) + 0.1 * drift(8) + 0.2 * drift(32)


def sequence_loss(colours, reference, settings, weights, temporal):
    """Of (n, frames, c, h, w): loss() of the frames, and `temporal` times how far differences of frames are from the reference's, which is
    flicker. weights: (n, frames)"""
    near = transfer.encode(colours, settings) - transfer.encode(reference, settings)
    flicker = (weights[:, 1:] * (near[:, 1:] - near[:, :-1]).abs().mean((2, 3, 4))).mean()
    return loss(colours.flatten(0, 1), reference.flatten(0, 1), settings, weights.flatten()) + temporal * flicker
