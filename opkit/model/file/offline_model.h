// OfflineModel: a model made for one chip, as plain data: tensors with their places in memory, and
// steps in the order in which they run. docs/om.md describes the file that holds one.
#ifndef OPKIT_MODEL_FILE_OFFLINE_MODEL_H_
#define OPKIT_MODEL_FILE_OFFLINE_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/contract/attr.h"
#include "opkit/graph/graph.h"
#include "opkit/model/file/aipp.h"
#include "opkit/model/file/codes.h"

namespace opkit::model {

// Which memory holds a tensor, and what its `offset` counts.
enum class Place : uint8_t {
  kInput,   // the caller's; the number of the model's input
  kOutput,  // the caller's; the number of the model's output
  kWeight,  // the weights; bytes from their start
  kBlock,   // the block that all other tensors share; bytes from its start
};

struct ModelTensor {
  TensorDesc desc;  // the value's name, dtype and dims as the model's author sees them; its format
  Place place = Place::kBlock;
  uint64_t offset = 0;
  uint64_t bytes = 0;  // counts what the format stores
};

// A part of the weights: bytes of the file, or one element over and over.
struct WeightPart {
  uint64_t offset = 0, bytes = 0;  // lie in the weights' memory
  uint64_t file_offset = 0;        // lies in the file's weights; unless it is filled
  bool filled = false;
  std::string element;  // holds the bytes of a filled one's element
};

// Who a step asks, and what must not have changed since the model was made.
struct PluginId {
  std::string vendor, op, version;
  std::string library_sha256, contract_sha256;
  bool operator==(const PluginId&) const = default;
};

enum class StepKind : uint8_t {
  kKernel,   // a plugin's kernel
  kHost,     // an ONNX operator on the host: the fallback
  kStore,    // dense to a format, on the host
  kDense,    // a format to dense, on the host
  kCopy,     // a dense tensor to another place, on the host
  kAicpu,    // a plugin's CpuKernel, on a processor of the host
  kControl,  // an If, a Loop or a Scan: the host runs bodies, whose steps are of any kind
};
std::string_view name_of(StepKind kind);
// Kinds that launch what a plugin holds.
constexpr bool asks_plugin(StepKind kind) {
  return kind == StepKind::kKernel || kind == StepKind::kAicpu;
}

inline constexpr uint32_t kNoTensor = ~uint32_t{0};  // an absent operand

struct Step {
  StepKind kind = StepKind::kKernel;
  std::string name;                        // the nodes of the model that it stands for
  std::vector<std::vector<uint32_t>> in;   // tensors of each input port; of a host step one port
  std::vector<std::vector<uint32_t>> out;  // lists the tensors of each output port
  // Names the plugin of a kernel or of a CpuKernel.
  uint32_t plugin = 0;
  uint64_t column = 0, tiling_key = 0, block_dim = 0;
  AttrValues attrs;  // complete
  uint64_t workspace = 0, workspace_bytes = 0;
  uint64_t nanoseconds = 0;  // modelled
  bool measured = false;     // the model of time watched the whole launch
  // Holds the operator and its attributes of a host step or a control step, bodies left out.
  graph::Node node;
};

// What a model does with inputs of certain dims.
struct Plan {
  std::vector<uint32_t> inputs, outputs;  // tensors
  std::vector<ModelTensor> tensors;
  std::vector<Step> steps;
  uint64_t block_bytes = 0, block_bound = 0;
  std::string cover;  // "optimal", or the gap
};

inline constexpr uint32_t kNoBody = ~uint32_t{0};
inline constexpr size_t kMostNested = 8;  // bodies inside bodies

// What a control step runs: a branch of an If, an iteration of a Loop or a Scan. Its inputs are the
// number of the iteration, of a Loop; what is carried; of a Scan one part of what it goes through;
// what the body reads of the outside. Its outputs are the condition, of a Loop; what is carried;
// what is stacked.
struct Body : Plan {
  uint32_t gear = 0;          // the plan whose step runs it in the end
  uint32_t inside = kNoBody;  // the body that it lies in; kNoBody: the gear's plan
  uint32_t step = 0;          // numbers the step of that plan that runs it
};

// Which of the vendor's ways lets inputs have several dims.
enum class GearKind : uint8_t {
  kNone,    // they have one
  kBatch,   // --dynamic_batch_size; a gear is N
  kImage,   // --dynamic_image_size; H, W
  kDims,    // --dynamic_dims; what stands for each -1
  kShapes,  // ranges in --input_shape; what stands for each range
};
std::string_view name_of(GearKind kind);

inline constexpr size_t kMostGears = 100;

// One plan per gear and body; weights and plugins are everybody's. The model itself is the plan of
// its only or first gear.
struct OfflineModel : Plan {
  std::string name, soc, made_by, command;
  int64_t opset = graph::kDefaultOpset;
  std::vector<WeightPart> weight_parts;
  std::vector<PluginId> plugins;
  uint64_t weight_bytes = 0;
  std::string weights;  // what the file holds of them
  GearKind gear_kind = GearKind::kNone;
  std::vector<std::vector<int64_t>> gears;  // is empty for kNone
  std::vector<Plan> more;       // holds the plans of the second gear and those behind it
  std::vector<AippInput> aipp;  // is sorted by number of the input
  std::vector<Body> bodies;     // each behind the one that it lies in, an If's in order of branches

  size_t plan_count() const { return 1 + more.size(); }
  const Plan& plan(size_t gear) const { return gear == 0 ? *this : more[gear - 1]; }
};

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_OFFLINE_MODEL_H_
