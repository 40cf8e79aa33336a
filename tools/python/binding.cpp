// Python's module lacuna._core: lacuna/lacuna.h, with arrays for views. Only lacuna/*.py, the public
// interface, call it.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <mutex>

#include "lacuna/lacuna.h"
#include "tools/python/job.h"

namespace py = pybind11;
using namespace py::literals;

namespace lacuna::python {
namespace {

// Names of files may be anything.
py::str textOf(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

// Options by their names in Python.
py::str inPython(std::string text) {
  constexpr std::array names{std::pair("GraphOptions::overwriteInput", "overwrite=True"),
                             std::pair("--frames", "frames"), std::pair("(from -p ", "(from parameter "),
                             std::pair("a program that embeds Lacuna gives it one", "run() takes it"),
                             std::pair("record: parameter", "parameter")};
  for (const auto& [theirs, ours] : names)
    if (const size_t at = text.find(theirs); at != std::string::npos)
      text.replace(at, std::string_view(theirs).size(), ours);
  return textOf(text);
}

py::list listOf(const std::vector<Message>& messages) {
  py::list list;
  for (const Message& message : messages) {
    list.append(py::make_tuple(message.severity == Severity::error ? "error" : "warning",
                               textOf(message.file), message.line, message.column, inPython(message.text),
                               inPython(message.hint), inPython(message.printed)));
  }
  return list;
}

void translate(std::exception_ptr thrown) {
  constexpr std::array kinds{"call", "graph", "no-device", "device", "input", "file", "other"};
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const py::object type = py::module_::import("lacuna.errors").attr("Error");
    const py::object made =
        type(inPython(error.what()), kinds.at(static_cast<size_t>(error.kind())), listOf(error.messages()));
    PyErr_SetObject(type.ptr(), made.ptr());
  }
}

// NumPy's arrays as views of the door. lacuna/arrays.py has checked them: height x width (x channels) of u8,
// u16, f16 or f32, a pixel's channels side by side, in either order.

PixelFormat formatOf(const py::dtype& type) {
  return type.kind() == 'f' ? (type.itemsize() == 2 ? PixelFormat::f16 : PixelFormat::f32)
                            : (type.itemsize() == 1 ? PixelFormat::u8 : PixelFormat::u16);
}

template <class View, class Byte>
View view(Byte* first, const py::array& array) {
  const py::ssize_t count = array.ndim() == 3 ? array.shape(2) : 1;
  const py::ssize_t step = count > 1 ? array.strides(2) : array.itemsize();
  const bool isReversed = step < 0;  // as BGR images are, seen as RGB
  constexpr std::array orders{ChannelOrder::x, ChannelOrder::xy, ChannelOrder::rgb, ChannelOrder::rgba};
  View made;
  made.pixels = first + (isReversed ? (count - 1) * step : 0);
  made.width = static_cast<int>(array.shape(1));
  made.height = static_cast<int>(array.shape(0));
  made.order = isReversed ? ChannelOrder::bgr : orders.at(static_cast<size_t>(count - 1));
  made.format = formatOf(array.dtype());
  // Strides of a single row or pixel may be anything.
  made.rowBytes = made.height > 1 ? array.strides(0) : 0;
  made.pixelBytes = made.width > 1 ? static_cast<size_t>(array.strides(1)) : 0;
  return made;
}

ConstImageView viewOf(const py::array& array) {
  return view<ConstImageView>(static_cast<const std::byte*>(array.data()), array);
}

// Throws Error for what is read-only.
ImageView writableViewOf(const py::array& array) {
  if (!array.writeable())
    throw Error(ErrorKind::call, "out: the array is read-only");
  return view<ImageView>(static_cast<std::byte*>(const_cast<void*>(array.data())), array);
}

// A graph's text, or its file.
struct Origin {
  std::string text, file;
  Graph open(const GraphOptions& options) const {
    return file.empty() ? Graph::fromText(text, options) : Graph::fromFile(file, options);
  }
};

// A pipeline that threads may share, one after the other.
struct Runner {
  std::optional<Graph> graph;
  std::optional<Pipeline> pipeline;
  std::mutex running;
  int frames = 0;  // of runFrame(); under `running`
};

// All mistakes; without shaders only those that loading finds.
py::list mistakesOf(const Origin& origin, const GraphOptions& options, bool withShaders) {
  return listOf(resultOf([=] {
    if (withShaders)
      return origin.file.empty() ? checkText(origin.text, options) : checkFile(origin.file, options);
    try {
      return origin.open(options).warnings();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::graph)
        throw;
      return error.messages();
    }
  }));
}

std::shared_ptr<Runner> makeRunner(const std::shared_ptr<Device>& device, const Origin& origin,
                                   const GraphOptions& graphOptions, const PipelineOptions& options) {
  return resultOf([=] {
    auto runner = std::make_shared<Runner>();
    runner->graph = origin.open(graphOptions);
    runner->pipeline.emplace(*device, *runner->graph, options);
    return runner;
  });
}

std::shared_ptr<Runner> openBundle(const std::shared_ptr<Device>& device, const std::string& file, int width,
                                   int height) {
  return resultOf([=] {
    auto runner = std::make_shared<Runner>();
    runner->pipeline.emplace(Pipeline::fromBundle(*device, file, width, height));
    return runner;
  });
}

using Arrays = std::map<std::string, py::array>;

void runFrame(const std::shared_ptr<Runner>& runner, int frame, const Arrays& from, const Arrays& to,
              bool continues, const std::vector<std::string>& parameters) {
  std::map<std::string, ConstImageView> sources;
  std::map<std::string, ImageView> sinks;
  for (const auto& [name, array] : from)
    sources[name] = viewOf(array);
  for (const auto& [name, array] : to)
    sinks[name] = writableViewOf(array);
  runJob([runner, frame, continues, parameters, sources, sinks,
          held = std::pair(from, to)](const auto& cancelled) {
    const std::lock_guard lock(runner->running);
    if (cancelled)
      return;  // it has waited for another call
    if (!continues)
      runner->pipeline->restart();
    runner->pipeline->run(frame, sources, sinks, parameters);
    ++runner->frames;
  });
}

// Waits for a call that was interrupted.
int framesRun(const std::shared_ptr<Runner>& runner) {
  return resultOf([runner] {
    const std::lock_guard lock(runner->running);
    return runner->frames;
  });
}

py::dict runFiles(const std::shared_ptr<Runner>& runner, const py::object& progress) {
  auto warnings = std::make_shared<std::vector<std::string>>();
  auto result = std::make_shared<RunResult>();
  runJob([=](const std::atomic<bool>& cancelled) {
    std::mutex writing;
    RunOptions options;
    options.cancelled = [&] { return cancelled.load(); };
    options.warning = [&](const std::string& text) {
      const std::lock_guard lock(writing);
      warnings->push_back(text);
    };
    if (!progress.is_none())
      options.progress = [&](const RunProgress& now) {
        const py::gil_scoped_acquire locked;
        progress(now.done, now.total, now.frame, now.seconds);
      };
    const std::lock_guard lock(runner->running);
    *result = runner->pipeline->run(options);
  });
  py::list said;
  for (const std::string& text : *warnings)
    said.append(textOf(text));
  return py::dict("done"_a = result->done, "warnings"_a = said,
                  "damaged"_a = std::vector<int>(result->damaged.begin(), result->damaged.end()));
}

py::list filtersOf(const PlanReport& plan) {
  py::list filters;
  for (const FilterChoice& filter : plan.filters) {
    py::list candidates;
    for (const ScheduleCandidate& candidate : filter.candidates) {
      candidates.append(py::dict("name"_a = candidate.name, "exact"_a = candidate.exact,
                                 "rejected"_a = candidate.rejected, "ms"_a = candidate.ms,
                                 "measured"_a = candidate.measured));
    }
    filters.append(py::dict("filter"_a = filter.filter, "schedule"_a = filter.schedule,
                            "reason"_a = filter.reason, "candidates"_a = candidates));
  }
  return filters;
}

py::dict dictOf(const DeviceDescription& device) {
  return py::dict("name"_a = device.name, "uuid"_a = device.uuid, "kind"_a = device.kind,
                  "driver"_a = device.driver, "vulkan"_a = device.vulkan,
                  "memory_bytes"_a = device.memoryBytes, "image_side"_a = device.imageSide,
                  "unusable"_a = device.unusable);
}

py::dict compared(const py::array& image, const py::array& reference) {
  const Metrics metrics = resultOf([from = viewOf(image), to = viewOf(reference),
                                    held = std::pair(image, reference)] { return compare(from, to); });
  return py::dict("relMSE"_a = metrics.relMse, "PSNR"_a = metrics.psnr, "SSIM"_a = metrics.ssim,
                  "FLIP"_a = metrics.flip, "max_relative_error"_a = metrics.maxRelativeError,
                  "mean_relative_error"_a = metrics.meanRelativeError, "not_finite"_a = metrics.notFinite);
}

std::shared_ptr<Device> openDevice(const std::string& select, bool validates) {
  DeviceOptions options;
  options.select = select;
  options.validates = validates;
  return resultOf([options] { return std::make_shared<Device>(options); });
}

void bindOptions(py::module_& module) {
  py::enum_<PixelChannels>(module, "Channels")
      .value("y", PixelChannels::y)
      .value("rgb", PixelChannels::rgb)
      .value("rgba", PixelChannels::rgba)
      .value("mv", PixelChannels::mv)
      .value("normal", PixelChannels::normal)
      .value("depth", PixelChannels::depth)
      .value("any1", PixelChannels::any1)
      .value("any2", PixelChannels::any2)
      .value("any4", PixelChannels::any4);
  py::enum_<PixelFormat>(module, "Format")
      .value("uint8", PixelFormat::u8)
      .value("uint16", PixelFormat::u16)
      .value("float16", PixelFormat::f16)
      .value("float32", PixelFormat::f32);
  py::enum_<PixelColour>(module, "Colour")
      .value("rec2020", PixelColour::rec2020)
      .value("rec709", PixelColour::rec709)
      .value("data", PixelColour::data)
      .value("own", PixelColour::own);
  py::class_<ImageType>(module, "ImageType")
      .def(
          py::init([](int width, int height, PixelChannels channels, PixelFormat format, PixelColour colour) {
            return ImageType{width, height, channels, format, colour};
          }))
      .def_readonly("width", &ImageType::width)
      .def_readonly("height", &ImageType::height)
      .def_readonly("channels", &ImageType::channels)
      .def_readonly("format", &ImageType::format)
      .def_readonly("colour", &ImageType::colour);
  py::class_<Origin>(module, "Origin").def(py::init([](std::string text, std::string file) {
    return Origin{std::move(text), std::move(file)};
  }));
  py::class_<GraphOptions>(module, "GraphOptions")
      .def(py::init<>())
      .def_readwrite("modules", &GraphOptions::modules)
      .def_readwrite("parameters", &GraphOptions::parameters)
      .def_readwrite("images", &GraphOptions::images)
      .def_readwrite("overwrite_input", &GraphOptions::overwriteInput)
      .def_property(
          "frames", [](const GraphOptions& options) { return options.frames.text; },
          [](GraphOptions& options, const std::string& text) { options.frames = text; });
  py::class_<PipelineOptions>(module, "PipelineOptions")
      .def(py::init<>())
      .def_readwrite("schedules", &PipelineOptions::schedules);
  py::class_<Planes>(module, "Planes")
      .def(py::init<>())
      .def_readwrite("scene_linear", &Planes::sceneLinear)
      .def_readwrite("albedo", &Planes::albedo)
      .def_readwrite("normal", &Planes::normal)
      .def_readwrite("depth", &Planes::depth)
      .def_readwrite("motion", &Planes::motion)
      .def_readwrite("sequence", &Planes::sequence)
      .def_readwrite("alpha", &Planes::alpha)
      .def_readwrite("fast", &Planes::fast);
  py::enum_<Method>(module, "Method")
      .value("wiener", Method::wiener)
      .value("eaw", Method::eaw)
      .value("guided", Method::guided)
      .value("svgf", Method::svgf)
      .value("rhf", Method::rhf)
      .value("unet", Method::unet);
  py::enum_<Encoding>(module, "Encoding")
      .value("linear", Encoding::linear)
      .value("srgb8", Encoding::srgb8)
      .value("srgb16", Encoding::srgb16);
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(translate);
  bindOptions(module);
  py::class_<Device, std::shared_ptr<Device>>(module, "Device")
      .def(py::init(&openDevice))
      .def("description", [](const Device& device) { return dictOf(device.description()); })
      .def("validation_messages", &Device::validationMessages);
  py::class_<Runner, std::shared_ptr<Runner>>(module, "Pipeline")
      .def(py::init(&makeRunner))
      .def("run", &runFrame, "frame"_a, "sources"_a, "sinks"_a, "continues"_a,
           "parameters"_a = std::vector<std::string>())
      .def("frames_run", &framesRun)
      .def("run_files", &runFiles)
      .def("sources", [](const Runner& runner) { return runner.pipeline->sources(); })
      .def("sinks", [](const Runner& runner) { return runner.pipeline->sinks(); })
      .def("image_type",
           [](const Runner& runner, const std::string& name) { return runner.pipeline->imageType(name); })
      .def("filters", [](const Runner& runner) { return filtersOf(runner.pipeline->plan()); })
      .def("memory_bytes", [](const Runner& runner) { return runner.pipeline->plan().memoryBytes; })
      .def("warnings", [](const Runner& runner) { return listOf(runner.graph->warnings()); })
      .def("frames", [](const Runner& runner) {  // of a graph
        return std::vector<int>(runner.graph->frames().begin(), runner.graph->frames().end());
      });
  module.def("version", &version);
  module.def("devices", [] {
    py::list list;
    for (const DeviceDescription& device : devices())
      list.append(dictOf(device));
    return list;
  });
  module.def("open_bundle", &openBundle);
  module.def("bundle_sizes", [](const std::string& file) {
    py::list sizes;
    for (const BundleSize& size : bundleSizes(file))
      sizes.append(py::make_tuple(size.width, size.height));
    return sizes;
  });
  module.def("mistakes", &mistakesOf);
  module.def("module_names", &moduleNames);
  module.def("describe", [](const std::string& name, const std::vector<std::string>& folders) {
    const ModuleText said = describeModule(name, folders);
    return py::make_tuple(textOf(said.text), textOf(said.json));
  });
  module.def("describe_file", [](const std::string& path, const std::vector<std::string>& folders) {
    return textOf(describeFile(path, folders));
  });
  module.def("compare", &compared);
  module.def("choose_method", &chooseMethod);
  module.def("is_slow_on_cpu", &isSlowOnCpu, py::arg("pixels"), py::arg("fast"), py::arg("threads") = 0);
  module.def("what_lacks", &whatLacks);
  module.def("denoise_text", [](Method method, const Planes& planes, double strength, Encoding encoding) {
    return denoiseText(method, planes, strength, encoding);
  });
  module.def("wait_for_jobs", &waitForJobs);
}

}  // namespace lacuna::python
