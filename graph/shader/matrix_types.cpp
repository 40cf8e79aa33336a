#include "graph/shader/spirv.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/lists.h"
#include "graph/shader/generate/spirv_instructions.h"

namespace lacuna {
namespace {

constexpr size_t idBound = 3;  // word of the header

// Newer than Debian 12's headers.
constexpr uint32_t typeCooperativeMatrix = 4456;
constexpr uint32_t cooperativeMatrixCapability = 6022;
constexpr uint32_t cooperativeMatrixLoad = 4457;
constexpr uint32_t cooperativeMatrixStore = 4458;
constexpr uint32_t cooperativeMatrixPerElement = 5369;

uint32_t firstWord(spv::Op op, uint32_t length) {
  return length << 16U | static_cast<uint32_t>(op);
}

struct Pointer {
  uint32_t storage = 0;
  uint32_t bytes = 0;  // of the number or vector to which it points
};

class Finisher {
 public:
  explicit Finisher(const SpirvWords& words) : words_(words), all_(instructionsOf(words)) {
    for (const Instruction& each : all_)
      note(each);
  }

  SpirvWords finished() {
    const uint32_t half = floatType(16, halfPlaceholder), single = floatType(32, floatPlaceholder);
    out_.assign(words_.begin(), words_.begin() + spirvHeader);
    bool declared = false;
    for (const Instruction& each : all_) {
      if (isOp(each, spv::Op::OpMemoryModel) && half != 0 && !hasFloat16_) {
        // Capabilities come before everything else.
        const uint32_t capability[] = {firstWord(spv::Op::OpCapability, 2),
                                       static_cast<uint32_t>(spv::Capability::Float16)};
        out_.insert(out_.begin() + spirvHeader, std::begin(capability), std::end(capability));
      }
      if (!declared && declaresType(each)) {
        declare(half, 16);
        declare(single, 32);
        declared = true;
      }
      const bool moved = isOp(each, spv::Op::OpTypeFloat) && (each[1] == half || each[1] == single);
      const bool isName = isOp(each, spv::Op::OpFunctionCall) && named_.count(each[2]) > 0;
      if (!moved && !isName)
        add(each, half, single);
    }
    out_[idBound] = bound_;
    return std::move(out_);
  }

 private:
  void note(Instruction each) {
    if (isOp(each, spv::Op::OpCapability)) {
      hasFloat16_ = hasFloat16_ || each[1] == static_cast<uint32_t>(spv::Capability::Float16);
    } else if (isOp(each, spv::Op::OpTypeFloat) || isOp(each, spv::Op::OpTypeInt)) {
      bytes_[each[1]] = each[2] / 8;
      if (isOp(each, spv::Op::OpTypeFloat))
        floats_[each[2]] = each[1];
    } else if (isOp(each, spv::Op::OpTypeVector)) {
      bytes_[each[1]] = bytes_[each[2]] * each[3];
    } else if (isOp(each, spv::Op::OpTypePointer)) {
      pointers_[each[1]] = {each[2], bytes_[each[3]]};
    } else if (isOp(each, spv::Op::OpAccessChain)) {
      typeOf_[each[2]] = each[1];
    } else if (opcode(each) == typeCooperativeMatrix) {
      components_.push_back(each[2]);
    } else if (isOp(each, spv::Op::OpFunctionCall)) {
      functionOf_[each[2]] = each[3];
    } else if (opcode(each) == cooperativeMatrixPerElement) {
      named_.insert(each[4]);
    }
  }

  // The id of the component type that a placeholder stands for; 0 for other numbers.
  uint32_t floatType(uint32_t width, uint32_t placeholder) {
    if (!contains(components_, placeholder))
      return 0;
    uint32_t& id = floats_[width];
    id = id == 0 ? bound_++ : id;
    return id;
  }

  void declare(uint32_t id, uint32_t width) {
    if (id != 0)
      out_.insert(out_.end(), {firstWord(spv::Op::OpTypeFloat, 3), id, width});
  }

  void add(Instruction each, uint32_t half, uint32_t single) {
    const size_t start = out_.size();
    out_.insert(out_.end(), each.begin(), each.end());
    if (opcode(each) == typeCooperativeMatrix) {
      uint32_t& component = out_[start + 2];
      component = component == halfPlaceholder ? half : component == floatPlaceholder ? single : component;
    } else if (opcode(each) == cooperativeMatrixPerElement) {
      out_[start + 4] = functionOf_.at(each[4]);
    } else if (opcode(each) == cooperativeMatrixLoad || opcode(each) == cooperativeMatrixStore) {
      addMemoryOperands(start, each[opcode(each) == cooperativeMatrixLoad ? 3 : 1]);
    }
  }

  void addMemoryOperands(size_t start, uint32_t pointer) {
    const Pointer to = pointers_[typeOf_[pointer]];
    const bool byAddress = to.storage == static_cast<uint32_t>(spv::StorageClass::PhysicalStorageBuffer);
    const auto shared = static_cast<uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);
    if (byAddress)
      out_.insert(out_.end(), {shared | static_cast<uint32_t>(spv::MemoryAccessMask::Aligned), to.bytes});
    else
      out_.push_back(shared);
    out_[start] += (byAddress ? 2U : 1U) << 16U;
  }

  const SpirvWords& words_;
  std::vector<Instruction> all_;
  uint32_t bound_ = words_[idBound];
  bool hasFloat16_ = false;
  std::map<uint32_t, uint32_t> floats_;  // by width
  std::map<uint32_t, uint32_t> bytes_;   // by type
  std::map<uint32_t, Pointer> pointers_;
  std::map<uint32_t, uint32_t> typeOf_;  // of pointers to elements
  std::vector<uint32_t> components_;
  std::map<uint32_t, uint32_t> functionOf_;  // by a call's result
  std::set<uint32_t> named_;                 // calls that only name the function that is meant
  SpirvWords out_;
};

}  // namespace

bool hasMatrixTypes(const SpirvWords& words) {
  const std::vector<Instruction> all = instructionsOf(words);
  return std::ranges::any_of(all, [](Instruction each) {
    return isOp(each, spv::Op::OpCapability) && each[1] == cooperativeMatrixCapability;
  });
}

SpirvWords finishMatrixTypes(const SpirvWords& words) {
  return Finisher(words).finished();
}

}  // namespace lacuna
