"""Open Image Denoise, on the CPU, by PyPI's pyoidn: filter RT, HDR.

A method is GUIDES-QUALITY. Guides: `colour`; `guided`, by albedo and normal as they are; `prefiltered`, by both after OIDN's own filters
for them, with cleanAux, as its documentation advises for the best result. Qualities: high, balanced, fast."""

import importlib.metadata
import itertools
import os
import re
import subprocess
import sys
import time

import numpy

GUIDES = {"colour": (), "guided": ("albedo", "normal"), "prefiltered": ("albedo", "normal")}
QUALITIES = ("high", "balanced", "fast")
METHODS = tuple("oidn-%s-%s" % pair for pair in itertools.product(GUIDES, QUALITIES))
NETWORKS = {"colour": "rt_hdr", "guided": "rt_hdr_alb_nrm", "prefiltered": "rt_hdr_calb_cnrm"}  # the base networks, as OIDN calls them
VERBOSE = "OIDN_VERBOSE"  # 2: filters print what they take


def parts(method):
    return method.split("-")[1:]


class Chain:
    """A method's filters for one picture, which read and write the same arrays at each run."""
    def __init__(self, device, planes, method):
        import pyoidn
        guides, quality = parts(method)
        quality = {"high": pyoidn.OIDN_QUALITY_HIGH, "balanced": pyoidn.OIDN_QUALITY_BALANCED, "fast": pyoidn.OIDN_QUALITY_FAST}[quality]
        clean = guides == "prefiltered"
        images = {"color": rgb(planes["output"]), **{plane: rgb(planes[plane]) for plane in GUIDES[guides]}}
        if "albedo" in images:
            images["albedo"] = images["albedo"].clip(0, 1)
        self.filters, self.device = [], device
        if clean:
            for plane in GUIDES[guides]:
                filtered = numpy.empty_like(images[plane])
                self.add({plane: images[plane], "output": filtered}, quality)
                images[plane] = filtered
        self.picture = numpy.empty_like(images["color"])
        self.add({**images, "output": self.picture}, quality, hdr=True, cleanAux=clean)

    def add(self, images, quality, **flags):
        import pyoidn
        made = pyoidn.Filter(self.device, pyoidn.OIDN_FILTER_TYPE_RT)
        for name, image in images.items():
            made.set_image(name, image, pyoidn.OIDN_FORMAT_FLOAT3)
        for name, value in flags.items():
            made.set_bool(name, value)
        made.set_quality(quality)
        made.commit()
        self.filters.append((made, images))  # OIDN keeps addresses of the arrays alone

    def run(self):
        for made, _ in self.filters:
            made.execute()
        return self.picture

    def close(self):
        for made, _ in self.filters:
            made.release()
        check(self.device)


def rgb(plane):
    return numpy.ascontiguousarray(plane[..., :3], "f4")


def check(device):
    message = device.get_error()
    if message is not None:
        raise RuntimeError("Open Image Denoise: %s" % (message,))


class Oidn:
    methods = METHODS

    def __init__(self, threads):
        import pyoidn
        self.device = pyoidn.Device(pyoidn.OIDN_DEVICE_TYPE_CPU)
        self.device.set_int("numThreads", threads)
        self.device.commit()
        check(self.device)
        number = self.device.get_int("version")
        self.version = "Open Image Denoise %d.%d.%d (pyoidn %s)" % (number // 10000, number // 100 % 100, number % 100, importlib.metadata.version("pyoidn"))

    def denoised(self, planes, method):
        chain = Chain(self.device, planes, method)
        picture = chain.run().copy()
        chain.close()
        return picture

    def seconds(self, planes, method, runs):
        """Wall and processor seconds of each run; the filters are made and have run before."""
        chain, found = Chain(self.device, planes, method), []
        chain.run()
        for _ in range(runs):
            wall, processor = time.perf_counter(), time.process_time()  # of all threads
            chain.run()
            found.append((time.perf_counter() - wall, time.process_time() - processor))
        chain.close()
        return found

    def networks(self):
        """Each method's last network. OIDN prints what memory filters take, which is one size for each of its three sizes of networks."""
        done = subprocess.run([sys.executable, os.path.abspath(__file__)], env={**os.environ, VERBOSE: "2"}, stdout=subprocess.PIPE, text=True, check=True)
        return named_networks(done.stdout)


def named_networks(printed):
    """From what main() and OIDN print: a line with a method, then its filters' lines."""
    memory = {}
    for line in printed.splitlines():
        found = re.match(r"Memory usage: *(\d+)", line)
        if line in METHODS:
            method = line
        elif found:
            memory[method] = int(found[1])  # the last filter's stays
    sizes = sorted(set(memory.values()))
    if set(memory) != set(METHODS) or len(sizes) != 3:
        raise RuntimeError("Open Image Denoise printed memory of %d methods and %d sizes, not of %d and 3" % (len(memory), len(sizes), len(METHODS)))
    endings = dict(zip(sizes, ("_small", "", "_large")))
    return {method: NETWORKS[parts(method)[0]] + endings[memory[method]] for method in METHODS}


def main():
    peer, grey = Oidn(1), numpy.full((320, 320, 3), .5, "f4")
    for method in METHODS:
        print(method, flush=True)
        peer.denoised({"output": grey, "albedo": grey, "normal": grey}, method)


if __name__ == "__main__":
    main()
