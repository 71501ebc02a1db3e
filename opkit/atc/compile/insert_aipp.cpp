#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/atc/compile/aipp_nodes.h"
#include "opkit/atc/compile/flag_text.h"

namespace opkit::compile {
namespace {

// Finds the name of the input that the operator is for.
Result<std::string> find_input(const graph::Graph& graph, const AippOp& op) {
  const auto named = std::find(graph.inputs.begin(), graph.inputs.end(), op.input);
  if (!op.input.empty() && named == graph.inputs.end())
    return wrong_aipp(op, fmt::format("the model has no input '{}'", op.input),
                      fmt::format("its inputs are {}", fmt::join(graph.inputs, ", ")));
  if (!op.input.empty()) return op.input;
  if (op.rank < static_cast<int64_t>(graph.inputs.size()))
    return graph.inputs[static_cast<size_t>(op.rank)];
  return wrong_aipp(
      op, fmt::format("the model has {} inputs, none of rank {}", graph.inputs.size(), op.rank),
      "related_input_rank: 0");
}

Result<InsertedAipp> insert(graph::Graph& graph, const AippOp& op) {
  InsertedAipp inserted;
  OPKIT_TRY(inserted.input, find_input(graph, op));
  const graph::ValueInfo value = graph.values.at(inserted.input);
  const bool images = value.shape && value.shape->is_static() && value.shape->rank() == 4;
  if (!images || !(is_float(value.dtype) || value.dtype == DType::kUInt8))
    return wrong_aipp(
        op,
        fmt::format("input '{}' is no batch of images of floats, or of uint8, with known dims",
                    inserted.input),
        "--input_shape=\"data:1,3,224,224\"");
  inserted.kept.dynamic = op.dynamic;
  inserted.kept.dtype = value.dtype;
  inserted.kept.dims = {value.shape->dims()};
  AippNodes nodes(graph, inserted.input);
  if (op.dynamic) {
    OPKIT_TRY(inserted.settings, insert_dynamic(nodes, op, *value.shape, value.dtype));
  } else {
    OPKIT_CHECK(insert_static(nodes, op, *value.shape, value.dtype, inserted.kept));
  }
  return inserted;
}

Status not_taken_as_half(const AippOp& op, const std::string& input,
                         const std::string& input_fp16_nodes) {
  if (std::ranges::count(split(input_fp16_nodes, ';'), std::string_view(input)) == 0) return {};
  return Error("E10001",
               fmt::format("value [{}] for parameter [--input_fp16_nodes] is invalid. Reason: AIPP "
                           "takes input '{}' as an image, not as float16",
                           input_fp16_nodes, input),
               "name the input in one of --input_fp16_nodes and --insert_op_conf")
      .at(op.where);
}

// Images of each gear are as large as the gear.
Status fits_image_gears(const AippOp& op) {
  if (op.dynamic)
    return wrong_aipp(op, "dynamic AIPP makes images of one size", "leave dynamic_image_size out");
  if (op.aipp.crop || op.aipp.pad)
    return wrong_aipp(op, "with dynamic_image_size there is no crop and no padding",
                      "crop: false, padding: false");
  if (op.aipp.width != 0 || op.aipp.height != 0)
    return wrong_aipp(op, "with dynamic_image_size the images have the sizes of the gears",
                      "src_image_size_w: 0, src_image_size_h: 0");
  return {};
}

uint32_t number_of(const std::string& input, const model::OfflineModel& model) {
  uint32_t number = 0;
  while (model.tensors[model.inputs[number]].desc.name != input) ++number;
  return number;
}

}  // namespace

Error wrong_aipp(const AippOp& op, const std::string& what, std::string action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--insert_op_conf] is invalid. Reason: {}",
                           op.where.file, what),
               std::move(action))
      .at(op.where);
}

Result<std::vector<InsertedAipp>> insert_aipp(graph::Graph& graph, const std::vector<AippOp>& all,
                                              model::GearKind gears,
                                              const std::string& input_fp16_nodes) {
  std::vector<InsertedAipp> inserted;
  for (const AippOp& op : all) {
    if (gears == model::GearKind::kImage) OPKIT_CHECK(fits_image_gears(op));
    OPKIT_TRY(const std::string input, find_input(graph, op));
    OPKIT_CHECK(not_taken_as_half(op, input, input_fp16_nodes));
    for (const InsertedAipp& before : inserted) {
      if (before.input == input || before.settings == input)
        return wrong_aipp(op, "two aipp_op are for one input", "state related_input_rank");
    }
    OPKIT_TRY(InsertedAipp one, insert(graph, op));
    inserted.push_back(std::move(one));
  }
  return inserted;
}

void keep(std::vector<InsertedAipp> inserted, model::OfflineModel& model) {
  for (InsertedAipp& one : inserted) {
    one.kept.input = number_of(one.input, model);
    if (one.kept.dynamic) one.kept.settings = number_of(one.settings, model);
    model.aipp.push_back(std::move(one.kept));
  }
  std::ranges::sort(model.aipp, {}, &model::AippInput::input);
}

}  // namespace opkit::compile
