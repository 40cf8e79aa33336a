"""Pictures for the networks of photographs, in the device's memory: dead leaves, of which new ones replace the oldest, and photographs."""

import glob
import multiprocessing
import os

import cv2
import numpy as np
import torch

import dead_leaves
import photo_networks

HELD = 2048  # pictures of leaves at a time
CHUNK = 16  # pictures that are drawn together
EVERY = 12  # steps from a chunk to the next
SHARES = (0.7, 0.45)  # sizes of photographs, so that their own noise goes


def describe_chunks(seed, chunk, stride, queue):
    """A process of its own: every `stride`-th chunk."""
    while True:
        first = seed * 1000003 + chunk * CHUNK
        leaves, pictures, counts = zip(*(dead_leaves.describe((first + k) % 2 ** 32) for k in range(CHUNK)))
        most = max(counts)
        queue.put((np.stack([leaf[:most] for leaf in leaves]), np.stack(pictures), np.array(counts, np.int32)))
        chunk += stride


class Describer:
    """Descriptions of chunks in order, whichever process is the fastest. Begins before CUDA, since it forks."""

    def __init__(self, seed, first, workers):
        context = multiprocessing.get_context("fork")
        self.queues = [context.Queue(3) for _ in range(workers)]
        self.first = self.chunk = first
        for k, queue in enumerate(self.queues):
            context.Process(target=describe_chunks, args=(seed, first + k, workers, queue), daemon=True).start()

    def next(self):
        self.chunk += 1
        return self.queues[(self.chunk - 1 - self.first) % len(self.queues)].get()


def photographs(folder, crop, device):
    """Linear light, (3, height, width), half."""
    for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
        picture = cv2.imread(path, cv2.IMREAD_COLOR)[..., ::-1]
        for share in SHARES:
            small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            if min(small.shape[:2]) >= crop:
                yield photo_networks.decode(torch.from_numpy(small).to(device).permute(2, 0, 1).float() / 255).half()


class Pool:
    """All pictures one after the other in `values`, with where each begins and its size."""

    def __init__(self, device, describer, folder, crop, library_folder, held=HELD):
        self.device, self.describer, self.crop, self.held = device, describer, crop, held
        self.renderer = dead_leaves.Renderer(device, library_folder)
        found = list(photographs(folder, crop, device)) if folder else []
        area = dead_leaves.SIZE ** 2
        sizes = torch.tensor([(dead_leaves.SIZE, dead_leaves.SIZE)] * held + [tuple(picture.shape[1:]) for picture in found])
        areas = sizes.prod(1)
        self.begin = (areas.cumsum(0) - areas).to(device)
        self.sizes = sizes.to(device)
        self.cumulative = (areas[held:].cumsum(0).double() / max(int(areas[held:].sum()), 1)).float().to(device)
        self.values = torch.zeros(3, int(areas.sum()), dtype=torch.float16, device=device)
        if found:
            self.values[:, held * area:] = torch.cat([picture.flatten(1) for picture in found], 1)
        self.chunk = torch.zeros(CHUNK, 3, dead_leaves.SIZE, dead_leaves.SIZE, dtype=torch.float16, device=device)
        for _ in range(held // CHUNK):
            self.draw()

    def draw(self):
        number = self.describer.chunk
        self.renderer.draw(*self.describer.next(), self.chunk)
        area, first = dead_leaves.SIZE ** 2, number % (self.held // CHUNK) * CHUNK
        self.values[:, first * area:(first + CHUNK) * area] = self.chunk.transpose(0, 1).reshape(3, -1)

    def advance(self, step):
        """What step `step` is to see follows from its number."""
        while self.describer.chunk < self.held // CHUNK + step // EVERY:
            self.draw()

    def crops(self, leaves, photos):
        """So many of each, turned and mirrored at random: (B, 3, crop, crop), float32."""
        count, device = leaves + photos, self.device
        which = torch.randint(self.held, (count,), device=device)
        if photos:
            which[leaves:] = self.held + torch.searchsorted(self.cumulative, torch.rand(photos, device=device)).clamp(max=len(self.cumulative) - 1)
        size = self.sizes[which]
        corner = (torch.rand(count, 2, device=device) * (size - self.crop + 1)).long().clamp(max=size - self.crop)
        way, flipped = torch.arange(self.crop, device=device), torch.rand(count, 3, device=device) < 0.5
        across, down = (corner[:, k:k + 1] + torch.where(flipped[:, k:k + 1], way.flip(0), way) for k in (1, 0))
        turned = flipped[:, 2, None, None]
        row = torch.where(turned, down[:, None, :], down[:, :, None])
        column = torch.where(turned, across[:, :, None], across[:, None, :])
        places = self.begin[which, None, None] + row * size[:, 1, None, None] + column
        return self.values[:, places].transpose(0, 1).float()
