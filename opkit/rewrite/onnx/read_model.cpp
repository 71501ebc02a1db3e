#include "opkit/rewrite/onnx/read_model.h"

#include <fmt/format.h>

#include <optional>

#include "opkit/rewrite/onnx/check_names.h"
#include "opkit/rewrite/onnx/convert_version.h"
#include "opkit/rewrite/onnx/import_options.h"
#include "opkit/rewrite/onnx/parse_message.h"
#include "opkit/rewrite/onnx/refusals.h"

namespace opkit::onnx_frontend {
namespace {

constexpr const char* kReadable = "export it with opset 7 to 23";

// Versions of the format that are known (ONNX 1.20): each only added fields.
constexpr int64_t kNewestFormat = 13;

// Names the first operator of another domain, which a model may consist of: "ai.onnx.ml".
std::string foreign_text(const onnx::ModelProto& model) {
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (!is_standard(node.domain()))
      return fmt::format("; it has {} of the domain {}, which opkit does not read", node.op_type(),
                         node.domain());
  }
  return "";
}

Status check_format(const onnx::ModelProto& model) {
  const int64_t version = model.ir_version();
  if (version >= 0 && version <= kNewestFormat) return {};
  return Error(kBadOpset,
               fmt::format("the model says IR version {}; the newest that is known is {}", version,
                           kNewestFormat),
               "export the model again; if it is as new as that, convert it to an older version of "
               "the format");
}

// Refuses two versions, because nobody can tell which one a node means.
Result<int64_t> opset_of(const onnx::ModelProto& model) {
  std::optional<int64_t> found;
  for (const auto& opset : model.opset_import()) {
    if (!is_standard(opset.domain())) continue;
    if (found && *found != opset.version())
      return Error(kBadOpset,
                   fmt::format("the model imports the ONNX operators twice, in versions {} and {}",
                               *found, opset.version()),
                   "keep the opset_import that the model was exported with");
    found = int64_t{opset.version()};
  }
  if (found) return *found;
  // Models before IR version 3 name none: their operators are of version 1.
  if (model.ir_version() < 3) return int64_t{1};
  return Error(kBadOpset,
               "the model imports no version of the ONNX operators" + foreign_text(model),
               kReadable);
}

}  // namespace

Status check_node_count(size_t nodes) {
  if (nodes <= kMostNodes) return {};
  return Error(
      kTooManyNodes,
      fmt::format("the model has {} nodes; models of at most {} are compiled", nodes, kMostNodes),
      "export it without unrolled loops, or cut it into several models");
}

Result<onnx::ModelProto> read_model(std::string_view bytes, bool keep_version) {
  if (bytes.empty())
    return Error(kNoModel, "the file is empty", "give a file that an exporter wrote");
  OPKIT_TRY(onnx::ModelProto model, parse_message<onnx::ModelProto>(bytes, "ONNX model"));
  if (!model.has_graph()) {
    // A few bytes of anything are a message without fields that are known.
    if (auto other = other_file(bytes, "ONNX model")) return std::move(*other);
    return Error(kNoModel, "the model has no graph", "give a file that an exporter wrote");
  }
  OPKIT_CHECK(check_format(model));
  OPKIT_CHECK(check_node_count(static_cast<size_t>(model.graph().node_size())));
  OPKIT_CHECK(check_names(model.graph()));
  OPKIT_TRY(const int64_t opset, opset_of(model));
  if (keep_version) return model;
  if (opset > kNewestOpset)
    return Error(
        kBadOpset,
        fmt::format("the model uses opset {}; the newest that is read is {}", opset, kNewestOpset),
        kReadable);
  if (opset >= kOldestOpset) return model;
  OPKIT_TRY(const std::string converted, convert_version(bytes, kOldestOpset));
  return parse_message<onnx::ModelProto>(converted, "ONNX model");
}

}  // namespace opkit::onnx_frontend
