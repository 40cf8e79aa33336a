"""Safetensors files: 8 bytes with the header's length, a JSON header, the tensors one after the other.

Tensors are NumPy arrays by name; metadata is text by name. README.md says what the module cnn-unet expects in them."""

import json
import os
import struct

import numpy

TYPES = {"F16": numpy.dtype("<f2"), "F32": numpy.dtype("<f4"), "F64": numpy.dtype("<f8")}


def type_name(array):
    for name, dtype in TYPES.items():
        if array.dtype == dtype:
            return name
    raise ValueError("a tensor of %s can't be written; expected float16, float32 or float64" % array.dtype)


def write(path, tensors, metadata):
    """The file appears whole or not at all, and is the same for the same content."""
    header, offset = {"__metadata__": dict(sorted(metadata.items()))}, 0
    for name, array in tensors.items():
        size = array.size * array.dtype.itemsize
        header[name] = {"dtype": type_name(array), "shape": list(array.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the tensors are aligned
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(numpy.ascontiguousarray(array).tobytes())
    os.replace(path + ".part", path)


def read(path):
    """(tensors, metadata)"""
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<Q", content[:8])[0] if len(content) >= 8 else len(content)
    if 8 + length > len(content):
        raise ValueError("%s: the header ends behind the file's %d bytes" % (path, len(content)))
    header = json.loads(content[8:8 + length])
    metadata = header.pop("__metadata__", {})
    data = memoryview(content)[8 + length:]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata
