// Sequences of tensors, as exporters write them for chunks and lists: known ones are their tensors.
// Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_SEQUENCES_H_
#define OPKIT_REWRITE_ONNX_SEQUENCES_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::onnx_frontend {

// SplitToSequence, SequenceAt, ConcatFromSequence and the like.
bool is_of_sequences(std::string_view op_type);

class Sequences {
 public:
  // Keeps a node that takes or gives a sequence.
  void take(graph::Node node) { open_.push_back(std::move(node)); }
  // Says nodes in operators on tensors as far as lengths and positions are known; adds those to the
  // graph. Errors: those of inference; OPK-ONNX-002 a position that is not there.
  Status resolve(graph::Graph& graph);
  // OPK-ONNX-002: a node is left, whose length or position data decide.
  Status check_resolved() const;

 private:
  using Tensors = std::vector<std::string>;
  struct Known;
  Result<bool> say(const graph::Node& node, const Known& known, graph::Graph& graph);
  Result<std::optional<std::vector<int64_t>>> sizes_of(const graph::Node& node, const Known& known,
                                                       int64_t length) const;
  Result<bool> split(const graph::Node& node, const Known& known, graph::Graph& graph);
  Result<bool> change(const graph::Node& node, const Known& known);
  Result<bool> take_tensor(const graph::Node& node, const Known& known, graph::Graph& graph);
  bool concat(const graph::Node& node, graph::Graph& graph) const;

  std::vector<graph::Node> open_;
  std::map<std::string, Tensors> sequences_;
};

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_SEQUENCES_H_
