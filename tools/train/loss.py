"""How far denoised colours are from the reference's: exposed, linear, NCHW."""

import transfer


def gradients(x):
    return x[..., :, 1:] - x[..., :, :-1], x[..., 1:, :] - x[..., :-1, :]


def blocks(x, size):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // size, size, w // size, size).mean((3, 5))


def loss(colour, reference, settings):
    """Of a pixel: the distance on the transfer's curve, so that a dark pixel counts like a bright one, and relMSE, by which
    denoisers are compared. Of its differences to neighbours: so that edges are sharp. Of blocks: linear, relative; the other two would let the mean colour drift, since they
    are about the median of what a picture may be, which lies below the mean."""
    near = transfer.encode(colour, settings) - transfer.encode(reference, settings)
    across, down = gradients(near)
    size = min(8, colour.shape[-1])
    mean, wanted = blocks(colour, size), blocks(reference, size)
    relative = ((mean - wanted) / (wanted + 0.02)).abs().clamp(max=4)
    squared = ((colour - reference).square() / (reference.square() + 0.01)).clamp(max=4)
    pixels = near.abs().mean() + 4 * near.square().mean() + squared.mean()
    return pixels + 0.5 * (across.abs().mean() + down.abs().mean()) + 0.1 * relative.mean()
