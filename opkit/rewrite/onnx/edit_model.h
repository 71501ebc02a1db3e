// Changes of a model's file: nodes and weights are added, replaced and dropped, everything else
// stays as its author wrote it: open dims, metadata, the other names.
#ifndef OPKIT_REWRITE_ONNX_EDIT_MODEL_H_
#define OPKIT_REWRITE_ONNX_EDIT_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {

// A node of the file, named by its first result, that reads and gives other values, or that goes.
struct NodeChange {
  std::string node;
  bool drop = false;
  std::vector<std::string> inputs, outputs;
};

struct ModelEdit {
  std::vector<NodeChange> changes;
  std::vector<graph::Node> nodes;  // new ones, with integers as attributes
  std::vector<std::pair<std::string, graph::RefTensor>> constants;
};

// Returns a model's bytes with all tensors inside: what lies in other files of the model's folder
// is read. Errors: those of reading a model.
Result<std::string> self_contained(std::string_view bytes, const std::filesystem::path& folder);

// Returns the model in version `least` of the operators, or as it is where it has a newer one.
// `shapes` are for inputs whose dims are open, which stay open; conversions of some operators need
// them. Error: OPK-ONNX-004 it cannot be converted.
Result<std::string> in_version(std::string_view bytes, int least,
                               const std::map<std::string, Shape>& shapes);

// First results of the nodes that stand in the file itself, not in a branch.
Result<std::vector<std::string>> nodes_of_file(std::string_view bytes);

// An input of the file that is no weight: its dims, -1 where they are open; nothing where they are
// not stated.
struct FileInput {
  std::string name;
  std::optional<std::vector<int64_t>> dims;
};
Result<std::vector<FileInput>> inputs_of_file(std::string_view bytes);

// Returns the model after the changes. What nobody reads any more is dropped, nodes are put in
// order. Errors: OPK-ONNX-001 no model; OPK-ONNX-005 a change of a node that is not there;
// OPK-ONNX-009 the model would have 2 GiB or more. REQUIRES: new names are new.
Result<std::string> edit_model(std::string_view bytes, const ModelEdit& edit);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_EDIT_MODEL_H_
