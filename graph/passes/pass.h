#pragma once
// Passes over resources, as plain data: the work of a filter, or of a whole frame, on a device.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/device_model.h"
#include "graph/families/stencil_schedule.h"
#include "graph/nodes/tiles.h"
#include "graph/passes/image_format.h"

namespace lacuna {

struct Resource;
struct Pass;
using ResourceId = Id<Resource>;
using PassId = Id<Pass>;

struct Resource {
  std::string name;
  ResourceKind kind = ResourceKind::buffer;
  ImageFormat imageFormat = ImageFormat::rgba16f;  // images only
  uint32_t width = 0, height = 0;                  // images only
  uint64_t bytes = 0;                              // its contents, without padding
  ValueId value;                                   // the carried one, if any
  int permutation = 0;                             // levels of its permuted layout
  Embedding embedding;                             // of that layout
  bool persistent = false;                         // kept from frame to frame, never aliased
  bool byAddress = false;                          // some pass uses it that way
  bool isHost = false;  // memory of the machine, which a host pass uses, beside the device's own
  // The source or sink, "i-memory:in", whose memory the program gives in each frame; empty: ours.
  std::string given = {};
  // The contents of a constant array, written once before the first frame; it is persistent.
  std::shared_ptr<const std::vector<std::byte>> contents = nullptr;
};

// The memory of a source or sink, by its name, that a program gives in each frame.
struct GivenPlace {
  ResourceKind kind = ResourceKind::buffer;
  ImageFormat format = ImageFormat::rgba16f;  // images only
};
using GivenPlaces = std::map<std::string, GivenPlace>;

// Bytes of a buffer, or of an image's pixels without padding.
uint64_t contentBytes(const Resource& resource);
// Bytes of a buffer in its binding. Values take whole groups of 16 bytes, which kernels may read at once.
// Buffers between a node's passes have their exact length, which shaders can query.
uint64_t bufferBytes(const Resource& resource);

enum class AccessKind { read, write, readWrite };
// A pass's use of a resource. upload and download: the copy to and from host memory of a source or sink.
// host: by native code, in mapped memory.
enum class AccessPoint { storageBuffer, sampledImage, storageImage, transfer, uniformBuffer, host };

struct Access {
  ResourceId resource;
  AccessKind kind = AccessKind::read;
  AccessPoint point = AccessPoint::storageBuffer;
  uint32_t binding = 0;
  uint32_t element = 0;    // of an array binding
  bool byAddress = false;  // a buffer that is not bound: its address is in the push constants
};

// The name of an image or array in a dispatch (shader/generate/shaders.h lists them). Binding 0 is the
// parameter block, roles follow from 1.
struct Role {
  std::string name;
  AccessKind kind = AccessKind::read;
  ValueType type;
  ResourceKind storage = ResourceKind::buffer;
  std::vector<ResourceId> resources;  // several: a binding array
  bool uniform = false;               // an array read as a uniform buffer
  bool byAddress = false;             // an array beyond what the device binds as one buffer
  bool whole = false;                 // in tiles: an image of the whole picture
  // Of a program's image, if it isn't the format in which this type is stored.
  std::optional<ImageFormat> foreign = {};
};
std::vector<Access> accessesOf(const std::vector<Role>& roles);
// Whether a kernel's shader gets its extent by push constants of its own, because it isn't the dispatch's.
inline bool hasOwnExtent(const Role& role, Extent dispatched) {
  return !role.type.isArray() && role.type.extent != dispatched;
}

// The shader of a dispatch; its text follows from this, the node and the roles.
enum class ShaderKind {
  stencilWeights,
  stencilLevel,
  stencilInit,
  synthesis,
  pointwise,
  histogramCount,
  histogramFinish,
  reducePartial,
  reduceFinish,
  kernel
};
// How a kernel that has variants runs (kernel_schedule.h).
struct KernelSchedule {
  const VariantDescription* variant = nullptr;  // if none, as in its description
  std::array<uint32_t, 2> workgroup{16, 16};
  std::vector<int32_t> constants;               // a value for each of the variant's constants
  ResourceKind storage = ResourceKind::buffer;  // of the images that it reads and writes
};

// The input of a kernel that includes shared/matrix.glsl.
struct MatrixUse {
  MatrixKind kind = MatrixKind::emulated;
  bool float16 = false;    // float16_t can be stored in memory
  bool workgroup = false;  // of whole workgroups, too
  bool eight = false;      // an invocation holds eight numbers of a matrix
};

struct ShaderSpec {
  ShaderKind kind = ShaderKind::pointwise;
  KernelSchedule kernel;
  std::optional<MatrixUse> matrices;  // kernels
  StencilSchedule schedule;           // stencils
  Support window = Support::square;   // of a stencil's level
  bool first = true;                  // level
  bool last = true;
  bool writesOutputs = true;  // the last level, unless a synthesis pass follows
  bool tapped = false;        // this level's state is also an output (StencilDescription::tapOutput)
};

// Pixels of one workgroup of a reduction, on which both passes agree.
constexpr uint32_t reduceWorkgroup = 256;
constexpr uint32_t reducePixelsPerThread = 16;
uint32_t reduceComponents(const std::string& type);  // words of a GLSL type: vec3 3, mat2 4

// fill: with zeros; handover: a copy to or from memory of the machine; host: native code, which waits for all
// passes before it and for which all behind it wait.
enum class PassKind { dispatch, fill, upload, download, copy, handover, host };

// parameter block without std140's padding: 32-bit words at known offsets, written in each frame.
struct BlockField {
  ModuleId module;
  std::string parameter;
  uint32_t offset = 0;  // in bytes
  uint32_t stride = 4;  // between elements
  uint32_t count = 1;
  bool integer = false;  // int, bool and choice are written as int32; else float32
};

struct Pass {
  std::string name;  // "eaw:01:atrous.level2"
  NodeId node;
  PassKind kind = PassKind::dispatch;
  std::vector<Role> roles;  // of a dispatch, or of a host pass: its inputs and then its outputs
  ShaderSpec shader;        // dispatches only, like what follows
  // The output of generateShaders(): text, or the content of a .spv file; and the size of the parameter block
  // at binding 0, or 0.
  std::string glsl;
  std::shared_ptr<const std::vector<uint32_t>> spirv = nullptr;
  uint32_t blockBytes = 0;
  std::vector<BlockField> block;
  std::vector<int32_t> specialization;  // constant_id 0, 1, ...
  std::array<uint32_t, 3> groups{1, 1, 1};
  // Width, height, level; then a kernel's own extents, or in tiles the picture's width and height, the
  // tile's, and room for placeOf(), which the recorder writes. The recorder also adds `frame`, `first`, and
  // the addresses of `accesses` that need one.
  std::vector<int32_t> pushConstants;
  bool inTiles = false;  // it works on images of Passes::tiles
  std::vector<Access> accesses;
  uint64_t bytesRead = 0, bytesWritten = 0;  // lower bound: every pixel once
  uint32_t sharedBytes = 0;
};

// Two persistent resources of one shape that are exchanged at the end of each frame: the next frame reads
// from `last` what this one wrote into `now`.
struct Swap {
  ResourceId now, last;
};

// Passes in any valid order.
struct Passes {
  NodeGraph graph;
  std::optional<Tiles> tiles = {};  // of the picture: the passes are those of each tile
  Table<ResourceId, Resource> resources;
  Table<PassId, Pass> passes;
  std::vector<Swap> swaps;  // no resource twice
};

// A tile's place in push constants: its first pixel in the picture; the first and the end of its core, in the
// tile.
constexpr int tileWords = 6;
std::array<int32_t, tileWords> placeOf(const Tile& tile);

// The type of a value of the whole picture.
ValueType wholeType(const Passes& passes, ValueId value);

}  // namespace lacuna
