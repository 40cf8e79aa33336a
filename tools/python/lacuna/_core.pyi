"""lacuna/lacuna.h; of the package alone."""
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

_Message = tuple[str, str, int, int, str, str, str]

class _Enum:
    """As pybind11 makes them; they are no enum.Enum."""
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class Channels(_Enum):
    y: ClassVar[Channels]
    rgb: ClassVar[Channels]
    rgba: ClassVar[Channels]
    mv: ClassVar[Channels]
    normal: ClassVar[Channels]
    depth: ClassVar[Channels]
    any1: ClassVar[Channels]
    any2: ClassVar[Channels]
    any4: ClassVar[Channels]

class Format(_Enum):
    uint8: ClassVar[Format]
    uint16: ClassVar[Format]
    float16: ClassVar[Format]
    float32: ClassVar[Format]

class Colour(_Enum):
    rec2020: ClassVar[Colour]
    rec709: ClassVar[Colour]
    data: ClassVar[Colour]
    own: ClassVar[Colour]

class Method(_Enum):
    wiener: ClassVar[Method]
    eaw: ClassVar[Method]
    guided: ClassVar[Method]
    svgf: ClassVar[Method]
    rhf: ClassVar[Method]
    unet: ClassVar[Method]

class Encoding(_Enum):
    linear: ClassVar[Encoding]
    srgb8: ClassVar[Encoding]
    srgb16: ClassVar[Encoding]

class ImageType:
    def __init__(self, width: int, height: int, channels: Channels, format: Format, colour: Colour) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def channels(self) -> Channels: ...
    @property
    def format(self) -> Format: ...
    @property
    def colour(self) -> Colour: ...

class Origin:
    def __init__(self, text: str, file: str) -> None: ...

class GraphOptions:
    modules: list[str]
    parameters: list[str]
    images: dict[str, ImageType]
    overwrite_input: bool
    frames: str

class PipelineOptions:
    schedules: list[str]

class Planes:
    scene_linear: bool
    albedo: bool
    normal: bool
    depth: bool
    motion: bool
    sequence: bool
    alpha: bool
    fast: bool

class Device:
    def __init__(self, select: str, validates: bool) -> None: ...
    def description(self) -> dict: ...
    def validation_messages(self) -> list[str]: ...

class Pipeline:
    def __init__(self, device: Device, origin: Origin, options: GraphOptions, pipeline: PipelineOptions) -> None: ...
    def run(self, frame: int, sources: Mapping[str, np.ndarray], sinks: Mapping[str, np.ndarray], continues: bool) -> None: ...
    def frames_run(self) -> int: ...
    def run_files(self, progress: Callable[[int, int, int, float], None] | None) -> dict: ...
    def sources(self) -> list[str]: ...
    def sinks(self) -> list[str]: ...
    def image_type(self, name: str) -> ImageType: ...
    def filters(self) -> list[dict]: ...
    def memory_bytes(self) -> int: ...
    def warnings(self) -> list[_Message]: ...
    def frames(self) -> list[int]: ...

def version() -> str: ...
def devices() -> list[dict]: ...
def mistakes(origin: Origin, options: GraphOptions, shaders: bool) -> list[_Message]: ...
def module_names(folders: list[str]) -> list[str]: ...
def describe(name: str, folders: list[str]) -> tuple[str, str]: ...
def describe_file(path: str, folders: list[str]) -> str: ...
def compare(image: np.ndarray, reference: np.ndarray) -> dict[str, float]: ...
def choose_method(planes: Planes) -> Method: ...
def is_slow_on_cpu(pixels: int, fast: bool, threads: int = 0) -> bool: ...
def what_lacks(method: Method, planes: Planes) -> str: ...
def denoise_text(method: Method, planes: Planes, strength: float, encoding: Encoding) -> str: ...
def wait_for_jobs(seconds: float) -> bool: ...
